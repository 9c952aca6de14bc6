import type { ReactNode } from 'react'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { usePageTitle } from '../../../lib/page/page-title.ts'
import { useCurrentPage } from './nav-items.ts'

interface Props {
  /** The title of the browser tab, if it differs from the heading. */
  title?: string
  action?: ReactNode
  children: ReactNode
}

/** A page of the staff area: its header, followed by its content. */
export function StaffPage({ title, action, children }: Props) {
  const header = useHeader()
  usePageTitle(title ?? header.name)
  return (
    <>
      <PageHeader {...header} action={action} />
      {children}
    </>
  )
}

export const StaffHeader = () => <PageHeader {...useHeader()} />

/** Returns the title and purpose from the navigation or the user menu. The default title is the product name. */
function useHeader() {
  const page = useCurrentPage()
  return { name: page?.label ?? 'Neptune', purpose: page?.purpose }
}
