import type { FileRow, LinkType } from '@neptune/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Checkbox } from '../components/checkbox.tsx'
import { classNames } from '../components/class-names.ts'
import { CopyField } from '../components/copy-field.tsx'
import { DialogFrame } from '../components/dialog-frame.tsx'
import { DateField, SelectField } from '../components/field.tsx'
import { useLinkChange } from '../features/link/link-change.ts'
import { createLink, directoryFilesQuery } from '../features/link/link-queries.ts'
import { typeEffects, typeOptions } from '../features/link/link-words.ts'
import { useShowReady } from '../features/link/ready-link.ts'
import { dayFromNow, endOfDay } from '../lib/days.ts'
import { paths } from '../paths.ts'
import { t } from '../words/t.ts'
import { emptyProblem, type Faults, problemOf, without } from './form-problem.ts'
import css from './link-dialogs.module.css'
import { LinkFileField } from './link-file-field.tsx'
import parts from './parts.module.css'
import { PlaceFields, usePlace } from './place-fields.tsx'
import { ReservationRenewed, useReserved } from './use-reserved.ts'

const c = classNames({ ...parts, ...css })

const failed = 'The link was not created.'
const renewed = 'The key and the access code expired after an hour. Check the new ones, then create the link.'

type PickedFile = Pick<FileRow, 'id' | 'file_name'>

interface CreateLinkDialogProps {
  company: string | undefined
  directory: string | undefined
  file: PickedFile | undefined
  onClose: () => void
}

interface Draft {
  company: string
  directory: string
  linkType: LinkType | ''
  file: PickedFile | undefined
  expiry: string
  tellDownload: boolean
}

