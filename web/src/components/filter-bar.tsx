import { type ReactNode, useEffect, useRef, useState } from 'react'
import { classNames } from './class-names.ts'
import { TextField } from './field.tsx'
import css from './filter-bar.module.css'
import { useLatest } from './use-latest.ts'

const c = classNames(css)
const pause = 200

interface FilterBarProps {
  children: ReactNode
  /** Stands in its place while there is one: what can be done with the selected rows. The list below does not move. */
  selection?: ReactNode
}

/** What a list is narrowed by, above it. */
export const FilterBar = ({ children, selection }: FilterBarProps) => (
  <div className={c('place', Boolean(selection) && 'held')}>
    <search className={c('bar', Boolean(selection) && 'covered')}>{children}</search>
    {selection}
  </div>
)

interface SearchFieldProps {
  label: string
  /** What is searched for now. */
  value: string
  maxLength?: number | undefined
  /** Told once the person pauses. */
  onSearch: (value: string) => void
}

/** Typed into a state of its own, which follows the value only when that was changed by somebody else. */
export function SearchField({ label, value, maxLength, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const told = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useLatest(onSearch)

  useEffect(() => {
    if (value === told.current) return
    clearTimeout(timer.current)
    told.current = value
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  const type = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      const wanted = next.trim()
      if (wanted === told.current) return
      told.current = wanted
      latest.current(wanted)
    }, pause)
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
      onChange={({ target }) => type(target.value)}
    />
  )
}
