import type { CompanyRow } from '@neptune/contract'
import { describeFailure } from '../../api/form-errors.ts'
import { classNames } from '../../components/class-names.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { useArchiveCompany, useRestoreCompany } from '../../features/company/company-queries.ts'
import { AffectedLinks } from '../../features/link/affected-links.tsx'
import { t } from '../../i18n/t.ts'
import { shortenName } from '../../lib/shorten-name.ts'
import css from './archive-company-dialog.module.css'

const c = classNames(css)

interface Props {
  company: CompanyRow
  onClose: () => void
}

/** Explains what archiving a company does, and asks for confirmation. */
export function ArchiveCompanyDialog({ company, onClose }: Props) {
  const archive = useArchiveCompany()
  const restore = useRestoreCompany()
  const toast = useToast()
  const name = shortenName(company.name)
  const undo = () =>
    restore.run(company.id, {
      onSuccess: () => toast({ message: t('Restored {name}. (a company)', { name }) }),
      onError: ({ message }) => toast({ message }),
    })
  const confirm = () =>
    archive.run(company.id, {
      onSuccess: () => {
        toast({ message: t('Archived {name}.', { name }), undo })
        onClose()
      },
    })
  return (
    <DialogFrame
      title={t('Archive company')}
      description={<strong className={c('name')}>{company.name}</strong>}
      confirmLabel={t('Archive (a company)')}
      action={archive}
      error={describeFailure(archive.error, t('The company was not archived.'))}
      onConfirm={confirm}
      onClose={onClose}
    >
      <ul className={c('effects')}>
        {company.people > 0 && <li>{t('Its people can’t sign in.')}</li>}
        <li>{t('Nothing can be added, moved or shared.')}</li>
        <li>{t('Nothing is lost: everyone else with access can still see and download everything.')}</li>
        <li>{t('You can restore the company at any time. Then its links work again, unless they’ve expired.')}</li>
      </ul>
      <AffectedLinks target={{ company: company.id }} filters={{ company: company.id }} />
    </DialogFrame>
  )
}

export function RestoreCompanyDialog({ company, onClose }: Props) {
  const restore = useRestoreCompany()
  const toast = useToast()
  const name = shortenName(company.name)
  const confirm = () =>
    restore.run(company.id, {
      onSuccess: () => {
        toast({ message: t('Restored {name}. (a company)', { name }) })
        onClose()
      },
    })
  return (
    <DialogFrame
      title={t('Restore company')}
      description={<strong className={c('name')}>{company.name}</strong>}
      confirmLabel={t('Restore')}
      action={restore}
      error={describeFailure(restore.error, t('The company was not restored.'))}
      onConfirm={confirm}
      onClose={onClose}
    >
      <ul className={c('effects')}>
        <li>{t('Its links work again, unless they’ve expired in the meantime.')}</li>
        {company.people > 0 && <li>{t('Its people can sign in again.')}</li>}
      </ul>
    </DialogFrame>
  )
}
