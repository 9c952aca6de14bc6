import { useEffect } from 'react'
import { useToast } from '../../../components/feedback/toast.tsx'
import { useLatest } from '../../../components/use-latest.ts'
import { t } from '../../../i18n/t.ts'
import { isForPage, isMac } from '../../../lib/keyboard/shortcuts.ts'
import { shortenName } from '../../../lib/shorten-name.ts'
import { countItems, getOnlyName, type Item, type Items, toItems } from './item.ts'

interface Options {
  items: readonly Item[]
  selected: ReadonlySet<string>
  /** Moves or copies the items to this directory. Undefined if it is loading or archived. */
  onPaste: ((items: Items, mode: 'move' | 'copy') => void) | undefined
}

interface Clipping {
  items: Items
  mode: 'move' | 'copy'
  /** The names of the items, one per line. They are on the system’s clipboard, where other programs can paste or replace them. */
  text: string
}

/** What was cut or copied last. It outlives the page, because items are usually pasted on another page. */
let clipping: Clipping | undefined

/** Lets people cut or copy the selected items, or the focused one, with Control+X or Control+C, and paste them in another directory. */
export function useItemClipboard(options: Options): void {
  const toast = useToast()
  const latest = useLatest({ ...options, toast })
  useEffect(() => {
    const listeners = new AbortController()
    const onCopy = (event: ClipboardEvent) => {
      if (!event.clipboardData || !isForPage(event) || getSelection()?.type === 'Range') return
      const items = toItems(findItems(latest.current))
      if (countItems(items) === 0) return
      event.preventDefault()
      const mode = event.type === 'cut' ? 'move' : 'copy'
      clipping = { items, mode, text: listNames(items) }
      event.clipboardData.setData('text/plain', clipping.text)
      latest.current.toast({ message: describe(clipping) })
    }
    const onPaste = (event: ClipboardEvent) => {
      const paste = latest.current.onPaste
      const text = event.clipboardData?.getData('text/plain').replaceAll('\r\n', '\n')
      if (!clipping || !paste || !isForPage(event) || text !== clipping.text) return
      event.preventDefault()
      const { items, mode } = clipping
      if (mode === 'move') clipping = undefined
      paste(items, mode)
    }
    const { signal } = listeners
    document.addEventListener('copy', onCopy, { signal })
    document.addEventListener('cut', onCopy, { signal })
    document.addEventListener('paste', onPaste, { signal })
    return () => listeners.abort()
  }, [latest])
}

/** Returns the selected items. If there are none, returns the one with the focus. */
function findItems({ items, selected }: Pick<Options, 'items' | 'selected'>): readonly Item[] {
  const chosen = items.filter(({ id }) => selected.has(id))
  if (chosen.length > 0) return chosen
  const focused = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row']
  return items.filter(({ id }) => id === focused)
}

const listNames = ({ files, folders }: Items) =>
  [...folders.map(({ directory }) => directory), ...files.map(({ file_name }) => file_name)].join('\n')

function describe({ items, mode }: Clipping): string {
  const name = getOnlyName(items)
  const keys = isMac ? '⌘V' : `${t('Ctrl')}+V`
  if (name !== undefined) {
    const values = { name: shortenName(name), keys }
    return mode === 'move'
      ? t('Open a directory and press {keys} to move “{name}” there.', values)
      : t('Open a directory and press {keys} to copy “{name}” there.', values)
  }
  const values = { n: countItems(items), keys }
  return mode === 'move'
    ? t('Open a directory and press {keys} to move {n} items there.', values)
    : t('Open a directory and press {keys} to copy {n} items there.', values)
}
