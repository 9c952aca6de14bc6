import { useHasSeveralCompanies } from '../../../api/session.ts'
import { TabLinks } from '../../../components/menu/tab-links.tsx'
import { t } from '../../../i18n/t.ts'
import { paths } from '../../../paths.ts'

/** The two lists of the page Users. Someone who sees only their own company needs no list of companies. */
export function ClientTabs({ current }: { current: 'users' | 'companies' }) {
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
