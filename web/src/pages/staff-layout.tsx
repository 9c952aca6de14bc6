import { Outlet } from 'react-router'
import { Queries } from '../api/query-client.tsx'
import { useSession } from '../api/session.ts'
import { Layout } from '../components/layout.tsx'
import { ToastProvider } from '../components/toast.tsx'
import { DialogHost } from '../dialogs/dialog-host.tsx'
import { OfflineBar } from '../features/identity/offline-bar.tsx'
import { StaffBar } from '../features/identity/staff-bar.tsx'

/** The frame around every page that needs a session. It goes with the session, and with it all that was loaded. */
export function StaffLayout() {
  const session = useSession()
  if (session.kind !== 'signed-in') return null
  return (
    <Queries>
      <ToastProvider>
        <Layout
          bar={
            <>
              <OfflineBar />
              <StaffBar info={session.info} />
            </>
          }
        >
          <DialogHost>
            <Outlet />
          </DialogHost>
        </Layout>
      </ToastProvider>
    </Queries>
  )
}
