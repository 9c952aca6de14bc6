import type { ReactNode } from 'react'
import { PageHeader } from '../../components/page-header.tsx'
import { usePageTitle } from '../../lib/page-title.ts'
import { useNavItems } from './nav-items.ts'

interface Props {
  /** For the browser's tab, where the navigation has no name for this page. */
  title?: string
  /** What can be done here. */
  action?: ReactNode
  children: ReactNode
}

/** A page inside the layout. */
export function StaffPage({ title, action, children }: Props) {
  const { name } = usePlace()
  usePageTitle(title ?? name)
  return (
    <>
      <StaffHeader action={action} />
      {children}
    </>
  )
}

export const StaffHeader = ({ action }: { action?: ReactNode }) => <PageHeader {...usePlace()} action={action} />

/** Pages are named by the current item of the navigation, or by the product where there is none. */
function usePlace() {
  const current = useNavItems().find((item) => item.current)
  return { name: current?.label ?? 'Neptune', purpose: current?.purpose }
}
