import type { ReactNode } from 'react'
import { PageHeader } from '../../components/page-header.tsx'
import { usePageTitle } from '../../lib/page-title.ts'
import { useNavItems } from './nav-items.ts'

interface Props {
  /** For the browser's tab, where the navigation has no name for this page. */
  title?: string
  children: ReactNode
}

/** A page inside the layout. */
export function StaffPage({ title, children }: Props) {
  const { name } = usePlace()
  usePageTitle(title ?? name)
  return (
    <>
      <StaffHeader />
      {children}
    </>
  )
}

export const StaffHeader = () => <PageHeader {...usePlace()} />

/** Pages are named by the current item of the navigation, or by the product where there is none. */
function usePlace() {
  const current = useNavItems().find((item) => item.current)
  return { name: current?.label ?? 'Neptune', purpose: current?.purpose }
}
