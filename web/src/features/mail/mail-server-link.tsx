import { Link } from 'react-router'
import { useIsAdmin } from '../../api/session.ts'
import { t } from '../../i18n/t.ts'
import { paths } from '../../paths.ts'

/** Leads admins to where they set up the mail server. From a dialog, it opens a new tab, so that nothing entered is lost. */
export function MailServerLink({ inDialog = false }: { inDialog?: boolean }) {
  const isAdmin = useIsAdmin()
  if (!isAdmin) return null
  return (
    <Link to={paths.settingsSection('email')} target={inDialog ? '_blank' : undefined}>
      {t('Set up a mail server')}
    </Link>
  )
}
