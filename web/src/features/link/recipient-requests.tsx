import type { LinkAsk } from '@neptune/contract'
import { useState } from 'react'
import { Age } from '../../components/age.tsx'
import { classNames } from '../../components/class-names.ts'
import { ClockIcon, KeyIcon } from '../../components/entry-icons.tsx'
import { Button } from '../../components/form/button.tsx'
import { FormError } from '../../components/form/form-error.tsx'
import { useFocusRetention } from '../../components/layout/use-focus-retention.ts'
import { t } from '../../i18n/t.ts'
import { defaultCompany } from '../../lib/default-company.ts'
import { formatDateTime } from '../../lib/time/dates.ts'
import { useExtension } from './link-limits.ts'
import { extendFirst } from './link-texts.ts'
import css from './recipient-requests.module.css'
import { useRespond } from './use-respond.ts'

const c = classNames(css)

/** More would push the table of links off the screen. */
const maxShownInitially = 3

interface RecipientRequestsProps {
  requests: readonly LinkAsk[]
  /** Without a mail server, the user tells the recipient what they have granted. */
  hasMailServer: boolean
  /** Called when the user wants to grant a new code. The old code stops working for everyone, so the user must confirm this. */
  onNewCode: (request: LinkAsk) => void
  /** Called when the user wants to extend the link until a day of their choice. */
  onChooseDate: (request: LinkAsk) => void
}

/** Open requests of recipients, each with buttons to grant or dismiss it. */
export function RecipientRequests({ requests, ...rest }: RecipientRequestsProps) {
  const [isExpanded, setExpanded] = useState(false)
  const [failure, setFailure] = useState<string>()
  const list = useFocusRetention<HTMLUListElement>()
  const visibleRequests = isExpanded ? requests : requests.slice(0, maxShownInitially)
  return (
    <section aria-label={t('Requests from recipients')} className={c('requests')}>
      {failure && <FormError title={failure} announce="alert" />}
      <ul ref={list} className={c('list')}>
        {visibleRequests.map((request) => (
          <RequestItem key={request.id} request={request} {...rest} onFailure={setFailure} />
        ))}
      </ul>
      {visibleRequests.length < requests.length && (
        <div>
          <Button onClick={() => setExpanded(true)}>{t('Show all {n} requests', { n: requests.length })}</Button>
        </div>
      )}
    </section>
  )
}

interface RequestItemProps extends Omit<RecipientRequestsProps, 'requests'> {
  request: LinkAsk
  onFailure: (message: string | undefined) => void
}

function RequestItem(props: RequestItemProps) {
  const { request, hasMailServer } = props
  return (
    <li className={c('request')}>
      {request.wants === 'time' ? <ClockIcon /> : <KeyIcon />}
      <RequestText request={request} hasMailServer={hasMailServer} />
      <div className={c('actions')}>
        <RequestActions {...props} />
      </div>
    </li>
  )
}

/** The buttons to grant or dismiss a request. */
export function RequestActions({ request, hasMailServer, onNewCode, onChooseDate, onFailure }: RequestItemProps) {
  const { name, wants, email } = request
  const { answer, respond } = useRespond(request)
  const extension = useExtension()(request.expiry)
  const sendResponse = (grant: boolean) => {
    onFailure(undefined)
    respond({ grant }, { onError: ({ message }) => onFailure(message) })
  }

  const newCodeLabel = email && hasMailServer ? t('Send a new code') : t('Create a new code')
  const grantLabel = wants === 'time' ? (extension.label ?? t('Give 30 more days')) : newCodeLabel
  const grantDisabledReason = request.target_deleted
    ? t('What this link shares was deleted. If it’s in the trash, restore it first. If not, create a new link.')
    : wants === 'time'
      ? extension.reason
      : getCodeDisabledReason(request)
  const dismissLabel = t('Dismiss (a request)')
  return (
    <>
      <Button
        busy={answer.isBusy && answer.input?.grant === true}
        disabledReason={grantDisabledReason}
        onClick={() => (wants === 'code' ? onNewCode(request) : sendResponse(true))}
        aria-label={`${grantLabel}: ${name}`}
      >
        {grantLabel}
      </Button>
      {wants === 'time' && grantDisabledReason === undefined && (
        <Button onClick={() => onChooseDate(request)} aria-label={t('Choose a date: {name}', { name })}>
          {t('Choose a date')}
        </Button>
      )}
      <Button
        busy={answer.isBusy && answer.input?.grant === false}
        onClick={() => sendResponse(false)}
        aria-label={`${dismissLabel}: ${name}`}
      >
        {dismissLabel}
      </Button>
    </>
  )
}

/** Nobody gets a code that doesn’t open the link. */
const getCodeDisabledReason = ({ expiry }: LinkAsk) => (Date.parse(expiry) <= Date.now() ? t(extendFirst) : undefined)

function RequestText({ request, hasMailServer }: Pick<RequestItemProps, 'request' | 'hasMailServer'>) {
  const { client, message, created_at, expiry } = request
  const date = formatDateTime(expiry)
  return (
    <div className={c('text')}>
      <p className={c('summary')}>{describeRequest(request)}</p>
      <RequestMessage message={message} className={c('message')} />
      <p className={c('meta')}>
        {client ?? defaultCompany} · <Age instant={created_at} /> ·{' '}
        {Date.parse(expiry) <= Date.now() ? t('expired {date}', { date }) : t('expires {date}', { date })}
        {' · '}
        {describeNotice(request, hasMailServer)}
        <NewOwnerNote request={request} />
      </p>
    </div>
  )
}

/** Says that the user becomes the owner of the link if they grant the request, because the owner can’t answer it. */
export const NewOwnerNote = ({ request }: { request: LinkAsk }) =>
  !request.owner_can_act && <> · {t('if you grant it, you become the link’s owner')}</>

export const describeRequest = ({ wants, name }: LinkAsk) =>
  wants === 'time'
    ? t('Someone is asking for more time for “{name}”.', { name })
    : t('Someone is asking for a new code for “{name}”.', { name })

/** The message of the recipient, as a quote. */
export const RequestMessage = ({ message, className }: Pick<LinkAsk, 'message'> & { className: string | undefined }) =>
  message && (
    <blockquote className={className} title={t('Written by someone who has the link. We haven’t verified who.')}>
      {t('“{message}”', { message })}
    </blockquote>
  )

/** Says who is notified if the request is granted. */
function describeNotice({ email, wants }: LinkAsk, hasMailServer: boolean): string {
  if (!email) return t('nobody will be notified, because the link was never emailed: tell the recipient yourself')
  if (!hasMailServer) return t('no mail server: tell {email} yourself', { email })
  return wants === 'code' ? t('the code will be sent to {email}', { email }) : t('{email} will be notified', { email })
}
