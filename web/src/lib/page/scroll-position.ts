import { useEffect, useLayoutEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { personalKeys } from '../storage-keys.ts'

/** A scroll position: the offset, and a visible row. */
interface Place {
  y: number
  /** A visible row, its distance from the top of the window, and whether the user left from it. */
  row?: { id: string; top: number; isOrigin: boolean } | undefined
}

/** Session storage key. Holds row ids and offsets during a reload. */
const storageKey = personalKeys.places
const maxPlaces = 50
/** The timeout for the rows of a page to load. */
const loadTimeoutMs = 10_000

/** Positions by history entry and path. Pages opened by URL share the entry `default`, hence the path. */
const places = loadPlaces()
/** Undefined until the first page is shown. */
let current: string | undefined
let shown = { pathname: '', search: '' }
let expectedRow: string | undefined
let stop = () => {}

// Every navigation begins with one of these events. Added before the router's own listener, which replaces the page
// immediately.
for (const name of ['click', 'keydown', 'popstate']) window.addEventListener(name, recordPlace, true)

/** Scrolls the next page to this row and focuses it. */
export function revealRowAfterNavigation(id: string): void {
  expectedRow = id
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
    const onHide = () => {
      recordPlace()
      storePlaces()
      history.scrollRestoration = 'auto' // the browser restores the position after a reload
    }
    const onShow = () => {
      history.scrollRestoration = 'manual'
    }
    window.addEventListener('pagehide', onHide)
    window.addEventListener('pageshow', onShow)
    return () => {
      window.removeEventListener('pagehide', onHide)
      window.removeEventListener('pageshow', onShow)
      stop()
    }
  }, [])

  useLayoutEffect(() => {
    if (current === key) return
    const hasLoaded = current === undefined
    // A filter changes the search alone, and the page stays where it is.
    const isOtherPage = pathname !== shown.pathname || search === shown.search
    current = key
    shown = { pathname, search }
    stop()
    const place = findPlace(key, kind === 'POP', hasLoaded)
    if (place) stop = restorePlace(place)
    else if (!hasLoaded && isOtherPage) window.scrollTo({ top: 0, behavior: 'instant' })
  }, [key, kind, pathname, search])
}

function findPlace(key: string, isBack: boolean, hasLoaded: boolean): Place | undefined {
  const requestedRow = expectedRow
  expectedRow = undefined
  if (requestedRow !== undefined) return { y: 0, row: { id: requestedRow, top: window.innerHeight / 3, isOrigin: true } }
  if (!isBack) return undefined
  const place = places.get(key)
  if (!hasLoaded) return place ?? { y: 0 }
  // A reload starts with the focus where the browser has it.
  return place && { y: place.y, row: place.row && { ...place.row, isOrigin: false } }
}

function recordPlace(event?: Event): void {
  if (current === undefined) return
  places.delete(current)
  places.set(current, { y: window.scrollY, row: findRow(event?.target ?? null) })
}

/** Returns the row that was pressed, else the focused one, else the first visible one. */
function findRow(target: EventTarget | null): Place['row'] {
  const origin = [target, document.activeElement].map(rowOf).find((row) => row && isVisible(row))
  const row = origin ?? [...document.querySelectorAll<HTMLElement>('main [data-row]')].find(isVisible)
  return row && { id: row.dataset['row'] ?? '', top: row.getBoundingClientRect().top, isOrigin: row === origin }
}

const rowOf = (target: EventTarget | null) => (target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null)

function isVisible(row: HTMLElement): boolean {
  const { top, bottom } = row.getBoundingClientRect()
  return bottom > 0 && top < window.innerHeight
}

/** Scrolls until the row is where it was: its list may still load, and rows above get their height only when rendered. */
function restorePlace({ y, row }: Place): () => void {
  const controller = new AbortController()
  const { signal } = controller
  const deadline = performance.now() + loadTimeoutMs
  let stableFrames = 0
  const step = () => {
    if (signal.aborted) return
    const element = row && document.querySelector<HTMLElement>(`main [data-row="${CSS.escape(row.id)}"]`)
    const before = window.scrollY
    const delta = element ? element.getBoundingClientRect().top - row.top : y - before
    if (delta !== 0) window.scrollBy({ top: delta, behavior: 'instant' })
    if (element && row.isOrigin) focus(element)
    const isInPlace = element ? Math.abs(window.scrollY - before) < 1 : !row && Math.abs(delta) < 1
    stableFrames = isInPlace ? stableFrames + 1 : 0
    if (stableFrames > 3 || performance.now() > deadline) controller.abort()
    else requestAnimationFrame(step)
  }
  // Stops as soon as the user scrolls or presses something.
  for (const name of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
    window.addEventListener(name, () => controller.abort(), { signal, capture: true, passive: true })
  }
  requestAnimationFrame(step)
  return () => controller.abort()
}

function focus(row: HTMLElement): void {
  if (!row.contains(document.activeElement))
    row.querySelector<HTMLElement>('[data-opener], a, button')?.focus({ preventScroll: true })
}

/** Stores the positions for a reload. */
function storePlaces(): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify([...places].slice(-maxPlaces)))
  } catch {
    // Storage is full or blocked: positions are lost on reload.
  }
}

function loadPlaces(): Map<string, Place> {
  try {
    const entries = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]')
    sessionStorage.removeItem(storageKey)
    return new Map(entries)
  } catch {
    return new Map() // storage is blocked
  }
}
