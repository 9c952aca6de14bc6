import { maxRemovalCount, type Removal, type Successor, type UserRow } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useForm } from '../../api/use-form.ts'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { useToast } from '../../components/feedback/toast.tsx'
import { ChoiceField } from '../../components/form/choice-field.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { SuccessorField } from '../../features/user/successor-field.tsx'
import { removalQuery, useRemoveUser } from '../../features/user/user-queries.ts'
import { t } from '../../i18n/t.ts'
import { paths } from '../../paths.ts'

interface Draft {
  links: 'hand-over' | 'close'
  /** Who takes over the links. */
  successor: Successor | undefined
}

/** Removes a user for good, after asking what happens to their links. */
export function RemoveUserDialog({ user: { id, name }, onClose }: { user: UserRow; onClose: () => void }) {
  const removal = useQuery(removalQuery(id))
  const hasLinks = (removal.data?.links ?? 0) > 0
  const remove = useRemoveUser()
  const toast = useToast()
  const navigate = useNavigate()
  const form = useForm<Draft>({
    initial: { links: 'hand-over', successor: undefined },
    action: remove,
    failureTitle: t('The user was not removed.'),
    fieldByCode: { 'user.no_access': 'successor' },
    validate: ({ links, successor }) =>
      hasLinks && links === 'hand-over' && !successor ? { successor: t('Choose who takes over the links.') } : {},
    submit: ({ links, successor }) =>
      remove.run(
        { id, ...(hasLinks && (links === 'close' ? { closeLinks: true } : successor && { to: successor.id })) },
        {
          onSuccess: () => {
            toast({ message: t('Removed {name}.', { name }) })
            onClose()
            void navigate(paths.clients)
          },
        },
      ),
  })
  return (
    <DialogFrame
      title={t('Remove user')}
      description={t('{name} can’t sign in any more. Files stay, and so does their name on what they did. You can’t undo this.', {
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
        <>
          <ChoiceField
            label={t('Their links')}
            name="links"
            choices={[
              { value: 'hand-over', label: t('Hand over'), hint: t('The links keep working, with the same codes.') },
              { value: 'close', label: t('Close'), hint: t('Recipients see that they have expired. You can extend them later.') },
            ]}
            value={form.draft.links}
            onChange={(links) => form.change({ links })}
          />
          {form.draft.links === 'hand-over' && (
            <SuccessorField
              user={id}
              name="successor"
              chosen={form.draft.successor}
              error={form.errors['successor']}
              onChange={(successor) => form.change({ successor })}
            />
          )}
        </>
      )}
    </DialogFrame>
  )
}

/** Says what ends besides the user’s account. */
function Consequences({ links, uploads, webhooks }: Removal) {
  const lines = [
    links > 0 && t('They own {n} links that haven’t expired.', { n: links < maxRemovalCount ? links : `${links}+` }),
    webhooks > 0 && t('{n} webhooks are deleted.', { n: webhooks }),
    uploads > 0 && t('{n} unfinished uploads are discarded.', { n: uploads < maxRemovalCount ? uploads : `${uploads}+` }),
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
