import { maxRemovalCount, type Removal, type UserRow } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useForm } from '../../../api/use-form.ts'
import { ErrorState } from '../../../components/feedback/error-state.tsx'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { useToast } from '../../../components/feedback/toast.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { AffectedLinks } from '../../../features/link/affected-links.tsx'
import { removalQuery, useRemoveUser } from '../../../features/user/user-queries.ts'
import { t } from '../../../i18n/t.ts'
import { paths } from '../../../paths.ts'
import { getNewOwner, type OwnedLinksDraft, OwnedLinksFields, validateOwnedLinks } from '../owned-links-fields.tsx'

/** Removes a user for good, after asking what happens to their links. */
export function RemoveUserDialog({ user: { id, name }, onClose }: { user: UserRow; onClose: () => void }) {
  const removal = useQuery(removalQuery(id))
  const hasLinks = (removal.data?.links ?? 0) > 0
  const remove = useRemoveUser()
  const toast = useToast()
  const navigate = useNavigate()
  const form = useForm<OwnedLinksDraft<'close'>>({
    initial: { links: 'hand-over', successor: undefined },
    action: remove,
    failureTitle: t('The user was not removed.'),
    fieldByCode: { 'user.no_access': 'successor' },
    validate: (draft) => (hasLinks ? validateOwnedLinks(draft) : {}),
    submit: (draft) =>
      remove.run(
        { id, ...(hasLinks && (draft.links === 'close' ? { closeLinks: true } : { to: getNewOwner(draft) })) },
        {
          onSuccess: () => {
            toast({ message: `${t('Removed {name}.', { name })}${describeLinks(removal.data, draft)}` })
            onClose()
            void navigate(paths.clients)
          },
        },
      ),
  })
  return (
    <DialogFrame
      title={t('Remove user')}
      description={t('{name} can no longer sign in. Files stay, and Activity still shows their name. You can’t undo this.', {
        name,
      })}
      confirmLabel={t('Remove user')}
      confirmDisabledReason={removal.data ? undefined : t('Wait a moment.')}
      danger
      {...form.dialog}
      onClose={onClose}
    >
      {removal.data ? (
        <Consequences {...removal.data} />
      ) : removal.isError ? (
        <ErrorState title={t('The user did not load.')} detail={removal.error.message} onRetry={() => void removal.refetch()} />
      ) : (
        <Skeleton width="60%" label={t('Loading')} />
      )}
      {hasLinks && (
        <OwnedLinksFields
          user={id}
          choices={[
            { value: 'hand-over', label: t('Hand over'), hint: t('The links keep working, with the same codes.') },
            {
              value: 'close',
              label: t('Close'),
              hint: t('Recipients see that the links have expired. You can extend them later.'),
            },
          ]}
          draft={form.draft}
          errors={form.errors}
          onChange={form.change}
        >
          <AffectedLinks target={{ owner: id }} filters={{ owner: id }} isHandedOver={form.draft.links === 'hand-over'} />
        </OwnedLinksFields>
      )}
    </DialogFrame>
  )
}

/** Says what happened to the links that hadn’t expired. */
function describeLinks(removal: Removal | undefined, { links, successor }: OwnedLinksDraft<'close'>): string {
  const count = removal?.links ?? 0
  const n = formatCount(count)
  if (count === 0) return ''
  const owner = successor?.name ?? ''
  return ` ${links === 'close' ? t('{n} links were closed.', { n }) : t('{n} links now belong to {owner}.', { n, owner })}`
}

const formatCount = (count: number) => (count < maxRemovalCount ? count : `${count}+`)

/** Says what ends besides the user’s account. */
function Consequences({ links, uploads, webhooks }: Removal) {
  const lines = [
    links > 0 && t('They own {n} links that haven’t expired.', { n: formatCount(links) }),
    webhooks > 0 && t('{n} webhooks are deleted.', { n: webhooks }),
    uploads > 0 && t('{n} unfinished uploads are discarded.', { n: formatCount(uploads) }),
    t('Their sessions end, and their API tokens are revoked.'),
  ].filter((line) => line !== false)
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}
