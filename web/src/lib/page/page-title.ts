import { useEffect } from 'react'
import { useLocation } from 'react-router'

let focusedPath: string | undefined
let announcedPath: string | undefined
let name = 'Neptune'
let note = ''

/**
 * Sets the title of the page. Screen readers announce the title when a browser loads a page; this announces it when only the path
 * changes. The first page is left to the browser.
 */
export function usePageTitle(title: string): void {
  useArrival()
  const { pathname } = useLocation()
  useEffect(() => {
    name = title === 'Neptune' ? title : `${title} · Neptune`
    writeTitle()
    const announcement = document.getElementById('announcement')
    if (announcement && announcedPath !== undefined && announcedPath !== pathname) announcement.textContent = name
    announcedPath = pathname
  }, [title, pathname])
}

/** Puts a short note before the title, such as upload progress, for background tabs. Never announced. */
export function setTitleNote(text: string): void {
  if (text === note) return
  note = text
  writeTitle()
}

function writeTitle(): void {
  document.title = note ? `${note} · ${name}` : name
}

/**
 * Moves the focus to a new page while it is still loading. Later, this could take the focus away from what the user is doing.
 */
export function useArrival(): void {
  const { pathname } = useLocation()
  useEffect(() => {
    if (focusedPath !== undefined && focusedPath !== pathname) focusMain()
    focusedPath = pathname
  }, [pathname])
}

/** Focuses the main element, unless a field of the page already has the focus. useScrollPosition() handles scrolling. */
function focusMain(): void {
  const main = document.querySelector('main')
  if (main && !main.contains(document.activeElement)) main.focus({ preventScroll: true })
}