export function CreateLinkDialog({ onClose, ...given }: CreateLinkDialogProps) {
  const [start] = useState(() => startWith(given))
  const [draft, setDraft] = useState(start)
  const [missing, setMissing] = useState<Faults>({})
  const { company, targets, target } = usePlace(draft)
  const directory = targets ? (target?.id ?? '') : draft.directory
  const isChosen = company !== '' && directory !== ''
  const only = useOnlyFile(directory, isChosen && draft.linkType === 'LINK_FILE')
  const file = draft.file ?? only
  const { reserved, create } = useNewLink({ company, directory }, onClose)

  const change = (changes: Partial<Draft>) => {
    setDraft({ ...draft, ...changes })
    setMissing(without(missing, Object.keys(changes)))
  }
  const confirm = () => {
    const { linkType, tellDownload } = draft
    const empty = findEmpty({ ...draft, company, directory, file })
    const expiry = endOfDay(draft.expiry)
    setMissing(empty)
    create.reset()
    if (Object.keys(empty).length === 0 && linkType && expiry) create.run({ linkType, directory, file, expiry, tellDownload })
  }

  const { fields, error } = create.error
    ? problemOf(create.error, t(failed), { 'directory.not_found': 'directory', 'file.not_found': 'file' })
    : emptyProblem(t(failed), missing)
  const hasProblem = create.error || Object.keys(missing).length > 0
  return (
    <DialogFrame
      title={t('Create Shareable Link')}
      description={t('Anyone with the link and its access code can open it. No account is required.')}
      confirmLabel={t('Create Link')}
      action={create}
      dirty={JSON.stringify(draft) !== JSON.stringify(start)}
      error={create.error instanceof ReservationRenewed ? t(renewed) : hasProblem ? error : undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <PlaceFields
        company={company}
        directory={directory}
        onChange={(changes) => change({ ...changes, file: undefined })}
        faults={fields}
      />
      <TypeFields draft={{ ...draft, file }} directory={isChosen ? directory : ''} onChange={change} faults={fields} />
      <TermFields draft={draft} onChange={change} faults={fields} />
      <ReservedFields reserved={reserved} isChosen={isChosen} faults={fields} onRetry={create.reset} />
    </DialogFrame>
  )
}

/** Where there is but one, there is nothing to choose. */
function useOnlyFile(directory: string, isWanted: boolean): PickedFile | undefined {
  const { data, isPlaceholderData } = useInfiniteQuery({ ...directoryFilesQuery(directory, ''), enabled: isWanted })
  const first = data?.pages[0]
  return first?.data.length === 1 && !isPlaceholderData ? first.data[0] : undefined
}

interface FieldsProps {
  draft: Draft
  onChange: (changes: Partial<Draft>) => void
  faults: Faults
}

/** What the link opens: a directory, once one is chosen, or a file of it. */
function TypeFields({ draft: { linkType, file }, directory, onChange, faults }: FieldsProps & { directory: string }) {
  return (
    <>
      <SelectField
        label={t('Link type')}
        name="linkType"
        required
        placeholder={directory ? t('Choose a link type') : t('Choose a company and a directory first')}
        options={typeOptions()}
        value={linkType}
        disabled={!directory}
        onChange={({ target }) => onChange({ linkType: target.value as LinkType })}
        hint={linkType && t(typeEffects[linkType])}
        error={faults['linkType']}
      />
      {linkType === 'LINK_FILE' && directory && (
        <LinkFileField
          key={directory} // what was searched for, and found, in another one is forgotten
          directory={directory}
          file={file}
          onChange={(file) => onChange({ file })}
          error={faults['file']}
        />
      )}
    </>
  )
}

/** How long it stays open, and what its maker hears of it. */
const TermFields = ({ draft: { expiry, tellDownload }, onChange, faults }: FieldsProps) => (
  <>
    <DateField
      label={t('Expiry')}
      name="expiry"
      required
      min={dayFromNow(0)}
      value={expiry}
      onChange={({ target }) => onChange({ expiry: target.value })}
      hint={t('The link expires at the end of this day, in your time zone.')}
      error={faults['expiry']}
    />
    <Checkbox
      label={t('Notify me about the first download')}
      name="tellDownload"
      checked={tellDownload}
      onChange={({ target }) => onChange({ tellDownload: target.checked })}
    />
  </>
)

interface ReservedFieldsProps {
  reserved: ReturnType<typeof useReserved>
  isChosen: boolean
  faults: Faults
  onRetry: () => void
}

const ReservedFields = ({ reserved, isChosen, faults, onRetry }: ReservedFieldsProps) => (
  <div className={c('pair')}>
    <CopyField
      label={t('Key')}
      name="key"
      value={reserved.key}
      placeholder={isChosen ? t('Generating') : t('Choose a directory first')}
      error={reserved.error ?? faults['key']}
      hint={
        reserved.error && (
          <TryAgain
            onPress={() => {
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
      placeholder={isChosen ? t('Generating') : ''}
      hint={reserved.accessCode && t('Takes effect when you press Create Link.')}
      error={faults['accessCode']}
    />
  </div>
)

const TryAgain = ({ onPress }: { onPress: () => void }) => (
  <button type="button" className={c('link')} onClick={onPress}>
    {t('Try again')}
  </button>
)

/** Reserves a key and a code for a directory, and creates the link with them. */
function useNewLink(place: { company: string; directory: string }, onClose: () => void) {
  const reserved = useReserved(place)
  const finish = useFinish(onClose)
  const create = useLinkChange(
    ({ linkType, directory, file, expiry, tellDownload }: Omit<Draft, 'company' | 'linkType'> & { linkType: LinkType }) =>
      reserved.use(async (taken) => {
        const target = linkType === 'LINK_FILE' && file ? { file: file.id } : { directory }
        const link = await createLink({ linkType, ...target, ...taken, expiry, tellDownload })
        return { link, accessCode: taken.accessCode, isReset: false }
      }),
    { onSuccess: finish },
  )
  return { reserved, create }
}

/** The panel on the links' page says the rest. */
function useFinish(onClose: () => void) {
  const showReady = useShowReady()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return (ready: Parameters<typeof showReady>[0]) => {
    showReady(ready)
    onClose()
    if (pathname !== paths.links) void navigate(paths.links)
  }
}

const startWith = ({ company = '', directory = '', file }: Partial<Omit<CreateLinkDialogProps, 'onClose'>>): Draft => ({
  company,
  directory,
  linkType: file ? 'LINK_FILE' : '',
  file,
  expiry: dayFromNow(30),
  tellDownload: false,
})

/** Only what can be mended now: what is still disabled comes next. */
const findEmpty = ({ company, directory, linkType, file, expiry }: Draft): Faults => ({
  ...(!company && { company: t('Choose a company.') }),
  ...(company !== '' && directory === '' && { directory: t('Choose a directory.') }),
  ...(directory !== '' && !linkType && { linkType: t('Choose a link type.') }),
  ...(directory !== '' && linkType === 'LINK_FILE' && !file && { file: t('Choose a file.') }),
  ...(!endOfDay(expiry)
    ? { expiry: t('Choose a day.') }
    : expiry < dayFromNow(0) && { expiry: t('Choose today or a later day.') }),
})
