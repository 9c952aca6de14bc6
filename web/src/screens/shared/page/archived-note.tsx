import { Link } from 'react-router'
import { classNames } from '../../../components/class-names.ts'
import { ArchiveIcon } from '../../../components/icons.tsx'
import { useUnlistedCompany } from '../../../features/company/company-queries.ts'
import { t } from '../../../i18n/t.ts'
import { paths } from '../../../paths.ts'
import css from './archived-note.module.css'

const c = classNames(css)

/** Says that a company is archived, what that means, and where it can be restored. */
export const ArchivedNote = ({ id, name }: { id: string; name: string }) => (
  <p className={c('note')}>
    <ArchiveIcon />
    <span>
      {t('{company} is archived: you can see and download everything, but not add, move or share anything.', {
        company: name,
      })}{' '}
      <Link to={paths.company(id)} className={c('link')}>
        {t('Go to the company')}
      </Link>
    </span>
  </p>
)

/** Shows the note if a list is filtered by an archived company. */
export function ArchivedFilterNote({ company }: { company: string | undefined }) {
  const unlisted = useUnlistedCompany(company)
  return unlisted && unlisted.archived_at !== null && <ArchivedNote {...unlisted} />
}
