import type { UserRow } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useForm } from '../../api/use-form.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { AffectedLinks, affectedLinksQuery } from '../../features/link/affected-links.tsx'
import { handOverLinks } from '../../features/link/use-hand-over.ts'
import { PersonField } from '../../features/user/person-field.tsx'
import { useSuspend } from '../../features/user/user-queries.ts'
import { t } from '../../i18n/t.ts'

/** Suspends a user. Names the links that stop working, and offers to hand all of their links over first. */
export function SuspendUserDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const { id, name } = user
  const { data: affected } = useQuery(affectedLinksQuery({ owner: id }))
  const suspend = useSuspend(handOverLinks)
  const toast = useToast()
  const form = useForm({
    initial: { to: '' },
    action: suspend,
    failureTitle: t('The user was not suspended.'),
    fieldByCode: { 'user.no_access': 'to' },
    submit: ({ to }) =>
      suspend.run(
        { id, to },
        {
          onSuccess: () => {
            toast({ message: t('Suspended {name}.', { name }) })
            onClose()
          },
        },
      ),
  })
  return (
    <DialogFrame
      title={t('Suspend user')}
      description={t('{name} is signed out everywhere and can’t sign in until you restore them.', { name })}
      confirmLabel={t('Suspend')}
      danger
      {...form.dialog}
      onClose={onClose}
    >
      <AffectedLinks
        target={{ owner: id }}
        filters={{ owner: id }}
        describe={(n) => t('{n} links stop working while {name} is suspended.', { n, name })}
      />
      {affected && affected.count > 0 && (
        <PersonField
          label={t('Hand their links over to')}
          placeholder={t('Nobody: the links stop working')}
          hint={
            form.draft.to
              ? t('The links keep working, with the same codes. They stay with the new owner.')
              : t('Choose someone to keep the links working, with the same codes.')
          }
          isOffered={(person) => person.id !== id}
          {...form.field('to')}
        />
      )}
    </DialogFrame>
  )
}
