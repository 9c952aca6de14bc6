import type { DirectoryRow, FileRow, LinkType } from '@neptune/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { FieldErrors } from '../../../api/form-errors.ts'
import { useForm } from '../../../api/use-form.ts'
import { classNames } from '../../../components/class-names.ts'
import { CopyField } from '../../../components/form/copy-field.tsx'
import { SelectField } from '../../../components/form/field.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { useLinkLimits } from '../../../features/link/link-limits.ts'
import { createLink, directoryFilesQuery } from '../../../features/link/link-queries.ts'
import { describeLinkType, getLinkTypeOptions } from '../../../features/link/link-texts.ts'
import { useShowReadyLink } from '../../../features/link/ready-link.ts'
import { useLinkChange } from '../../../features/link/use-link-change.ts'
import { useHasMailServer } from '../../../features/mail/mail-queries.ts'
import { t } from '../../../i18n/t.ts'
import { toEndOfDay } from '../../../lib/time/days.ts'
import { useDialog } from '../../shared/dialogs/dialog.ts'
import parts from '../../shared/dialogs/dialog-parts.module.css'
import { DirectoryFields, NoDirectories, useSelectedDirectory } from '../../shared/dialogs/directory-fields.tsx'
import css from '../link-dialogs.module.css'
import { ExpiryField, findExpiryError, useExpiryDay } from './expiry-field.tsx'
import { LinkFileField } from './link-file-field.tsx'
import { LinkVersionField } from './link-version-field.tsx'
import { TellDownloadField } from './tell-download-field.tsx'
import { ReservationRenewedError, useReservation } from './use-reservation.ts'

const c = classNames({ ...parts, ...css })

const renewedMessage = 'The previous key and access code can no longer be used. Check the new ones, then create the link.'

type ChosenFile = Pick<FileRow, 'id' | 'file_name'>

interface CreateLinkDialogProps {
  company?: string
  directory?: string
  onClose: () => void
}

interface Draft {
  company: string
  directory: string
  linkType: LinkType | ''
  file: ChosenFile | undefined
  /** The version to pin the link to; undefined for the newest one. */
  version: string | undefined
  /** Undefined until the user chooses a day. */
  expiry: string | undefined
  tellDownload: boolean
}

/** Creates a link to anything that the user may share. If the page already determines what to share, `ShareDialog` asks for less. */
export function CreateLinkDialog({
  company: presetCompany = '',
  directory: presetDirectory = '',
  onClose,
}: CreateLinkDialogProps) {
  const create = useCreateLink((send) => reserved.submit(send), onClose)
  const form = useForm<Draft>({
    initial: {
      company: presetCompany,
      directory: presetDirectory,
      linkType: presetDirectory ? 'LINK_DIRECTORY' : '',
      file: undefined,
      version: undefined,
      expiry: undefined,
      tellDownload: false,
    },
    action: create,
    failureTitle: t('The link was not created.'),
    fieldByCode: { 'directory.not_found': 'directory', 'file.not_found': 'file', 'version.not_found': 'version' },
    validate: (draft): FieldErrors => findErrors({ ...draft, company, directory, file, expiry: day }, max_days),
    submit({ linkType, version, tellDownload }) {
      const expiry = toEndOfDay(day)
      if (linkType && expiry) create.run({ linkType, directory, file, version, expiry, tellDownload })
    },
  })
  const { draft, change, errors } = form
  const { max_days } = useLinkLimits()
  const day = useExpiryDay(draft.expiry)
  const { company, directories, directory } = useSelectedDirectory(draft)
  const hasDirectory = company !== '' && directory !== ''
  const onlyFile = useOnlyFile(directory, hasDirectory && draft.linkType === 'LINK_FILE')
  const file = draft.file ?? onlyFile
  const reserved = useReservation({ company, directory })
  const open = useDialog()
  const reopen = ({ id }: DirectoryRow) => open({ kind: 'create-link', company, directory: id })

  return (
    <DialogFrame
      title={t('Create Shareable Link')}
      description={t('Anyone with the link and its access code can open it. No account is required.')}
      confirmLabel={t('Create Link')}
      {...form.dialog}
      error={create.error instanceof ReservationRenewedError ? t(renewedMessage) : form.dialog.error}
      onClose={onClose}
    >
      <DirectoryFields
        company={company}
        directory={directory}
        onChange={(changes) => change({ ...changes, file: undefined, version: undefined })}
        errors={errors}
        hint={directories?.length === 0 && <NoDirectories company={company} onCreated={reopen} />}
      />
      <TypeFields draft={{ ...draft, file }} directory={hasDirectory ? directory : ''} onChange={change} errors={errors} />
      <ExpiryField day={day} onChange={(expiry) => change({ expiry })} error={errors['expiry']} />
      <TellDownloadField {...form.checkbox('tellDownload')} />
      <ReservedFields reserved={reserved} hasDirectory={hasDirectory} errors={errors} onRetry={create.reset} />
    </DialogFrame>
  )
}

