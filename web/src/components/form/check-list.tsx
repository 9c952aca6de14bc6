import { type KeyboardEvent, type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import { formatNumber, t } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import { AlertIcon } from '../entry-icons.tsx'
import { Skeleton } from '../feedback/skeleton.tsx'
import { Skeletons } from '../feedback/skeletons.tsx'
import { SearchField } from '../table/filter-bar.tsx'
import { LoadMore } from '../table/load-more.tsx'
import css from './check-list.module.css'
import { Checkbox } from './checkbox.tsx'
import fieldCss from './field.module.css'

const c = classNames({ ...fieldCss, ...css })

export interface CheckListOption {
  value: string
  label: string
}

/** The options that a search has found so far. */
interface FoundOptions {
  options: readonly CheckListOption[]
  /** The cursor of the next page; null if all options are loaded. */
  next: string | null
  /** Whether options are being loaded. */
  loading: boolean
  failed: boolean
  /** Loads the next page, or the same one again after a failure. */
  onMore: () => void
}

interface CheckListProps {
  label: string
  /** The name of its checkboxes in the form. */
  name: string
  searchLabel: string
  search: string
  onSearch: (search: string) => void
  found: FoundOptions
  /** Shown if the search finds nothing. */
  emptyText: string
  error?: string | undefined
  /** An option that is always selected. */
  locked?: CheckListOption | undefined
  /** The options that are selected besides `locked`. */
  selected: readonly CheckListOption[]
  onChange: (selected: CheckListOption[]) => void
  /** A button below the list. */
  action?: ReactNode
}

/** How many options are rendered at first, and how many “Show more” adds. Thousands can be selected. */
const pageSize = 50

/**
 * A long list of options with checkboxes, and a search field. The selected options come first; each stays where it is while it is
 * toggled, until the next search.
 */
export function CheckList({ label, name, searchLabel, search, found, locked, selected, error, ...props }: CheckListProps) {
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const [firstOptions, setFirstOptions] = useState(selected)
  const [limit, setLimit] = useState(pageSize)
  const lockedOptions = locked ? [locked] : []
  const options = arrange(search, [...lockedOptions, ...firstOptions], found.options)
  const visible = options.slice(0, limit)
  const isTruncated = options.length > limit
  const selectedValues = new Set([...lockedOptions, ...selected].map(({ value }) => value))

  const startSearch = (next: string) => {
    setFirstOptions(selected)
    setLimit(pageSize)
    props.onSearch(next)
  }
  const showMore = () => {
    setLimit(limit + pageSize)
    if (options.length < limit + pageSize && (found.next !== null || found.failed)) found.onMore()
  }
  const toggle = (option: CheckListOption) =>
    props.onChange(
      selectedValues.has(option.value) ? selected.filter(({ value }) => value !== option.value) : [...selected, option],
    )
  return (
    <fieldset
      className={c('checkList')}
      aria-describedby={error ? `${id}-count ${id}-error` : `${id}-count`}
      onKeyDown={(event) => handleKeys(event, list.current)}
    >
      <legend className="sr-only">{label}</legend>
      <SearchField label={searchLabel} maxLength={100} value={search} onSearch={startSearch} />
      {/* Not an <output> element, because its text would not be part of the accessible description. */}
      <p id={`${id}-count`} role="status" className={c('count')}>
        {t('{count} selected', { count: formatNumber(selectedValues.size) })}
      </p>
      <div className={c('box')} aria-busy={found.loading}>
        <Options {...{ name, list, locked, selectedValues, options: visible, onToggle: toggle }} />
        {found.loading && found.options.length === 0 && <Loading />}
        {!found.loading && !found.failed && options.length === 0 && <p className={c('note')}>{props.emptyText}</p>}
        <LoadMore
          manual
          shown={visible.length}
          next={isTruncated || found.failed ? '' : found.next}
          loading={found.loading}
          failed={found.failed}
          onMore={showMore}
        />
      </div>
      {props.action && <div>{props.action}</div>}
      {error && (
        <p id={`${id}-error`} className={c('error')}>
          <AlertIcon size={16} />
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** Returns the options in display order: those of `first` whose label contains the search, then the found ones. Removes duplicates. */
function arrange(search: string, first: readonly CheckListOption[], found: readonly CheckListOption[]): CheckListOption[] {
  const words = search.toLowerCase()
  const matching = first.filter(({ label }) => label.toLowerCase().includes(words))
  return [...new Map([...matching, ...found].map((option) => [option.value, option])).values()]
}

interface OptionsProps {
  name: string
  list: RefObject<HTMLUListElement | null>
  options: readonly CheckListOption[]
  locked: CheckListOption | undefined
  selectedValues: ReadonlySet<string>
  onToggle: (option: CheckListOption) => void
}

/** The checkboxes. They are one tab stop, and the arrow keys move between them, so that nobody has to tab through a long list. */
function Options({ name, list, options, locked, selectedValues, onToggle }: OptionsProps) {
  const [focused, setFocused] = useState<string>()
  const unlocked = options.filter(({ value }) => value !== locked?.value)
  const tabStop = unlocked.some(({ value }) => value === focused) ? focused : unlocked[0]?.value
  return (
    <ul ref={list} className={c('list')}>
      {options.map((option) => (
        <li key={option.value}>
          <Checkbox
            label={option.label}
            name={option.value === locked?.value ? undefined : name}
            checked={selectedValues.has(option.value)}
            disabled={option.value === locked?.value}
            tabIndex={option.value === tabStop ? 0 : -1}
            onFocus={() => setFocused(option.value)}
            onChange={() => onToggle(option)}
          />
        </li>
      ))}
    </ul>
  )
}

const Loading = () => (
  <Skeletons count={3}>
    {(_, label) => (
      <div className={c('note')}>
        <Skeleton label={label} />
      </div>
    )}
  </Skeletons>
)

/**
 * In the search field, the down arrow moves to the list. In the list, the arrow keys, Home and End move between the checkboxes, and
 * Enter toggles one. Enter never submits the form.
 */
function handleKeys(event: KeyboardEvent, list: Element | null): void {
  const { key, target } = event
  if (!list || !(target instanceof HTMLInputElement)) return
  const boxes = [...list.querySelectorAll<HTMLInputElement>('input:enabled')]
  const from = boxes.indexOf(target) // -1 in the search field
  const steps: Record<string, number> = {
    ArrowDown: from + 1,
    ...(from >= 0 && { ArrowUp: from - 1, Home: 0, End: boxes.length - 1 }),
  }
  const to = steps[key]
  if (to === undefined && key !== 'Enter') return
  event.preventDefault()
  if (to !== undefined) boxes[to]?.focus()
  else boxes[from]?.click()
}
