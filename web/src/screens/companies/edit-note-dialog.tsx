import { type CompanyDetails, noteMax } from '@neptune/contract'
import { useForm } from '../../api/use-form.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { TextArea } from '../../components/form/text-area.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { useChangeCompany } from '../../features/company/company-queries.ts'
import { t } from '../../i18n/t.ts'
import { shortenName } from '../../lib/shorten-name.ts'
import { CompanyDialogLoader } from './company-dialog-loader.tsx'

interface Props {
  company: Pick<CompanyDetails, 'id' | 'name'>
  onClose: () => void
}

/** Edits the note of a company. Lists don’t contain it, so it is loaded first. */
export const EditNoteDialog = ({ company, onClose }: Props) => (
  <CompanyDialogLoader id={company.id} title={t('Edit note')} onClose={onClose}>
    {(company) => <NoteForm company={company} onClose={onClose} />}
  </CompanyDialogLoader>
)

function NoteForm({ company, onClose }: { company: CompanyDetails; onClose: () => void }) {
  const change = useChangeCompany()
  const toast = useToast()
  const name = shortenName(company.name)
  const form = useForm({
    initial: { note: company.note ?? '' },
    action: change,
    failureTitle: t('The note was not saved.'),
    submit: ({ note }) =>
      change.run(
        // Pasted text can contain tabs and carriage returns, which the server rejects.
        { id: company.id, note: note.replaceAll(/\r\n?/g, '\n').replaceAll('\t', ' ') },
        {
          onSuccess: () => {
            toast({ message: t('Saved the note about {name}.', { name }) })
            onClose()
          },
        },
      ),
  })
  return (
    <DialogFrame
      title={t('Edit note')}
      description={t(
        'Visible to admins, and to people of other companies with access to {name}. The company’s own people can’t see it, unless they’re admins.',
        { name },
      )}
      confirmLabel={t('Save')}
      {...form.dialog}
      onClose={onClose}
    >
      <TextArea label={t('Note')} rows={6} maxLength={noteMax} {...form.field('note')} />
    </DialogFrame>
  )
}
