import { type ReactNode, useEffect, useRef, useState } from 'react'
import { classNames } from '../class-names.ts'
import { TextField } from '../form/field.tsx'
import { useLatest } from '../use-latest.ts'
import css from './filter-bar.module.css'

const c = classNames(css)
const searchDelayMs = 200

/** The filters above a list. `end` is for controls that don’t filter the list, such as the choice of a view. */
export const FilterBar = ({ children, end }: { children: ReactNode; end?: ReactNode }) => (
  <div className={c('frame')}>
    <search className={c('bar')}>{children}</search>
    {end}
  </div>
)

interface SearchFieldProps {
  label: string
  /** The current search. */
  value: string
  maxLength?: number | undefined
  /** Called after a pause in typing. */
  onSearch: (value: string) => void
}

/**
 * A search field. It keeps its own text while the user types, and takes over `value` only if something else changes it. Enter
 * searches at once, and never submits a form around the field.
 */
export function SearchField({ label, value, maxLength, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const lastReported = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latestOnSearch = useLatest(onSearch)

  useEffect(() => {
    if (value === lastReported.current) return
    clearTimeout(timer.current)
    lastReported.current = value
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  const report = (text: string) => {
    const search = text.trim()
    if (search === lastReported.current) return
    lastReported.current = search
    latestOnSearch.current(search)
  }
  const handleInput = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => report(next), searchDelayMs)
  }
  return (
    <TextField
      label={label}
      hideLabel
      type="search"
      placeholder={label}
      autoComplete="off"
      maxLength={maxLength}
      value={text}
      onChange={({ target }) => handleInput(target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        clearTimeout(timer.current)
        report(text)
      }}
    />
  )
}
