import { EmptyState } from '../components/empty-state.tsx'
import { FolderIcon } from '../components/icons.tsx'
import { StaffPage } from '../features/identity/staff-page.tsx'

export function DirectoriesPage() {
  return (
    <StaffPage>
      <EmptyState icon={<FolderIcon />} title="No directories yet.">
        Directories appear here once they can be created, in a later version.
      </EmptyState>
    </StaffPage>
  )
}
