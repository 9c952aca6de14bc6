import type { FileRow, LinkType } from '@neptune/contract'
import type { FieldErrors } from '../../../api/form-errors.ts'
import { useForm } from '../../../api/use-form.ts'
import { classNames } from '../../../components/class-names.ts'
import { ChoiceField } from '../../../components/form/choice-field.tsx'
import { TextField } from '../../../components/form/field.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { Disclosure } from '../../../components/layout/disclosure.tsx'
import { useLinkLimits } from '../../../features/link/link-limits.ts'
import { describeLinkType, getLinkTypeName } from '../../../features/link/link-texts.ts'
import { useShare } from '../../../features/link/use-share.ts'
import { useHasMailServer } from '../../../features/mail/mail-queries.ts'
import { MailServerLink } from '../../../features/mail/mail-server-link.tsx'
import { t } from '../../../i18n/t.ts'
import { shortenName } from '../../../lib/shorten-name.ts'
import { toEndOfDay } from '../../../lib/time/days.ts'
import { useDialog } from '../../shared/dialogs/dialog.ts'
import css from '../link-dialogs.module.css'
import {
  type EmailDraft,
  EmailLanguageField,
  emptyEmail,
  getEmailLanguageName,
  IncludeCodeField,
  MessageField,
  toEmailOptions,
} from './email-fields.tsx'
import { ExpiryField, findExpiryError, useExpiryDay } from './expiry-field.tsx'
import { LinkVersionField } from './link-version-field.tsx'
import { findRecipientsError, readRecipients } from './recipients.ts'
import { TellDownloadField } from './tell-download-field.tsx'

const c = classNames(css)

interface ShareDialogProps {
  company: string
  /** A directory or folder, which contains the files if there are any. */
  directory: string
  /** The name of the directory or folder. Shown only if it is shared itself. */
  name?: string
  files?: readonly Pick<FileRow, 'id' | 'file_name'>[]
  onClose: () => void
}

interface Draft extends EmailDraft {
  linkType: LinkType
  /** Email addresses, separated by commas. */
  recipients: string
  /** Undefined until the user chooses a day. */
  expiry: string | undefined
  /** The version to pin the link to; undefined for the newest one. */
  version: string | undefined
  tellDownload: boolean
}

/** Creates a link to a directory, a folder or files, and sends it to the recipients who are entered. */
export function ShareDialog({ onClose, ...target }: ShareDialogProps) {
  const { name = '', files = [] } = target
  const [file, ...others] = files
  const onlyFile = others.length === 0 ? file : undefined
  const { form, day, hasRecipients } = useShareForm(target)
  const { draft, change, errors } = form
  const shownName = shortenName(onlyFile?.file_name ?? name)
  return (
    <DialogFrame
      title={others.length > 0 ? t('Share {n} files', { n: files.length }) : t('Share “{name}”', { name: shownName })}
      description={t('Anyone with the link and its access code can open it. No account is required.')}
      confirmLabel={hasRecipients ? t('Create and send') : t('Create link')}
      {...form.dialog}
      onClose={onClose}
    >
      {files.length === 0 && <PurposeField linkType={draft.linkType} onChange={(linkType) => change({ linkType })} />}
      <RecipientFields form={form} hasRecipients={hasRecipients} />
      <ExpiryField day={day} onChange={(expiry) => change({ expiry })} error={errors['expiry']} />
      <MoreOptions form={form} hasRecipients={hasRecipients} file={onlyFile?.id} />
    </DialogFrame>
  )
}

