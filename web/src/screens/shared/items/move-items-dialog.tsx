import type { DirectoryRow } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { useHasSeveralCompanies } from '../../../api/session.ts'
import { useForm } from '../../../api/use-form.ts'
import { classNames } from '../../../components/class-names.ts'
import { Button } from '../../../components/form/button.tsx'
import { FolderPlusIcon } from '../../../components/icons.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { SearchField } from '../../../components/table/filter-bar.tsx'
import { companyDirectoriesQuery, folderSearchQuery } from '../../../features/directory/directory-queries.ts'
import { AffectedLinks } from '../../../features/link/affected-links.tsx'
import { t } from '../../../i18n/t.ts'
import { shortenName } from '../../../lib/shorten-name.ts'
import { CompanyField } from '../dialogs/company-field.tsx'
import { CreateFolderDialog } from './create-folder-dialog.tsx'
import { FolderTree } from './folder-tree.tsx'
import { countItems, getItemsCompany, getItemsParent, getOnlyName, type Items } from './item.ts'
import css from './move-items-dialog.module.css'
import { useMoveItems } from './use-move-items.ts'
import { toAffectedTarget } from './use-remove-items.ts'

const c = classNames(css)

interface Props {
  items: Items
  mode: 'move' | 'copy'
  onClose: () => void
}

/** Chooses where to move or copy files and folders. Moving to another company names the links that stop working. */
export function MoveItemsDialog({ items, mode, onClose }: Props) {
  const ownCompany = getItemsCompany(items)
  const hasSeveralCompanies = useHasSeveralCompanies()
  const [isCreating, setCreating] = useState(false)
  const move = useMoveItems(() => {}) // the dialog shows the error
  const form = useForm({
    initial: { company: ownCompany, to: '', name: '' },
    action: move,
    failureTitle: mode === 'move' ? t('Nothing was moved.') : t('Nothing was copied.'),
    fieldByCode: { 'move.into_itself': 'to' },
    validate: ({ to }) => (to ? {} : { to: t('Choose a folder.') }),
    submit: ({ to, name }) => move.run({ items, mode, to: { id: to, name } }, { onSuccess: onClose }),
  })
  const { company, to, name } = form.draft
  const confirmLabel = mode === 'move' ? t('Move') : t('Copy')
  return (
    <>
      <DialogFrame title={getTitle(items, mode)} confirmLabel={confirmLabel} {...form.dialog} dirty={false} onClose={onClose}>
        {hasSeveralCompanies && (
          <CompanyField name="company" value={company} onChoose={(company) => form.change({ company, to: '', name: '' })} />
        )}
        <FolderPicker
          key={company}
          {...{ items, mode, company }}
          selected={to}
          error={form.errors['to']}
          onSelect={({ id, directory }) => form.change({ to: id, name: directory })}
        />
        <div className={c('foot')}>
          <Button
            icon={<FolderPlusIcon />}
            disabledReason={to ? undefined : t('Choose where to create the new folder.')}
            onClick={() => setCreating(true)}
          >
            {t('New folder')}
          </Button>
          {name && <span className={c('target')}>{t('In {directory}', { directory: shortenName(name) })}</span>}
        </div>
        {mode === 'move' && company !== ownCompany && to && <AffectedLinks target={{ ...toAffectedTarget(items), to }} />}
      </DialogFrame>
      {isCreating && (
        <CreateFolderDialog
          parent={{ id: to, directory: name }}
          onCreated={(created) => form.change({ to: created.id, name: created.name })}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  )
}

function getTitle(items: Items, mode: Props['mode']): string {
  const name = getOnlyName(items)
  if (name === undefined) {
    const n = countItems(items)
    return mode === 'move' ? t('Move {n} items to…', { n }) : t('Copy {n} items to…', { n })
  }
  const short = { name: shortenName(name) }
  return mode === 'move' ? t('Move “{name}” to…', short) : t('Copy “{name}” to…', short)
}

interface PickerProps {
  items: Items
  mode: Props['mode']
  company: string
  selected: string
  error: string | undefined
  onSelect: (folder: DirectoryRow) => void
}

/** The folders of a company as a tree, or those that match a search. */
function FolderPicker({ items, mode, company, selected, error, onSelect }: PickerProps) {
  const [search, setSearch] = useState('')
  const top = useQuery(companyDirectoriesQuery(company))
  const found = useQuery(folderSearchQuery(company, search))
  const folders = search ? found.data : top.data
  const movedIds = new Set(items.folders.map(({ id }) => id))
  const parent = getItemsParent(items)
  const getDisabledReason = ({ id, path }: DirectoryRow) => {
    if (mode === 'move' && id === parent) return t('It’s already here.')
    const isInside = movedIds.has(id) || path.some((ancestor) => movedIds.has(ancestor.id))
    return isInside ? t('A folder can’t be placed inside itself.') : undefined
  }
  // In the search field, Enter chooses the only folder that was found, and the arrow key goes to the folders.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target instanceof HTMLInputElement)) return
    const [only, ...others] = search ? (found.data ?? []) : []
    if (event.key === 'ArrowDown') event.currentTarget.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]')?.focus()
    else if (event.key === 'Enter' && only && others.length === 0 && only.id !== selected && !getDisabledReason(only))
      onSelect(only)
    else return
    event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the search field inside.
    <div className={c('picker')} onKeyDown={onKeyDown}>
      <SearchField label={t('Search folders')} maxLength={100} value={search} onSearch={setSearch} />
      {folders && folders.length > 0 ? (
        <FolderTree
          key={search}
          label={t('Folders')}
          folders={folders}
          isFlat={search !== ''}
          initiallyOpen={getOpenFolders(items)}
          {...{ selected, getDisabledReason, onSelect }}
        />
      ) : (
        <p className={c('empty')} role="status">
          {folders ? (search ? t('No folder matches “{search}”.', { search }) : t('No directories')) : t('Loading directories')}
        </p>
      )}
      {error && (
        <p className={c('error')} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

/** Returns the ids of the folders to open at first, down to where the items are. */
function getOpenFolders({ files, folders }: Items): string[] {
  const [file] = files
  if (file) return [...file.path.map(({ id }) => id), file.directory_id]
  return folders[0]?.path.map(({ id }) => id) ?? []
}
