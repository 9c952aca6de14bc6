import type { UserRow } from '@neptune/contract'
import { useForm } from '../../../api/use-form.ts'
import { useToast } from '../../../components/feedback/toast.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { useChangeRights } from '../../../features/user/user-queries.ts'
import { t } from '../../../i18n/t.ts'
import { AccessChoices, type AccessDraft, validateAccess } from '../access-fields.tsx'
import { describeHandOver } from '../owned-links-fields.tsx'
import { getSavedAccess, useAccessDraft } from '../use-access-draft.ts'
import { emptyLostLinks, type LostLinksDraft, useLostLinks } from '../use-lost-links.tsx'

/** Changes which companies a user may see. Names the links that stop working, and offers to hand them over. */
export function ChangeAccessDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const { id, name } = user
  const change = useChangeRights()
  const toast = useToast()
  const form = useForm<AccessDraft & LostLinksDraft>({
    initial: { access: getSavedAccess(user), companies: undefined, ...emptyLostLinks },
    action: change,
    failureTitle: t('The access was not changed.'),
    fieldByCode: { 'user.no_access': 'successor' },
    validate: (draft) => ({ ...validateAccess(draft.access, saved.selected), ...lostLinks.validate(draft) }),
    submit: (draft) =>
      change.run(
        { kind: 'update', id, role: undefined, access: saved.change, handOver: lostLinks.getHandOver(draft) },
        {
          onSuccess: (links) => {
            toast({ message: `${t('Saved the access of {name}.', { name })}${describeHandOver(links, draft.successor)}` })
            onClose()
          },
        },
      ),
  })
  const saved = useAccessDraft(user, { ...form.draft, role: user.role })
  const lostLinks = useLostLinks(user, saved.reduced)
  const { company, selected, failure } = saved.fields
  return (
    <DialogFrame
      title={t('Change access')}
      description={t('Which companies {name} may see and work in. It takes effect right away.', { name })}
      confirmLabel={t('Save')}
      confirmDisabledReason={lostLinks.pendingReason ?? (saved.change ? undefined : t('They already have this access.'))}
      {...form.dialog}
      dirty={saved.change !== undefined}
      onClose={onClose}
    >
      <AccessChoices
        company={company}
        draft={{ access: form.draft.access, companies: form.draft.companies }}
        selected={selected}
        failure={failure}
        error={form.errors['companies']}
        onChange={form.change}
      />
      {lostLinks.render(form.draft, form)}
    </DialogFrame>
  )
}
