import { Link } from 'react-router'
import { useIsAdmin } from '../../api/session.ts'
import { t } from '../../i18n/t.ts'
import { paths } from '../../paths.ts'

interface Props {
  isInDialog?: boolean
  /** Whether a mail server is already set up, so that the link offers to change it. */
  isSetUp?: boolean
}

/** Leads admins to where they set up the mail server. From a dialog, it opens a new tab, so that nothing entered is lost. */
export function MailServerLink({ isInDialog = false, isSetUp = false }: Props) {
  const isAdmin = useIsAdmin()
  if (!isAdmin) return null
  return (
    <Link to={paths.settingsSection('email')} target={isInDialog ? '_blank' : undefined}>
      {isSetUp ? t('Change the mail server') : t('Set up a mail server')}
    </Link>
  )
}