/** Returns the directory's file if it has exactly one, so that the user does not have to choose it. */
function useOnlyFile(directory: string, isEnabled: boolean): ChosenFile | undefined {
  const { data, isPlaceholderData } = useInfiniteQuery({ ...directoryFilesQuery(directory, ''), enabled: isEnabled })
  const first = data?.pages[0]
  return first?.data.length === 1 && !isPlaceholderData ? first.data[0] : undefined
}

interface FieldsProps {
  draft: Draft
  onChange: (changes: Partial<Draft>) => void
  errors: FieldErrors
}

/** Shows the link type, which is disabled until a directory is chosen, and the file select for file links. */
function TypeFields({ draft: { linkType, file, version }, directory, onChange, errors }: FieldsProps & { directory: string }) {
  const hasMailServer = useHasMailServer()
  return (
    <>
      <SelectField
        label={t('Link type')}
        name="linkType"
        required
        placeholder={directory ? t('Choose a link type') : t('Choose a company and a directory first')}
        options={getLinkTypeOptions()}
        value={linkType}
        disabled={!directory}
        onChange={({ target }) => onChange({ linkType: target.value as LinkType })}
        hint={linkType && describeLinkType(linkType, hasMailServer)}
        error={errors['linkType']}
      />
      {linkType === 'LINK_FILE' && directory && (
        <LinkFileField
          key={directory} // resets the search when the directory changes
          directory={directory}
          file={file}
          onChange={(file) => onChange({ file, version: undefined })}
          error={errors['file']}
        />
      )}
      {linkType === 'LINK_FILE' && file && (
        <LinkVersionField
          file={file.id}
          version={version}
          onChange={(version) => onChange({ version })}
          error={errors['version']}
        />
      )}
    </>
  )
}

interface ReservedFieldsProps {
  reserved: ReturnType<typeof useReservation>
  hasDirectory: boolean
  errors: FieldErrors
  onRetry: () => void
}

const ReservedFields = ({ reserved, hasDirectory, errors, onRetry }: ReservedFieldsProps) => (
  <div className={c('pair')}>
    <CopyField
      label={t('Key')}
      name="key"
      value={reserved.key}
      placeholder={hasDirectory ? t('Generating') : t('Choose a directory first')}
      error={reserved.error ?? errors['key']}
      hint={
        reserved.error && (
          <RetryButton
            onClick={() => {
              onRetry()
              reserved.retry()
            }}
          />
        )
      }
    />
    <CopyField
      label={t('Access code')}
      name="accessCode"
      value={reserved.accessCode}
      placeholder={hasDirectory ? t('Generating') : ''}
      hint={reserved.accessCode && t('Takes effect when you press Create Link.')}
      error={errors['accessCode']}
    />
  </div>
)

const RetryButton = ({ onClick }: { onClick: () => void }) => (
  <button type="button" className={c('link')} onClick={onClick}>
    {t('Try again')}
  </button>
)

type NewLink = Omit<Draft, 'company' | 'linkType' | 'expiry'> & { linkType: LinkType; expiry: string }

/** Creates a link with the reserved key and access code. */
function useCreateLink(submitReserved: ReturnType<typeof useReservation>['submit'], onClose: () => void) {
  const showCreatedLink = useShowCreatedLink(onClose)
  return useLinkChange(
    ({ linkType, directory, file, version, expiry, tellDownload }: NewLink) =>
      submitReserved(async (reservation) => {
        const link = await createLink({
          linkType,
          ...(linkType === 'LINK_FILE' ? { file: file?.id ?? '', version } : { directory }),
          ...reservation,
          expiry,
          tellDownload,
        })
        return { link, accessCode: reservation.accessCode, isReset: false }
      }),
    { onSuccess: showCreatedLink },
  )
}

/** Closes the dialog and shows the new link. */
function useShowCreatedLink(onClose: () => void) {
  const showReady = useShowReadyLink()
  return (ready: Parameters<typeof showReady>[0]) => {
    showReady(ready)
    onClose()
  }
}

/** Reports missing and invalid values, except in fields that are still disabled. */
const findErrors = (
  { company, directory, linkType, file, expiry }: Draft & { expiry: string },
  maxDays: number | null,
): FieldErrors => ({
  ...(!company && { company: t('Choose a company.') }),
  ...(company !== '' && directory === '' && { directory: t('Choose a directory.') }),
  ...(directory !== '' && !linkType && { linkType: t('Choose a link type.') }),
  ...(directory !== '' && linkType === 'LINK_FILE' && !file && { file: t('Choose a file.') }),
  ...findExpiryError(expiry, maxDays),
})
