import type { ReactNode } from 'react'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { usePageTitle } from '../../lib/page/page-title.ts'
import { useNamedPage } from './nav-items.ts'

interface Props {
  /** The title of the browser tab, if the page is not in the navigation. */
  title?: string
  /** The line below the title, if neither the navigation nor the user menu has one. */
  purpose?: string
  action?: ReactNode
  children: ReactNode
}

/** A page with its header inside the layout. */
export function StaffPage({ title, purpose, action, children }: Props) {
  const header = useHeader()
  usePageTitle(title ?? header.name)
  return (
    <>
      <PageHeader name={header.name} purpose={header.purpose ?? purpose} action={action} />
      {children}
    </>
  )
}

export const StaffHeader = () => <PageHeader {...useHeader()} />

/** Returns the title and purpose from the navigation or the user menu. The default title is the product name. */
function useHeader() {
  const page = useNamedPage()
  return { name: page?.label ?? 'Neptune', purpose: page?.purpose }
}
