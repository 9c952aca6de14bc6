import { EmptyState } from '../components/empty-state.tsx'
import { LinkIcon } from '../components/icons.tsx'
import { StaffPage } from '../features/identity/staff-page.tsx'

export function LinksPage() {
  return (
    <StaffPage>
      <EmptyState icon={<LinkIcon />} title="No links yet.">
        Links appear here once they can be created, in a later version.
      </EmptyState>
    </StaffPage>
  )
}
