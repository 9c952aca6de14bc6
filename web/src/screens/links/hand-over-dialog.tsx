import type { LinkRow } from '@neptune/contract'
import { useForm } from '../../api/use-form.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { useHandOver } from '../../features/link/use-hand-over.ts'
import { PersonField } from '../../features/user/person-field.tsx'
import { t } from '../../i18n/t.ts'
import { shortenName } from '../../lib/shorten-name.ts'

/** Hands one link over to someone else. */
export function HandOverDialog({ link, onClose }: { link: LinkRow; onClose: () => void }) {
  const handOver = useHandOver()
  const toast = useToast()
  const form = useForm({
    initial: { to: '' },
    action: handOver,
    failureTitle: t('The link was not handed over.'),
    fieldByCode: { 'user.no_access': 'to', 'user.not_found': 'to' },
    validate: ({ to }) => (to ? {} : { to: t('Choose a person.') }),
    submit: ({ to }) =>
      handOver.run(
        { from: link.maker_id ?? '', to, keys: [link.key] },
        {
          onSuccess: () => {
            toast({ message: t('Handed over the link to “{name}”.', { name: shortenName(link.name) }) })
            onClose()
          },
        },
      ),
  })
  return (
    <DialogFrame
      title={t('Hand over link')}
      description={t('“{name}”, shared by {maker}. Its code stays the same. The new owner gets its notices.', {
        name: link.name,
        maker: link.maker,
      })}
      confirmLabel={t('Hand over')}
      {...form.dialog}
      onClose={onClose}
    >
      <PersonField
        label={t('New owner')}
        required
        placeholder={t('Choose a person')}
        isOffered={({ id }) => id !== link.maker_id}
        {...form.field('to')}
      />
    </DialogFrame>
  )
}
