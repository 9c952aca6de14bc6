import type { api, LinkAsk, Reply } from '@neptune/contract'
import { useState } from 'react'
import { Age } from '../../components/age.tsx'
import { classNames } from '../../components/class-names.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { Button } from '../../components/form/button.tsx'
import { FormError } from '../../components/form/form-error.tsx'
import { ClockIcon, KeyIcon } from '../../components/icons.tsx'
import { useFocusRetention } from '../../components/layout/use-focus-retention.ts'
import { t } from '../../i18n/t.ts'
import { defaultCompany } from '../../lib/default-company.ts'
import { shortenName } from '../../lib/shorten-name.ts'
import { formatDateTime } from '../../lib/time/dates.ts'
import { getClosedReason } from './link-texts.ts'
import type { ReadyLink } from './ready-link.ts'
import css from './recipient-requests.module.css'
import { useAnswerRequest } from './request-queries.ts'

const c = classNames(css)

/** More would push the table of links off the screen. */
const maxShownInitially = 3

interface RecipientRequestsProps {
  requests: readonly LinkAsk[]
  /** Called with a new code that was not emailed, so that the user can pass it on. */
  onCode: (ready: ReadyLink) => void
}

/** Open requests of recipients, each with buttons to grant or dismiss it. */
export function RecipientRequests({ requests, onCode }: RecipientRequestsProps) {
  const [isExpanded, setExpanded] = useState(false)
  const [failure, setFailure] = useState<string>()
  const list = useFocusRetention<HTMLUListElement>()
  const visibleRequests = isExpanded ? requests : requests.slice(0, maxShownInitially)
  return (
    <section aria-label={t('Requests from recipients')} className={c('requests')}>
      {failure && <FormError title={failure} announce="alert" />}
      <ul ref={list} className={c('list')}>
        {visibleRequests.map((request) => (
          <RequestItem key={request.id} request={request} onCode={onCode} onFailure={setFailure} />
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

interface RequestItemProps extends Pick<RecipientRequestsProps, 'onCode'> {
  request: LinkAsk
  onFailure: (message: string | undefined) => void
}

function RequestItem({ request, onCode, onFailure }: RequestItemProps) {
  const { id, name, wants, email } = request
  const answer = useAnswerRequest()
  const toast = useToast()

  const respond = (grant: boolean) => {
    onFailure(undefined)
    answer.run(
      { id, grant },
      {
        onSuccess: (answered) => {
          const { link, accessCode, sentTo, way } = answered
          if (accessCode !== null && (sentTo === null || way === 'files')) {
            if (sentTo !== null) toast({ message: t('No mail server is set up. Let the person who asked know.') })
            return onCode({ link, accessCode, isReset: true })
          }
          toast({
            message: grant
              ? describeGrant(name, answered)
              : t('Dismissed the request about “{name}”.', { name: shortenName(name) }),
          })
        },
        onError: ({ message }) => onFailure(message),
      },
    )
  }

  const grantLabel = wants === 'time' ? t('Give 30 more days') : email ? t('Send a new code') : t('Create a new code')
  const dismissLabel = t('Dismiss (a request)')
  return (
    <li className={c('request')}>
      {wants === 'time' ? <ClockIcon /> : <KeyIcon />}
      <RequestText {...request} />
      <div className={c('actions')}>
        <Button
          busy={answer.isBusy && answer.input?.grant === true}
          onClick={() => respond(true)}
          aria-label={`${grantLabel}: ${name}`}
        >
          {grantLabel}
        </Button>
        <Button
          busy={answer.isBusy && answer.input?.grant === false}
          onClick={() => respond(false)}
          aria-label={`${dismissLabel}: ${name}`}
        >
          {dismissLabel}
        </Button>
      </div>
    </li>
  )
}

function RequestText({ name, client, wants, message, created_at, expiry, email }: LinkAsk) {
  const date = formatDateTime(expiry)
  return (
    <div className={c('text')}>
      <p className={c('summary')}>
        {wants === 'time'
          ? t('Someone is asking for more time for “{name}”.', { name })
          : t('Someone is asking for a new code for “{name}”.', { name })}
      </p>
      {message && (
        <blockquote className={c('message')} title={t('Written by someone who has the link. We haven’t verified who.')}>
          {t('“{message}”', { message })}
        </blockquote>
      )}
      <p className={c('meta')}>
        {client ?? defaultCompany} · <Age instant={created_at} /> ·{' '}
        {Date.parse(expiry) <= Date.now() ? t('expired {date}', { date }) : t('expires {date}', { date })}
        {' · '}
        {!email
          ? t('the link was never emailed')
          : wants === 'code'
            ? t('the code will be sent to {email}', { email })
            : t('{email} will be notified', { email })}
      </p>
    </div>
  )
}

/** Describes what was granted, and who is notified. */
function describeGrant(name: string, { link, accessCode, sentTo, way }: Reply<typeof api.link.answer>['data']): string {
  const email = sentTo ?? ''
  if (accessCode !== null) return t('A new code is on its way to {email}.', { email })
  const closedReason = getClosedReason(link)
  if (closedReason !== undefined)
    return t('Extended the link to “{name}”. {reason}', { name: shortenName(name), reason: closedReason })
  const openUntil = t('“{name}” is open until {date}.', { name: shortenName(name), date: formatDateTime(link.expiry) })
  if (way === 'files') return `${openUntil} ${t('No mail server is set up. Let the person who asked know.')}`
  return sentTo === null
    ? `${openUntil} ${t('The link was never emailed, so let the person who asked know.')}`
    : `${openUntil} ${t('{email} will be notified by email.', { email })}`
}
