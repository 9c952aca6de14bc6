import { useEffect } from 'react'
import { useLocation } from 'react-router'

let arrivedAt: string | undefined
let announcedAt: string | undefined
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
    if (announcement && announcedAt !== undefined && announcedAt !== pathname) announcement.textContent = name
    announcedAt = pathname
  }, [title, pathname])
}

/** A few letters before the name, for a tab that is not looked at: how far something is. They are never read out. */
export function noteInTitle(text: string): void {
  if (text === note) return
  note = text
  writeTitle()
}

function writeTitle(): void {
  document.title = note ? `${note} · ${name}` : name
}

/**
 * Moves the focus to a new page, even while it is loading: later, this would take the focus away from what the person is
 * doing.
 */
export function useArrival(): void {
  const { pathname } = useLocation()
  useEffect(() => {
    if (arrivedAt !== undefined && arrivedAt !== pathname) focusMain()
    arrivedAt = pathname
  }, [pathname])
}

/** A field of the page that already took the focus keeps it. Scrolling is up to useScrollPosition(). */
function focusMain(): void {
  const main = document.querySelector('main')
  if (main && !main.contains(document.activeElement)) main.focus({ preventScroll: true })
}
