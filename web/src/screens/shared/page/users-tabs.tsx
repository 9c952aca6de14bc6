import { useHasSeveralCompanies } from '../../../api/session.ts'
import { TabLinks } from '../../../components/menu/tab-links.tsx'
import { t } from '../../../i18n/t.ts'
import { paths } from '../../../paths.ts'

/** Switches between the two lists of the Users page. Hidden from people who see only their own company. */
export function UsersTabs({ current }: { current: 'users' | 'companies' }) {
  const hasSeveralCompanies = useHasSeveralCompanies()
  if (!hasSeveralCompanies) return null
  return (
    <TabLinks
      label={t('Users and companies')}
      tabs={[
        { label: t('Users'), to: paths.clients, current: current === 'users' },
        { label: t('Companies'), to: paths.companies, current: current === 'companies' },
      ]}
    />
  )
}
