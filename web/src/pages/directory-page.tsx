import { EmptyState } from '../components/empty-state.tsx'
import { FolderIcon } from '../components/icons.tsx'
import { StaffPage } from '../features/identity/staff-page.tsx'

export function DirectoryPage() {
  return (
    <StaffPage>
      <EmptyState icon={<FolderIcon />} title="This directory cannot be opened yet.">
        Its files appear here once they can be uploaded, in a later version.
      </EmptyState>
    </StaffPage>
  )
}
