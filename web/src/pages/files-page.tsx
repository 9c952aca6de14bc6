import { EmptyState } from '../components/empty-state.tsx'
import { FileIcon } from '../components/icons.tsx'
import { StaffPage } from '../features/identity/staff-page.tsx'

export function FilesPage() {
  return (
    <StaffPage title="Files">
      <EmptyState icon={<FileIcon />} title="No files yet.">
        Files appear here once they can be uploaded, in a later version.
      </EmptyState>
    </StaffPage>
  )
}
