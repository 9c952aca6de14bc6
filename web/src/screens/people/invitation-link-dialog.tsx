import type { InvitationLink } from '@neptune/contract'
import { t } from '../../i18n/t.ts'
import { formatDateTimeWithZone } from '../../lib/time/dates.ts'
import { ShownOnceDialog } from '../shared/dialogs/shown-once-dialog.tsx'

/** Shows the link of an invitation to an admin who has to pass it on, because there is no mail server. */
export const InvitationLinkDialog = ({ name, link, onClose }: { name: string; link: InvitationLink; onClose: () => void }) => (
  <ShownOnceDialog
    title={t('Invitation for {name}', { name })}
    label={t('Invitation link')}
    value={link.url}
    hint={t('No mail server is set up, so send this link to {name} yourself. It works once, until {time}.', {
      name,
      time: formatDateTimeWithZone(link.ends_at),
    })}
    onClose={onClose}
  />
)
