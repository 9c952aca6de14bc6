import { EmptyState } from '../components/empty-state.tsx'
import { PeopleIcon } from '../components/icons.tsx'
import { StaffPage } from '../features/identity/staff-page.tsx'

export function ClientsPage() {
  return (
    <StaffPage>
      <EmptyState icon={<PeopleIcon />} title="Users are not listed yet.">
        Everyone who can sign in appears here in a later version.
      </EmptyState>
    </StaffPage>
  )
}
