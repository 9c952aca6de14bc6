import type { LinkRow, Successor } from '@neptune/contract'
import { useForm } from '../../../api/use-form.ts'
import { useToast } from '../../../components/feedback/toast.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { useHandOverLinks } from '../../../features/link/hand-over-links.ts'
import { SuccessorField } from '../../../features/user/successor-field.tsx'
import { t } from '../../../i18n/t.ts'
import { shortenName } from '../../../lib/shorten-name.ts'

interface Draft {
  successor: Successor | undefined
}

/** Hands one link over to someone else. */
export function HandOverDialog({ link, onClose }: { link: LinkRow; onClose: () => void }) {
  const owner = link.maker_id ?? ''
  const handOver = useHandOverLinks()
  const toast = useToast()
  const form = useForm<Draft>({
    initial: { successor: undefined },
    action: handOver,
    failureTitle: t('The link was not handed over.'),
    fieldByCode: { 'user.no_access': 'successor', 'user.not_found': 'successor' },
    validate: ({ successor }) => (successor ? {} : { successor: t('Choose a person.') }),
    submit: ({ successor }) =>
      handOver.run(
        { from: owner, to: successor?.id ?? '', keys: [link.key] },
        {
          onSuccess: () => {
            const names = { name: shortenName(link.name), owner: successor?.name ?? '' }
            toast({ message: t('The link to “{name}” now belongs to {owner}.', names) })
            onClose()
          },
        },
      ),
  })
  return (
    <DialogFrame
      title={t('Hand over link')}
      description={t(
        'The link to “{name}” belongs to {owner}. Its code stays the same, and its notifications go to the new owner.',
        {
          name: link.name,
          owner: link.maker,
        },
      )}
      confirmLabel={t('Hand over')}
      {...form.dialog}
      onClose={onClose}
    >
      <SuccessorField
        user={owner}
        links={{ link: link.key }}
        name="successor"
        chosen={form.draft.successor}
        error={form.errors['successor']}
        onChange={(successor) => form.change({ successor })}
      />
    </DialogFrame>
  )
}
