import { AccountSections } from '../features/identity/account-sections.tsx'
import { StaffPage } from '../features/identity/staff-page.tsx'

export function AccountPage() {
  return (
    <StaffPage>
      <AccountSections />
    </StaffPage>
  )
}
