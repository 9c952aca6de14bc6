import { useLocation, useSearchParams } from 'react-router'

/** The filters of a list live in the address, so a reload, a bookmark and Back find the same list. */
export function useFilters() {
  const [params, setParams] = useSearchParams()
  const { state } = useLocation()
  return {
    /** What the address says, cut to what the server takes. */
    given: (name: string, max = 100) => params.get(name)?.trim().slice(0, max) || undefined,
    change: (changed: Record<string, string>) => {
      // Of the address as it is: what was drawn last may be older, if two changes follow quickly.
      const next = new URLSearchParams(window.location.search)
      for (const [name, value] of Object.entries(changed)) value ? next.set(name, value) : next.delete(name)
      // What is typed is one step of the history, not one for each pause.
      setParams(next, { replace: typed.some((name) => name in changed), state })
    },
    clear: () => {
      setParams({})
      focusSearch()
    },
  }
}

const typed = ['search', 'from', 'to']

/** Filters are mostly cleared where nothing matches, which goes away with it; so does the focus, unless it has somewhere to go. */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('search input')
  field?.focus()
  field?.select()
  return field !== null && document.activeElement === field
}
