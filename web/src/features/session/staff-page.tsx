import type { ReactNode } from 'react'
import { PageHeader } from '../../components/page-header.tsx'
import { usePageTitle } from '../../lib/page-title.ts'
import { useNavItems } from './nav-items.ts'

interface Props {
  /** For the browser's tab, where the navigation has no name for this page. */
  title?: string
  children: ReactNode
}

/** A page inside the layout. Its header is named by the current item of the navigation, or by the product where there is none. */
export function StaffPage({ title, children }: Props) {
  const current = useNavItems().find((item) => item.current)
  const name = current?.label ?? 'Neptune'
  usePageTitle(title ?? name)
  return (
    <>
      <PageHeader name={name} purpose={current?.purpose} />
      {children}
    </>
  )
}
