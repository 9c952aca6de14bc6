import { useEffect, useLayoutEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { personalKeys } from '../storage/storage-keys.ts'

/** The scroll offset of a page, and a visible row that it is relative to. */
interface ScrollPosition {
  y: number
  /** A visible row, its distance from the top of the window, and whether the user left from it. */
  row?: { id: string; top: number; isOrigin: boolean } | undefined
}

/** Session storage key. Holds row ids and offsets during a reload. */
const storageKey = personalKeys.scrollPositions
const maxPositions = 50
/** The timeout for the rows of a page to load. */
const loadTimeoutMs = 10_000

/** Positions by history entry and path. Pages opened by URL share the entry `default`, hence the path. */
const positions = loadPositions()
/** The key of the page's position. Undefined until the first page is shown. */
let currentKey: string | undefined
let shownLocation = { pathname: '', search: '' }
let rowToReveal: string | undefined
let stopRestoring = () => {}

// Every navigation begins with one of these events. Added before the router's own listener, which replaces the page
// immediately.
for (const name of ['click', 'keydown', 'popstate']) window.addEventListener(name, recordPosition, true)

/** Scrolls the next page to this row and focuses it. */
export function revealRowAfterNavigation(id: string): void {
  rowToReveal = id
}

/**
 * Manages scrolling for the whole app. A new page opens at its top. Back and Forward restore the position, with the focus on
 * the row that the user left from. The position is kept relative to a row, because rows above it may have changed their height.
 */
export function useScrollPosition(): void {
  const { key: entry, pathname, search } = useLocation()
  const key = `${entry} ${pathname}`
  const kind = useNavigationType()

  useEffect(() => {
    history.scrollRestoration = 'manual'
    const onHide = () => {
      recordPosition()
      storePositions()
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
      stopRestoring()
    }
  }, [])

  useLayoutEffect(() => {
    if (currentKey === key) return
    const isFirstPage = currentKey === undefined
    // A filter changes only the query string, and does not scroll.
    const isOtherPage = pathname !== shownLocation.pathname || search === shownLocation.search
    currentKey = key
    shownLocation = { pathname, search }
    stopRestoring()
    const position = findPosition(key, kind === 'POP', isFirstPage)
    if (position) stopRestoring = restorePosition(position)
    else if (!isFirstPage && isOtherPage) window.scrollTo({ top: 0, behavior: 'instant' })
  }, [key, kind, pathname, search])
}

function findPosition(key: string, isHistoryNavigation: boolean, isFirstPage: boolean): ScrollPosition | undefined {
  const requestedRow = rowToReveal
  rowToReveal = undefined
  if (requestedRow !== undefined) return { y: 0, row: { id: requestedRow, top: window.innerHeight / 3, isOrigin: true } }
  if (!isHistoryNavigation) return undefined
  const position = positions.get(key)
  if (!isFirstPage) return position ?? { y: 0 }
  if (isOpenedByUrl()) return undefined
  // After a reload, the focus stays where the browser puts it.
  return position && { y: position.y, row: position.row && { ...position.row, isOrigin: false } }
}

/** Returns whether the browser has loaded the page for a URL that was entered or followed, and not for a reload or Back. */
function isOpenedByUrl(): boolean {
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation instanceof PerformanceNavigationTiming && navigation.type === 'navigate'
}

function recordPosition(event?: Event): void {
  if (currentKey === undefined) return
  positions.delete(currentKey)
  positions.set(currentKey, { y: window.scrollY, row: findRow(event?.target ?? null) })
}

/** Returns the row that was pressed, else the focused one, else the first visible one. */
function findRow(target: EventTarget | null): ScrollPosition['row'] {
  const origin = [target, document.activeElement].map(getRow).find((row) => row && isVisible(row))
  const row = origin ?? [...document.querySelectorAll<HTMLElement>('main [data-row]')].find(isVisible)
  return row && { id: row.dataset['row'] ?? '', top: row.getBoundingClientRect().top, isOrigin: row === origin }
}

const getRow = (target: EventTarget | null) => (target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null)

function isVisible(row: HTMLElement): boolean {
  const { top, bottom } = row.getBoundingClientRect()
  return bottom > 0 && top < window.innerHeight
}

/** Scrolls until the row is where it was: its list may still load, and rows above get their height only when rendered. */
function restorePosition({ y, row }: ScrollPosition): () => void {
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
    if (element && row.isOrigin) focusRow(element)
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

function focusRow(row: HTMLElement): void {
  if (!row.contains(document.activeElement))
    row.querySelector<HTMLElement>('[data-opener], a, button')?.focus({ preventScroll: true })
}

/** Stores the positions for a reload. */
function storePositions(): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify([...positions].slice(-maxPositions)))
  } catch {
    // Storage is full or blocked: positions are lost on reload.
  }
}

function loadPositions(): Map<string, ScrollPosition> {
  try {
    const entries = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]')
    sessionStorage.removeItem(storageKey)
    return new Map(entries)
  } catch {
    return new Map() // storage is blocked
  }
}
