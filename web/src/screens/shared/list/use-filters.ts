import { useLocation, useSearchParams } from 'react-router'

/** Keeps a list's filters in the URL, so that a reload, a bookmark and Back show the same list. */
export function useFilters() {
  const [params, setParams] = useSearchParams()
  const { state } = useLocation()
  return {
    /** Returns a filter from the URL, truncated to the length the server accepts. */
    read: (name: string, max = 100) => params.get(name)?.trim().slice(0, max) || undefined,
    change: (changed: Record<string, string>) => {
      // Reads the current URL: the last render may be older if two changes follow quickly.
      const next = new URLSearchParams(window.location.search)
      for (const [name, value] of Object.entries(changed)) value ? next.set(name, value) : next.delete(name)
      setParams(next, { replace: replacedFilters.some((name) => name in changed), state })
    },
    clear: () => {
      setParams({})
      focusSearch()
    },
  }
}

/** Filters whose changes add no history entry: typing would add one per pause, and a file is shown only once. */
const replacedFilters = ['search', 'from', 'to', 'file']

/** Focuses the search field, for example after clearing filters, which removes the focused button. Returns false if there is no field. */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('search input')
  field?.focus()
  field?.select()
  return field !== null && document.activeElement === field
}
