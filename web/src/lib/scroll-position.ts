import { useEffect, useLayoutEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { personal } from './personal.ts'

/** A scroll position: how far down, and at which row. */
interface Place {
  y: number
  /** A row that is in sight, how far it is from the top of the window, and whether they came from it. */
  row?: { id: string; top: number; isTheirs: boolean } | undefined
}

/** In session storage while the page loads anew: row ids, and numbers. */
const stored = personal.places
const most = 50
/** How long to wait for the rows of a page to load. */
const loadTimeoutMs = 10_000

/** By history entry and path: every page that is opened by its address has the entry `default`. */
const places = takeBack()
/** Undefined: the page has just loaded. */
let current: string | undefined
let shown = { pathname: '', search: '' }
let expected: string | undefined
let stop = () => {}

// Every navigation begins with one of these events. Added before the router's own listener, which replaces the page
// immediately.
for (const name of ['click', 'keydown', 'popstate']) window.addEventListener(name, note, true)

/** The next page is opened for this row of it. */
export function expectRow(id: string): void {
  expected = id
}

/**
 * Scrolls for the whole app: another page opens at its top, and Back and Forward restore the position, with the focus on the row the
 * person came from. The position is kept relative to a row, because rows above it may have changed their height.
 */
export function useScrollPosition(): void {
  const { key: entry, pathname, search } = useLocation()
  const key = `${entry} ${pathname}`
  const kind = useNavigationType()

  useEffect(() => {
    history.scrollRestoration = 'manual'
    const leave = () => {
      note()
      putAway()
      history.scrollRestoration = 'auto' // the browser restores the position after a reload
    }
    const comeBack = () => {
      history.scrollRestoration = 'manual'
    }
    window.addEventListener('pagehide', leave)
    window.addEventListener('pageshow', comeBack)
    return () => {
      window.removeEventListener('pagehide', leave)
      window.removeEventListener('pageshow', comeBack)
      stop()
    }
  }, [])

  useLayoutEffect(() => {
    if (current === key) return
    const hasLoaded = current === undefined
    // A filter changes the search alone, and the page stays where it is.
    const isOther = pathname !== shown.pathname || search === shown.search
    current = key
    shown = { pathname, search }
    stop()
    const place = placeAt(key, kind === 'POP', hasLoaded)
    if (place) stop = bring(place)
    else if (!hasLoaded && isOther) window.scrollTo({ top: 0, behavior: 'instant' })
  }, [key, kind, pathname, search])
}

function placeAt(key: string, isBack: boolean, hasLoaded: boolean): Place | undefined {
  const wanted = expected
  expected = undefined
  if (wanted !== undefined) return { y: 0, row: { id: wanted, top: window.innerHeight / 3, isTheirs: true } }
  if (!isBack) return undefined
  const place = places.get(key)
  if (!hasLoaded) return place ?? { y: 0 }
  // A reload starts with the focus where the browser has it.
  return place && { y: place.y, row: place.row && { ...place.row, isTheirs: false } }
}

function note(event?: Event): void {
  if (current === undefined) return
  places.delete(current)
  places.set(current, { y: window.scrollY, row: rowNow(event?.target ?? null) })
}

/** The one that was pressed; else the one with the focus; else the first in sight. */
function rowNow(target: EventTarget | null): Place['row'] {
  const theirs = [target, document.activeElement].map(rowOf).find((row) => row && isInSight(row))
  const row = theirs ?? [...document.querySelectorAll<HTMLElement>('main [data-row]')].find(isInSight)
  return row && { id: row.dataset['row'] ?? '', top: row.getBoundingClientRect().top, isTheirs: row === theirs }
}

const rowOf = (target: EventTarget | null) => (target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null)

function isInSight(row: HTMLElement): boolean {
  const { top, bottom } = row.getBoundingClientRect()
  return bottom > 0 && top < window.innerHeight
}

/** Tries until the row is where it was: its list may have to load, and what is above it takes its height only when drawn. */
function bring({ y, row }: Place): () => void {
  const over = new AbortController()
  const { signal } = over
  const until = performance.now() + loadTimeoutMs
  let calm = 0
  const step = () => {
    if (signal.aborted) return
    const element = row && document.querySelector<HTMLElement>(`main [data-row="${CSS.escape(row.id)}"]`)
    const before = window.scrollY
    const off = element ? element.getBoundingClientRect().top - row.top : y - before
    if (off !== 0) window.scrollBy({ top: off, behavior: 'instant' })
    if (element && row.isTheirs) focus(element)
    const isThere = element ? Math.abs(window.scrollY - before) < 1 : !row && Math.abs(off) < 1
    calm = isThere ? calm + 1 : 0
    if (calm > 3 || performance.now() > until) over.abort()
    else requestAnimationFrame(step)
  }
  // Whoever goes on meanwhile is not pulled back.
  for (const name of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
    window.addEventListener(name, () => over.abort(), { signal, capture: true, passive: true })
  }
  requestAnimationFrame(step)
  return () => over.abort()
}

function focus(row: HTMLElement): void {
  if (!row.contains(document.activeElement))
    row.querySelector<HTMLElement>('[data-opener], a, button')?.focus({ preventScroll: true })
}

/** What is noted lives as long as the page; a reload keeps it. */
function putAway(): void {
  try {
    sessionStorage.setItem(stored, JSON.stringify([...places].slice(-most)))
  } catch {
    // Storage is full or forbidden: a reload forgets it.
  }
}

function takeBack(): Map<string, Place> {
  try {
    const kept = JSON.parse(sessionStorage.getItem(stored) ?? '[]')
    sessionStorage.removeItem(stored)
    return new Map(kept)
  } catch {
    return new Map() // storage is forbidden
  }
}
