import { useEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'

let shown: string | undefined

/**
 * Names the page. A browser that follows a link starts at the top of the new page and reads its title out;
 * this does the same when only the path changed. The first page is left to the browser.
 */
export function usePageTitle(title: string): void {
  const { pathname } = useLocation()
  const kind = useNavigationType()
  useEffect(() => {
    document.title = title === 'Neptune' ? title : `${title} · Neptune`
    if (shown !== undefined && shown !== pathname) arrive(kind !== 'POP')
    shown = pathname
  }, [title, pathname, kind])
}

/** Going back keeps the scroll position, and a field that already took the focus keeps it. */
function arrive(toTop: boolean): void {
  if (toTop) window.scrollTo(0, 0)
  const main = document.querySelector('main')
  if (main && !main.contains(document.activeElement)) main.focus({ preventScroll: true })
  const announcement = document.getElementById('announcement')
  if (announcement) announcement.textContent = document.title
}
