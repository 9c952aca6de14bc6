import type { InvitationLink } from '@neptune/contract'
import { t } from '../../../i18n/t.ts'
import { ShownOnceDialog } from '../../shared/dialogs/shown-once-dialog.tsx'
import { describeShownLink } from '../describe-shown-link.ts'

/** Shows the link of an invitation to an admin who has to pass it on, because there is no mail server. */
export const InvitationLinkDialog = ({ name, link, onClose }: { name: string; link: InvitationLink; onClose: () => void }) => (
  <ShownOnceDialog
    title={t('Invitation for {name}', { name })}
    label={t('Invitation link')}
    value={link.url}
    hint={describeShownLink(name, link)}
    onClose={onClose}
  />
)
