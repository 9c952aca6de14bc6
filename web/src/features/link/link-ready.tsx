import type { LinkRow } from '@neptune/contract'
import { lazy, Suspense, useEffect, useId, useRef } from 'react'
import { classNames } from '../../components/class-names.ts'
import { Button, IconButton } from '../../components/form/button.tsx'
import { CopyButton } from '../../components/form/copy-button.tsx'
import { CopyField } from '../../components/form/copy-field.tsx'
import { AlertIcon, CheckIcon, CloseIcon, MailIcon } from '../../components/icons.tsx'
import { t } from '../../i18n/t.ts'
import { ErrorBoundary } from '../../lib/page/error-boundary.tsx'
import { formatDateTime } from '../../lib/time/dates.ts'
import css from './link-ready.module.css'
import {
  formatLinkDetails,
  getLinkTypeName,
  getNameForRecipients,
  getStateName,
  getStopReason,
  getUnsendableReason,
  isLoopback,
} from './link-texts.ts'
import type { ReadyLink } from './ready-link.ts'

const c = classNames(css)

const QrCode = lazy(() => import('./qr-code.tsx').then((module) => ({ default: module.QrCode })))

interface LinkReadyProps {
  ready: ReadyLink
  /** The current state of the link: it may have been closed since. */
  link: LinkRow
  onSend: () => void
  onDismiss: () => void
}

/** A link that was just created or reset, with everything needed to share it. Takes the focus, because sharing is the next step. */
export function LinkReady({ ready, link, onSend, onDismiss }: LinkReadyProps) {
  const { accessCode, isReset, recipientMessage } = ready
  const stopReason = getStopReason(link)
  const panel = useFocusOnce(ready)
  const id = useId()
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-description`}
      className={c('panel')}
    >
      <div className={c('text')}>
        <h2 id={`${id}-title`} className={c('title', stopReason !== undefined && 'closed')}>
          {stopReason === undefined ? <CheckIcon /> : <AlertIcon />}
          {stopReason === undefined ? t('Link ready') : getStateName(link)}
        </h2>
        <p id={`${id}-description`} className={c('description')}>
          <strong className={c('name')}>{link.name}</strong> {getLinkTypeName(link)} ·{' '}
          {t('until {date}', { date: formatDateTime(link.expiry) })}
          {(isReset || stopReason !== undefined) && (
            <span className={c('note')}>
              {isReset && t('The old code no longer works.')} {stopReason}
            </span>
          )}
        </p>
        {recipientMessage && (
          <p className={c('description')} title={t('Written by someone who has the link. We haven’t verified who.')}>
            {t('Pass the new code on to whoever asked: “{message}”', { message: recipientMessage })}
          </p>
        )}
        <ReadyDetails link={link} accessCode={accessCode} onSend={onSend} />
      </div>
      <LinkPicture link={link} />
      <div className={c('dismiss')}>
        <IconButton label={t('Dismiss')} icon={<CloseIcon />} onClick={onDismiss} />
      </div>
    </section>
  )
}

interface ReadyDetailsProps extends Pick<ReadyLink, 'link' | 'accessCode'> {
  /** Whether copying is the main action of a dialog. */
  isMain?: boolean
  onSend: () => void
}

/** The address and the code of a link, and the ways to pass them on. */
export const ReadyDetails = ({ link, accessCode, isMain = false, onSend }: ReadyDetailsProps) => (
  <>
    {isLoopback(link.url) && (
      <p className={c('warning')}>
        <AlertIcon size={16} />
        {t('This address works only on this computer. Ask your server administrator for one that others can reach.')}
      </p>
    )}
    <div className={c('fields')}>
      <CopyField label={t('Link')} value={link.url} />
      <CopyField label={t('Access code')} value={accessCode} />
    </div>
    <div className={c('actions')}>
      <CopyButton label={t('Copy details')} text={formatLinkDetails(link, accessCode)} isMain={isMain} />
      <Button icon={<MailIcon />} disabledReason={getUnsendableReason(link)} onClick={onSend}>
        {t('Send')}
      </Button>
      {hasShareSheet() && (
        <Button onClick={() => void shareText(getNameForRecipients(link), formatLinkDetails(link, accessCode))}>
          {t('Share with an app')}
        </Button>
      )}
    </div>
  </>
)

/** The QR code of a link. It is optional: if its script doesn’t load, nothing is shown. */
export const LinkPicture = ({ link }: { link: LinkRow }) => (
  <div className={c('picture')}>
    <ErrorBoundary fallback={() => null}>
      <Suspense>
        <QrCode text={link.url} label={t('QR code of the link to {name}', { name: link.name })} />
      </Suspense>
    </ErrorBoundary>
  </div>
)

/** Returns whether this is a phone or a tablet that can pass text on to other apps. */
const hasShareSheet = () => 'share' in navigator && matchMedia('(pointer: coarse)').matches

/** Opens the share sheet. Ignores errors, because closing the sheet is one of them. */
const shareText = (title: string, text: string) => navigator.share({ title, text }).catch(() => undefined)

/** Links that have had the focus before. Returning to the page doesn’t focus them again. */
const focused = new WeakSet<ReadyLink>()

function useFocusOnce(ready: ReadyLink) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    if (focused.has(ready)) return
    focused.add(ready)
    panel.current?.focus()
  }, [ready])
  return panel
}
