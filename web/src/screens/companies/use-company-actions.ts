import { useMemo } from 'react'
import { useIsAdmin, useSession } from '../../api/session.ts'
import type { CompanyActions } from '../../features/company/company-menu.tsx'
import { t } from '../../i18n/t.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'

/** Returns the actions for companies, or undefined if the user is not an admin. */
export function useCompanyActions(): CompanyActions | undefined {
  const open = useDialog()
  const isAdmin = useIsAdmin()
  const session = useSession()
  const ownCompany = session.kind === 'signed-in' ? session.info.company : undefined
  return useMemo(
    () =>
      isAdmin
        ? {
            rename: (company) => open({ kind: 'rename-company', company }),
            setQuota: (company) => open({ kind: 'set-quota', company }),
            editNote: (company) => open({ kind: 'edit-note', company }),
            editBrand: (company) => open({ kind: 'edit-brand', company }),
            archive: (company) => open({ kind: 'archive-company', company }),
            restore: (company) => open({ kind: 'restore-company', company }),
            getArchiveDisabledReason: ({ id }) =>
              id === ownCompany ? t('You belong to this company, so you would lock yourself out.') : undefined,
          }
        : undefined,
    [isAdmin, open, ownCompany],
  )
}
