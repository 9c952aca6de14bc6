import type { DirectoryRow } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { classNames } from '../../../components/class-names.ts'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { ChevronRightIcon, FolderIcon } from '../../../components/icons.tsx'
import { findByName } from '../../../components/table/selection.ts'
import { subfoldersQuery } from '../../../features/directory/directory-queries.ts'
import { t } from '../../../i18n/t.ts'
import { formatPath } from '../../../lib/format-path.ts'
import css from './folder-tree.module.css'

const c = classNames(css)

interface TreeProps {
  label: string
  folders: readonly DirectoryRow[]
  /** Shows a flat list with paths, for search results. */
  isFlat: boolean
  /** The folders that are open at first. */
  initiallyOpen: readonly string[]
  selected: string
  /** Returns why a folder can’t be chosen; undefined if it can. */
  getDisabledReason: (folder: DirectoryRow) => string | undefined
  onSelect: (folder: DirectoryRow) => void
}

/** A tree of folders to choose one from. Subfolders load when their folder is opened. The arrow keys work as in file managers. */
export function FolderTree({ label, folders, initiallyOpen, ...rest }: TreeProps) {
  const tree = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(initiallyOpen))
  const [current, setCurrent] = useState(rest.selected || (folders[0]?.id ?? ''))
  const typed = useRef({ text: '', atMs: 0 })
  const setExpanded = (id: string, isOpen: boolean) => {
    const next = new Set(open)
    if (isOpen) next.add(id)
    else next.delete(id)
    setOpen(next)
  }
  // After a search, the item in the tab order may be gone.
  const hasCurrent = folders.some(({ id }) => id === current) || open.size > 0
  useEffect(() => {
    if (!hasCurrent) setCurrent(folders[0]?.id ?? '')
  }, [hasCurrent, folders])

  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(tree.current?.querySelectorAll<HTMLElement>('[role=treeitem]') ?? [])]
    const item = (event.target as Element).closest<HTMLElement>('[role=treeitem]')
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return
    const index = items.indexOf(item)
    const next = findNextItem(event, items, index, typed.current)
    const isOpen = item.getAttribute('aria-expanded')
    const id = item.dataset['folder'] ?? ''
    if (next) next.focus()
    else if (event.key === 'ArrowRight' && isOpen === 'false') setExpanded(id, true)
    else if (event.key === 'ArrowLeft' && isOpen === 'true') setExpanded(id, false)
    else if (event.key === 'ArrowLeft')
      items
        .slice(0, index)
        .findLast((other) => getLevel(other) < getLevel(item))
        ?.focus()
    else if (event.key === ' ' || event.key === 'Enter') item.click()
    else return
    event.preventDefault()
  }
  return (
    <div ref={tree} role="tree" aria-label={label} className={c('tree')} onKeyDown={onKeyDown}>
      {folders.map((folder) => (
        <Node key={folder.id} {...rest} {...{ folder, open, current, setExpanded }} level={1} onFocus={setCurrent} />
      ))}
    </div>
  )
}

const getLevel = (item: HTMLElement) => Number(item.getAttribute('aria-level'))

/** Returns the item that a key moves the focus to, if any. */
function findNextItem(
  { key, timeStamp }: KeyboardEvent,
  items: HTMLElement[],
  index: number,
  typed: { text: string; atMs: number },
): HTMLElement | undefined {
  if (key === 'ArrowDown') return items[index + 1]
  if (key === 'ArrowUp') return items[index - 1]
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  if ([...key].length !== 1 || key === ' ') return undefined
  typed.text = (timeStamp - typed.atMs > 700 ? '' : typed.text) + key
  typed.atMs = timeStamp
  const names = items.map((item) => item.dataset['name'] ?? '')
  return items[findByName(names, index, typed.text) ?? -1]
}

interface NodeProps extends Omit<TreeProps, 'label' | 'folders' | 'initiallyOpen'> {
  folder: DirectoryRow
  level: number
  open: ReadonlySet<string>
  /** The folder in the tab order. */
  current: string
  setExpanded: (id: string, isOpen: boolean) => void
  onFocus: (id: string) => void
}

function Node({ folder, level, ...rest }: NodeProps) {
  const { isFlat, open, current, selected, getDisabledReason, setExpanded, onSelect, onFocus } = rest
  const { id, directory: name, path } = folder
  const isOpen = open.has(id) && !isFlat
  const { data: children, isError } = useQuery({ ...subfoldersQuery(id), enabled: isOpen })
  const reasonId = useId()
  const disabledReason = getDisabledReason(folder)
  const isLeaf = isFlat || children?.length === 0
  const choose = () => {
    if (disabledReason !== undefined) return
    onSelect(folder)
    if (!isLeaf) setExpanded(id, true)
  }
  // Items of all levels are siblings in the document, because the accessible name of an item must not contain the items below it.
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys */}
      <div
        role="treeitem"
        aria-level={level}
        aria-expanded={isLeaf ? undefined : isOpen}
        aria-selected={id === selected}
        aria-disabled={disabledReason !== undefined || undefined}
        aria-describedby={disabledReason === undefined ? undefined : reasonId}
        tabIndex={id === current ? 0 : -1}
        data-folder={id}
        data-name={name}
        className={c('row', id === selected && 'selected', disabledReason !== undefined && 'disabled')}
        style={{ paddingInlineStart: 8 + (level - 1) * 20 }}
        title={disabledReason}
        onFocus={() => onFocus(id)}
        onClick={choose}
      >
        {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the arrow keys do the same */}
        <span
          className={c('chevron', isOpen && 'open', isLeaf && 'leaf')}
          onClick={(event) => {
            event.stopPropagation()
            setExpanded(id, !isOpen)
          }}
        >
          <ChevronRightIcon size={16} />
        </span>
        <FolderIcon size={18} />
        <span className={c('name')}>{name}</span>{' '}
        {isFlat && path.length > 0 && <span className={c('path')}>{formatPath(path)}</span>}
        {disabledReason !== undefined && (
          <span id={reasonId} hidden>
            {disabledReason}
          </span>
        )}
      </div>
      {isOpen && !children && (isError ? <p className={c('note')}>{t('The folders did not load.')}</p> : <Loading />)}
      {isOpen && children?.map((child) => <Node key={child.id} {...rest} folder={child} level={level + 1} />)}
    </>
  )
}

const Loading = () => (
  <div className={c('note')}>
    <Skeleton width="40%" label={t('Loading')} />
  </div>
)
