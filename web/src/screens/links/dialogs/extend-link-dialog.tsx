import { extendExpiry, type LinkAsk, type LinkRow } from '@neptune/contract'
import { useForm } from '../../../api/use-form.ts'
import { classNames } from '../../../components/class-names.ts'
import { useToast } from '../../../components/feedback/toast.tsx'
import { DateField } from '../../../components/form/field.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { describeExpiry, useLinkLimits } from '../../../features/link/link-limits.ts'
import { useExtendLink } from '../../../features/link/link-queries.ts'
import { needsNewOwner } from '../../../features/link/link-texts.ts'
import { useRespond } from '../../../features/link/use-respond.ts'
import { useHasMailServer } from '../../../features/mail/mail-queries.ts'
import { MailServerLink } from '../../../features/mail/mail-server-link.tsx'
import { t } from '../../../i18n/t.ts'
import { shortenName } from '../../../lib/shorten-name.ts'
import { formatDateTime } from '../../../lib/time/dates.ts'
import { getDayFromNow, toDay, toEndOfDay } from '../../../lib/time/days.ts'
import css from '../link-dialogs.module.css'

const c = classNames(css)

type ExtendableLink = Pick<LinkRow, 'key' | 'name' | 'expiry' | 'email'>

/** Extends a link until a chosen day. */
export function ExtendLinkDialog({ link, onClose }: { link: LinkRow; onClose: () => void }) {
  const extend = useExtendLink()
  const toast = useToast()
  const submit = (expiry: string) =>
    extend.run(
      { key: link.key, expiry },
      {
        onSuccess({ name, expiry }) {
          toast({ message: t('“{name}” is open until {date}.', { name: shortenName(name), date: formatDateTime(expiry) }) })
          onClose()
        },
      },
    )
  return <ExtensionDialog link={link} becomesOwner={needsNewOwner(link)} action={extend} onSubmit={submit} onClose={onClose} />
}

/** Grants a recipient’s request for more time until a chosen day. */
export function GrantTimeDialog({ request, onClose }: { request: LinkAsk; onClose: () => void }) {
  const { answer, respond } = useRespond(request)
  const submit = (expiry: string) => respond({ grant: true, expiry }, { onSuccess: onClose })
  const becomesOwner = !request.owner_can_act
  return <ExtensionDialog link={request} becomesOwner={becomesOwner} action={answer} onSubmit={submit} onClose={onClose} />
}

interface FrameProps {
  link: ExtendableLink
  /** Whether the user becomes the owner of the link, because the owner can’t act. */
  becomesOwner: boolean
  onClose: () => void
  action: Parameters<typeof useForm>[0]['action']
  onSubmit: (expiry: string) => void
}

function ExtensionDialog({ link: { name, expiry, email }, becomesOwner, action, onSubmit, onClose }: FrameProps) {
  const { max_days } = useLinkLimits()
  const hasMailServer = useHasMailServer()
  const [nowMs, expiryMs] = [Date.now(), Date.parse(expiry)]
  const limits = { maxDays: max_days, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }
  const form = useForm({
    initial: () => ({ expiry: toDay(extendExpiry(nowMs, expiryMs, limits) ?? expiryMs) }),
    action,
    failureTitle: t('The link was not extended.'),
    validate: ({ expiry }) => (toEndOfDay(expiry) === undefined ? { expiry: t('Choose a date.') } : {}),
    submit: ({ expiry }) => onSubmit(toEndOfDay(expiry) ?? ''),
  })
  const values = { name, date: formatDateTime(expiry) }
  return (
    <DialogFrame
      title={t('Extend link')}
      description={
        expiryMs <= nowMs
          ? t('The link to “{name}” expired on {date}. Its code stays the same.', values)
          : t('The link to “{name}” expires on {date}. Its code stays the same.', values)
      }
      confirmLabel={t('Extend link')}
      {...form.dialog}
      onClose={onClose}
    >
      <DateField
        label={t('New expiry')}
        required
        min={toDay(Math.max(nowMs, expiryMs))}
        max={max_days === null ? undefined : getDayFromNow(max_days)}
        hint={describeExpiry(max_days)}
        {...form.field('expiry')}
      />
      {becomesOwner && <p className={c('hint')}>{t('You become its owner.')}</p>}
      {email && (
        <p className={c('hint')}>
          {hasMailServer
            ? t('{email} gets an email when you extend the link.', { email })
            : t('No mail server is set up. If you extend the link, tell {email} yourself.', { email })}{' '}
          {!hasMailServer && <MailServerLink isInDialog />}
        </p>
      )}
    </DialogFrame>
  )
}
