import type { FileRow, LinkType } from '@neptune/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Checkbox } from '../components/checkbox.tsx'
import { classNames } from '../components/class-names.ts'
import { CopyField } from '../components/copy-field.tsx'
import { DialogFrame } from '../components/dialog-frame.tsx'
import { DateField, SelectField } from '../components/field.tsx'
import { directoryFilesQuery, useCreateLink } from '../features/link/link-queries.ts'
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
import { isNotReserved, useReserved } from './use-reserved.ts'

const c = classNames({ ...parts, ...css })

const failed = 'The link was not created.'
const renewed = 'The key and the access code were over an hour old. Here are new ones: check them, then create the link.'

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
  const { reserved, create, make, isRenewed } = useNewLink({ company, directory }, onClose)

  const change = (changes: Partial<Draft>) => {
    setDraft({ ...draft, ...changes })
    setMissing(without(missing, Object.keys(changes)))
  }
  const confirm = () => {
    const whole = { ...draft, company, directory, file }
    const empty = findEmpty(whole)
    setMissing(empty)
    create.reset()
    if (Object.keys(empty).length === 0) void make(whole)
  }

  const { fields, error } = create.isError
    ? problemOf(create.error, t(failed), { 'directory.not_found': 'directory', 'file.not_found': 'file' })
    : emptyProblem(t(failed), missing)
  const hasProblem = create.isError || Object.keys(missing).length > 0
  return (
    <DialogFrame
      title={t('Create Shareable Link')}
      description={t('Whoever has the link and its access code can open it, without an account.')}
      confirmLabel={t('Create Link')}
      busy={create.isPending || (isRenewed && reserved.isFetching)}
      dirty={JSON.stringify(draft) !== JSON.stringify(start)}
      error={isRenewed ? t(renewed) : hasProblem ? error : undefined}
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
      <ReservedFields reserved={reserved} isChosen={isChosen} faults={fields} />
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
      hint={t('The link closes at the end of this day, where you are.')}
      error={faults['expiry']}
    />
    <Checkbox
      label={t('Tell me of the first download')}
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
}

const ReservedFields = ({ reserved, isChosen, faults }: ReservedFieldsProps) => (
  <div className={c('pair')}>
    <CopyField
      label={t('Key')}
      name="key"
      value={reserved.key}
      placeholder={isChosen ? t('On its way') : t('Comes with a directory')}
      error={reserved.error ?? faults['key']}
      hint={reserved.error && <TryAgain onPress={reserved.again} />}
    />
    <CopyField
      label={t('Access code')}
      name="accessCode"
      value={reserved.accessCode}
      placeholder={isChosen ? t('On its way') : ''}
      hint={reserved.accessCode && t('In force once you press Create Link.')}
      error={faults['accessCode']}
    />
  </div>
)

const TryAgain = ({ onPress }: { onPress: () => void }) => (
  <button type="button" className={c('link')} onClick={onPress}>
    {t('Try again')}
  </button>
)

/** Reserves a key and a code for a place, and makes the link with them. */
function useNewLink(place: { company: string; directory: string }, onClose: () => void) {
  const reserved = useReserved(place)
  const create = useCreateLink()
  const finish = useFinish(onClose)
  const make = async (draft: Draft) => {
    const { linkType, directory, file, tellDownload } = draft
    const expiry = endOfDay(draft.expiry)
    if (!expiry || !linkType) return
    const taken = await reserved.take()
    if (!taken) return
    const target = linkType === 'LINK_FILE' && file ? { file: file.id } : { directory }
    create.mutate(
      { linkType, ...target, ...taken, expiry, tellDownload },
      { onSuccess: (link) => finish({ link, accessCode: taken.accessCode, isReset: false }), onError: reserved.renewAfter },
    )
  }
  const isRenewed = reserved.isRenewed && (!create.isError || isNotReserved(create.error))
  return { reserved, create, make, isRenewed }
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