/** The form creates the link when it is submitted, and then opens the dialog that shows it. */
function useShareForm({ company, directory, files = [] }: Omit<ShareDialogProps, 'onClose'>) {
  const open = useDialog()
  const share = useShare((shared) => open({ kind: 'shared', ...shared }))
  const { max_days } = useLinkLimits()
  const hasMailServer = useHasMailServer()
  // Addresses may have been entered before it was known that there is no mail server.
  const getRecipients = ({ recipients }: Pick<Draft, 'recipients'>) => (hasMailServer ? recipients : '')
  const form = useForm<Draft>({
    initial: {
      linkType: files.length > 0 ? 'LINK_FILE' : 'LINK_DIRECTORY',
      recipients: '',
      ...emptyEmail,
      expiry: undefined,
      version: undefined,
      tellDownload: false,
    },
    action: share,
    failureTitle: t('The link was not created.'),
    fieldByCode: { 'version.not_found': 'version' },
    validate: (draft): FieldErrors => ({ ...findRecipientsError(getRecipients(draft)), ...findExpiryError(day, max_days) }),
    submit: ({ linkType, version, tellDownload, ...draft }) =>
      share.run({
        place: { company, directory },
        link: { linkType, ...toTarget({ linkType, directory, files, version }), expiry: toEndOfDay(day) ?? '', tellDownload },
        recipients: readRecipients(getRecipients(draft)),
        email: toEmailOptions(draft),
      }),
  })
  const day = useExpiryDay(form.draft.expiry)
  return { form, day, hasRecipients: readRecipients(getRecipients(form.draft)).length > 0 }
}

type FormProps = Pick<ReturnType<typeof useShareForm>, 'form' | 'hasRecipients'>

/** The people who get the link by email, and what the email says. */
function RecipientFields({ form, hasRecipients }: FormProps) {
  const hasMailServer = useHasMailServer()
  if (!hasMailServer)
    return (
      <p className={c('hint')}>
        {t('No mail server is set up, so pass the link and its code on yourself.')} <MailServerLink isInDialog />
      </p>
    )
  return (
    <>
      <TextField
        label={t('Send it to')}
        type="text"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={t('name@example.com, …')}
        hint={t('Optional. Each person gets an email of their own. You can also pass the link on yourself.')}
        {...form.field('recipients')}
      />
      {hasRecipients && (
        <>
          <MessageField {...form.field('message')} />
          <IncludeCodeField {...form.checkbox('includeCode')} />
        </>
      )}
    </>
  )
}

/** Options that few people change. `file` is set if exactly one file is shared. */
function MoreOptions({ form, hasRecipients, file }: FormProps & { file: string | undefined }) {
  const { draft, change, errors } = form
  const summary = [
    file !== undefined && (draft.version === undefined ? t('Always the newest version') : t('This version')),
    hasRecipients && getEmailLanguageName(draft.language),
    draft.tellDownload ? t('Notify me about the first download') : t('No notification about the first download'),
  ]
  return (
    <Disclosure
      title={t('More options')}
      summary={summary.filter(Boolean).join(' · ')}
      forceOpen={errors['version'] !== undefined || errors['language'] !== undefined}
    >
      {file !== undefined && (
        <LinkVersionField
          file={file}
          version={draft.version}
          onChange={(version) => change({ version })}
          error={errors['version']}
        />
      )}
      {hasRecipients && <EmailLanguageField {...form.field('language')} />}
      <TellDownloadField {...form.checkbox('tellDownload')} />
    </Disclosure>
  )
}

interface PurposeFieldProps {
  linkType: LinkType
  onChange: (linkType: LinkType) => void
}

/** Chooses the type of a link to a directory by what the user wants to do. */
function PurposeField({ linkType, onChange }: PurposeFieldProps) {
  const hasMailServer = useHasMailServer()
  const describe = (type: LinkType) =>
    `${t('Link type “{type}”.', { type: getLinkTypeName({ type, files: null }) })} ${describeLinkType(type, hasMailServer)}`
  return (
    <ChoiceField
      label={t('What is the link for?')}
      name="linkType"
      choices={[
        { value: 'LINK_DIRECTORY', label: t('Send files'), hint: describe('LINK_DIRECTORY') },
        { value: 'LINK_EDITABLE_DIRECTORY', label: t('Send and collect files'), hint: describe('LINK_EDITABLE_DIRECTORY') },
      ]}
      value={linkType}
      onChange={onChange}
    />
  )
}

interface Target extends Pick<Draft, 'linkType' | 'version'>, Required<Pick<ShareDialogProps, 'directory' | 'files'>> {}

function toTarget({ linkType, directory, files, version }: Target) {
  if (linkType !== 'LINK_FILE') return { directory }
  const [file, ...others] = files
  return others.length > 0 ? { directory, files: files.map(({ id }) => id) } : { file: file?.id ?? '', version }
}
