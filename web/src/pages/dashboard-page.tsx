import { EmptyState } from '../components/empty-state.tsx'
import { DashboardIcon } from '../components/icons.tsx'
import { StaffPage } from '../features/identity/staff-page.tsx'

export function DashboardPage() {
  return (
    <StaffPage>
      <EmptyState icon={<DashboardIcon />} title="Nothing to show yet.">
        Totals and files appear here once files can be uploaded, in a later version.
      </EmptyState>
    </StaffPage>
  )
}
