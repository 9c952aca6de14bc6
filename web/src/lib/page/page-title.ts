import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { organisation, productName, useBrand } from '../brand.ts'

let focusedPath: string | undefined
let announcedPath: string | undefined
let pageTitle = organisation?.name ?? productName
let titleNote = ''

/**
 * Sets the title of the page, followed by the name of the organisation. Screen readers announce the title when a browser loads a page; this
 * announces it when only the path changes. The browser announces the first page itself.
 */
export function usePageTitle(title: string): void {
  useFocusOnNavigation()
  const { pathname } = useLocation()
  const portal = useBrand().name ?? productName
  useEffect(() => {
    pageTitle = title === portal ? title : `${title} · ${portal}`
    writeTitle()
    const announcement = document.getElementById('announcement')
    if (announcement && announcedPath !== undefined && announcedPath !== pathname) announcement.textContent = pageTitle
    announcedPath = pathname
  }, [title, portal, pathname])
}

/** Puts a short note before the title, such as upload progress, for background tabs. Never announced. */
export function setTitleNote(text: string): void {
  if (text === titleNote) return
  titleNote = text
  writeTitle()
}

function writeTitle(): void {
  document.title = titleNote ? `${titleNote} · ${pageTitle}` : pageTitle
}

/**
 * Moves the focus to a new page at once, even while it is loading. Moving it later could take it away from a control that the user has
 * already started to use.
 */
export function useFocusOnNavigation(): void {
  const { pathname } = useLocation()
  useEffect(() => {
    if (focusedPath !== undefined && focusedPath !== pathname) focusMain()
    focusedPath = pathname
  }, [pathname])
}

/** Focuses the main element, unless an element inside it already has the focus. useScrollPosition() handles scrolling. */
function focusMain(): void {
  const main = document.querySelector('main')
  if (main && !main.contains(document.activeElement)) main.focus({ preventScroll: true })
}
