import { type DragEvent as ReactDragEvent, useEffect, useRef } from 'react'
import { useLatest } from '../../../components/use-latest.ts'
import { t } from '../../../i18n/t.ts'
import { isMac } from '../../../lib/keyboard/shortcuts.ts'
import { type Item, type Items, toItems } from './item.ts'

interface Options {
  items: readonly Item[]
  selected: ReadonlySet<string>
  /** Selects the item that is dragged, if it isn’t selected. */
  onSelect: (next: ReadonlySet<string>) => void
  onDrop: (items: Items, to: { id: string; name: string }, mode: 'move' | 'copy') => void
}

/** The type of the data in a drag of items. Nothing reads the data, but some browsers start no drag without it. */
const dragType = 'application/x-neptune-items'

/**
 * Lets people drag items onto folders in the list, and onto breadcrumbs, which have `data-drop-target` (the directory’s id) and
 * `data-drop-name`. With Control, or Option on a Mac, the items are copied. Spread the result on an element around the draggable rows.
 */
export function useItemDrag(options: Options) {
  const latest = useLatest(options)
  const dragged = useRef<Items>(undefined)

  useEffect(() => {
    const listeners = new AbortController()
    let marked: HTMLElement | undefined
    const mark = (element: HTMLElement | undefined) => {
      if (marked === element) return
      marked?.removeAttribute('data-drop')
      element?.setAttribute('data-drop', 'over')
      marked = element
    }
    const end = () => {
      mark(undefined)
      dragged.current = undefined
    }
    const onDrag = (event: DragEvent) => {
      if (!dragged.current || !event.dataTransfer) return
      const target = findTarget(event.target, latest.current.items, dragged.current)
      mark(target?.element)
      if (!target) return
      event.preventDefault()
      event.dataTransfer.dropEffect = getMode(event)
    }
    const onDrop = (event: DragEvent) => {
      const items = dragged.current
      const target = items && findTarget(event.target, latest.current.items, items)
      end()
      if (!items || !target) return
      event.preventDefault()
      latest.current.onDrop(items, target, getMode(event))
    }
    const { signal } = listeners
    document.addEventListener('dragover', onDrag, { signal })
    document.addEventListener('drop', onDrop, { signal })
    document.addEventListener('dragend', end, { signal })
    return () => listeners.abort()
  }, [latest])

  return {
    onDragStart: (event: ReactDragEvent) => {
      const row = (event.target as Element).closest<HTMLElement>('[data-row]')
      const { items, selected, onSelect } = latest.current
      const item = items.find(({ id }) => id === row?.dataset['row'])
      if (!row || !item) return
      const chosen = selected.has(item.id) ? items.filter(({ id }) => selected.has(id)) : [item]
      if (!selected.has(item.id) && selected.size > 0) onSelect(new Set())
      dragged.current = toItems(chosen)
      event.dataTransfer.setData(dragType, '')
      event.dataTransfer.effectAllowed = 'copyMove'
      showCount(event, chosen.length, item.name)
    },
  }
}

const getMode = (event: DragEvent) => ((isMac ? event.altKey : event.ctrlKey) ? 'copy' : 'move')

/** Returns the folder under the pointer, unless it is being dragged itself. */
function findTarget(target: EventTarget | null, items: readonly Item[], dragged: Items) {
  if (!(target instanceof Element)) return undefined
  const crumb = target.closest<HTMLElement>('[data-drop-target]')
  if (crumb) return { element: crumb, id: crumb.dataset['dropTarget'] ?? '', name: crumb.dataset['dropName'] ?? '' }
  const element = target.closest<HTMLElement>('[data-row]')
  const item = items.find(({ id }) => id === element?.dataset['row'])
  if (!element || item?.kind !== 'folder' || dragged.folders.some(({ id }) => id === item.id)) return undefined
  return { element, id: item.id, name: item.name }
}

/** Shows the name or the number of the items next to the pointer, instead of an image of one row. */
function showCount({ dataTransfer }: ReactDragEvent, count: number, name: string): void {
  const label = document.createElement('div')
  label.textContent = count === 1 ? name : t('{n} items', { n: count })
  label.style.cssText =
    'position:fixed;inset:-100px auto auto 0;max-width:240px;padding:8px 12px;overflow:hidden;border:1px solid var(--line-control);border-radius:8px;background:var(--raised);color:var(--text);font-weight:500;text-overflow:ellipsis;white-space:nowrap'
  document.body.append(label)
  dataTransfer.setDragImage(label, -12, -12)
  setTimeout(() => label.remove())
}
