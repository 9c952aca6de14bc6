import type { FileRow, LinkType } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Checkbox } from '../components/checkbox.tsx'
import { classNames } from '../components/class-names.ts'
import { CopyField } from '../components/copy-field.tsx'
import { DialogFrame } from '../components/dialog-frame.tsx'
import { DateField, SelectField } from '../components/field.tsx'
import { companyOptions } from '../features/company/company-options.ts'
import { companiesQuery } from '../features/company/company-queries.ts'
import { useCreateLink } from '../features/link/link-queries.ts'
import { typeEffects, typeOptions } from '../features/link/link-words.ts'
import { useShowReady } from '../features/link/ready-link.ts'
import { targetsQuery } from '../features/upload/upload-queries.ts'
import { dayFromNow, endOfDay } from '../lib/days.ts'
import { paths } from '../paths.ts'
import { t } from '../words/t.ts'
import { emptyProblem, problemOf } from './form-problem.ts'
import css from './link-dialogs.module.css'
import { LinkFileField } from './link-file-field.tsx'
import { isNotReserved, useReserved } from './use-reserved.ts'

const c = classNames(css)

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
  const [missing, setMissing] = useState<Record<string, string>>({})
  const companies = useQuery(companiesQuery())
  // Users see one company only, their own.
  const company = draft.company || (companies.data?.length === 1 ? (companies.data[0]?.id ?? '') : '')
  const targets = useQuery(targetsQuery(company))
  const directory = targets.data?.every(({ id }) => id !== draft.directory) ? '' : draft.directory
  const reserved = useReserved({ company, directory })
  const create = useCreateLink()
  const finish = useFinish(onClose)

  const change = (changes: Partial<Draft>) => {
    setDraft({ ...draft, ...changes })
    setMissing(Object.fromEntries(Object.entries(missing).filter(([field]) => !(field in changes))))
  }
  const confirm = async () => {
    const { linkType, file, tellDownload } = draft
    const expiry = endOfDay(draft.expiry)
    const empty = findEmpty({ ...draft, company, directory })
    setMissing(empty)
    create.reset()
    if (Object.keys(empty).length > 0 || !expiry || !linkType) return
    const taken = await reserved.take()
    if (!taken) return
    const target = linkType === 'LINK_FILE' && file ? { file: file.id } : { directory }
    create.mutate(
      { linkType, ...target, ...taken, expiry, tellDownload },
      { onSuccess: (link) => finish({ link, accessCode: taken.accessCode, isReset: false }), onError: reserved.renewAfter },
    )
  }

  const isRenewed = reserved.isRenewed && (!create.isError || isNotReserved(create.error))
  const problem = create.isError
    ? problemOf(create.error, t(failed), { 'directory.not_found': 'directory', 'file.not_found': 'file' })
    : emptyProblem(t(failed), missing)
  const hasProblem = create.isError || Object.keys(missing).length > 0
  const isChosen = company !== '' && directory !== ''
  return (
    <DialogFrame
      title={t('Create Shareable Link')}
      description={t('Whoever has the link and its access code can open it, without an account.')}
      confirmLabel={t('Create Link')}
      busy={create.isPending || (isRenewed && reserved.isFetching)}
      dirty={JSON.stringify(draft) !== JSON.stringify(start)}
      error={isRenewed ? t(renewed) : hasProblem ? problem.error : undefined}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <SelectField
        label={t('Company')}
        name="company"
        required
        placeholder={companies.isPending ? t('Loading companies') : t('Choose a company')}
        options={companyOptions(companies.data)}
        value={company}
        onChange={({ target }) => change({ company: target.value, directory: '', file: undefined })}
        error={problem.fields['company'] ?? (companies.isError && !companies.data ? companies.error.message : undefined)}
      />
      <SelectField
        label={t('Directory')}
        name="directory"
        required
        placeholder={placeholderFor(company, targets)}
        options={(targets.data ?? []).map(({ id, directory }) => ({ value: id, label: directory }))}
        value={directory}
        disabled={company === ''}
        onChange={({ target }) => change({ directory: target.value, file: undefined })}
        error={problem.fields['directory'] ?? (targets.isError && !targets.data ? targets.error.message : undefined)}
      />
      <SelectField
        label={t('Link type')}
        name="linkType"
        required
        placeholder={isChosen ? t('Choose a link type') : t('Choose a company and a directory first')}
        options={typeOptions()}
        value={draft.linkType}
        disabled={!isChosen}
        onChange={({ target }) => change({ linkType: target.value as LinkType })}
        hint={draft.linkType && t(typeEffects[draft.linkType])}
        error={problem.fields['linkType']}
      />
      {draft.linkType === 'LINK_FILE' && isChosen && (
        <LinkFileField
          key={directory} // what was searched for, and found, in another one is forgotten
          directory={directory}
          file={draft.file}
          onChange={(file) => change({ file })}
          error={problem.fields['file']}
        />
      )}
      <DateField
        label={t('Expiry')}
        name="expiry"
        required
        min={dayFromNow(0)}
        value={draft.expiry}
        onChange={({ target }) => change({ expiry: target.value })}
        hint={t('The link closes at the end of this day, where you are.')}
        error={problem.fields['expiry']}
      />
      <Checkbox
        label={t('Tell me of the first download')}
        name="tellDownload"
        checked={draft.tellDownload}
        onChange={({ target }) => change({ tellDownload: target.checked })}
      />
      <div className={c('pair')}>
        <CopyField
          label={t('Key')}
          name="key"
          value={reserved.key}
          placeholder={isChosen ? t('On its way') : t('Comes with a directory')}
          error={reserved.error ?? problem.fields['key']}
          hint={reserved.error && <TryAgain onPress={reserved.again} />}
        />
        <CopyField
          label={t('Access code')}
          name="accessCode"
          value={reserved.accessCode}
          placeholder={isChosen ? t('On its way') : ''}
          error={problem.fields['accessCode']}
        />
      </div>
    </DialogFrame>
  )
}

const TryAgain = ({ onPress }: { onPress: () => void }) => (
  <button type="button" className={c('link')} onClick={onPress}>
    {t('Try again')}
  </button>
)

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

function placeholderFor(company: string, { data, isError }: { data?: readonly unknown[] | undefined; isError: boolean }) {
  if (!company) return t('Choose a company first')
  if (data?.length === 0) return t('No directories')
  return data || isError ? t('Choose a directory') : t('Loading directories')
}

/** Only what can be mended now: what is still disabled comes next. */
const findEmpty = ({ company, directory, linkType, file, expiry }: Draft): Record<string, string> => ({
  ...(!company && { company: t('Choose a company.') }),
  ...(company !== '' && directory === '' && { directory: t('Choose a directory.') }),
  ...(directory !== '' && !linkType && { linkType: t('Choose a link type.') }),
  ...(directory !== '' && linkType === 'LINK_FILE' && !file && { file: t('Choose a file.') }),
  ...(!endOfDay(expiry)
    ? { expiry: t('Choose a day.') }
    : expiry < dayFromNow(0) && { expiry: t('Choose today or a later day.') }),
})
