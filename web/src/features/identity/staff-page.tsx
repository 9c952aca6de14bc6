import type { ReactNode } from 'react'
import { PageHeader } from '../../components/page-header.tsx'
import { usePageTitle } from '../../lib/page-title.ts'
import { useNamedPage } from './nav-items.ts'

interface Props {
  /** For the browser's tab, where the page has no name of its own. */
  title?: string
  /** One line, where neither the navigation nor the user menu has one. */
  purpose?: string
  /** What can be done here. */
  action?: ReactNode
  children: ReactNode
}

/** A page inside the layout. */
export function StaffPage({ title, purpose, action, children }: Props) {
  const place = usePlace()
  usePageTitle(title ?? place.name)
  return (
    <>
      <PageHeader name={place.name} purpose={place.purpose ?? purpose} action={action} />
      {children}
    </>
  )
}

export const StaffHeader = () => <PageHeader {...usePlace()} />

/** Pages are named by the navigation or the user menu, or by the product where neither leads there. */
function usePlace() {
  const page = useNamedPage()
  return { name: page?.label ?? 'Neptune', purpose: page?.purpose }
}
