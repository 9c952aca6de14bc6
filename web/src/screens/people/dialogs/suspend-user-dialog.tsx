import type { UserRow } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useForm } from '../../../api/use-form.ts'
import { useToast } from '../../../components/feedback/toast.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { AffectedLinks, affectedLinksQuery } from '../../../features/link/affected-links.tsx'
import { handOverLinks } from '../../../features/link/hand-over-links.ts'
import { useSuspendUser } from '../../../features/user/user-queries.ts'
import { t } from '../../../i18n/t.ts'
import {
  describeHandOver,
  getNewOwner,
  type OwnedLinksDraft,
  OwnedLinksFields,
  validateOwnedLinks,
} from '../owned-links-fields.tsx'

/** Suspends a user. Names the links that stop working, and offers to hand all of their links over first. */
export function SuspendUserDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const { id, name } = user
  const { data: affected } = useQuery(affectedLinksQuery({ owner: id }))
  const suspend = useSuspendUser(handOverLinks)
  const toast = useToast()
  const form = useForm<OwnedLinksDraft<'pause'>>({
    initial: { links: 'pause', successor: undefined },
    action: suspend,
    failureTitle: t('The user was not suspended.'),
    fieldByCode: { 'user.no_access': 'successor' },
    validate: validateOwnedLinks,
    submit: (draft) =>
      suspend.run(
        { id, to: getNewOwner(draft) },
        {
          onSuccess: (links) => {
            toast({ message: `${t('Suspended {name}.', { name })}${describeHandOver(links, draft.successor)}` })
            onClose()
          },
        },
      ),
  })
  const consequences = (
    <AffectedLinks
      target={{ owner: id }}
      filters={{ owner: id }}
      describe={(n) => t('{n} links stop working while {name} is suspended.', { n, name })}
      isHandedOver={form.draft.links === 'hand-over'}
    />
  )
  return (
    <DialogFrame
      title={t('Suspend user')}
      description={t('{name} is signed out everywhere and can’t sign in until you restore them.', { name })}
      confirmLabel={t('Suspend')}
      danger
      {...form.dialog}
      onClose={onClose}
    >
      {user.invitation_ends_at && <p>{t('Suspending them ends their invitation.')}</p>}
      {affected && affected.count > 0 ? (
        <OwnedLinksFields
          user={id}
          choices={[
            { value: 'pause', label: t('Pause'), hint: t('They work again when you restore {name}.', { name }) },
            {
              value: 'hand-over',
              label: t('Hand over'),
              hint: t('The links keep working, with the same codes. The new owner keeps them even if you restore this user.'),
            },
          ]}
          draft={form.draft}
          errors={form.errors}
          onChange={form.change}
        >
          {consequences}
        </OwnedLinksFields>
      ) : (
        consequences
      )}
    </DialogFrame>
  )
}
