import { api, type DirectoryRow, type LinkRow, type UserRow } from '@neptune/contract'
import { queryOptions, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { call } from '../../api/client.ts'
import { readRows } from '../../api/read-rows.ts'
import { useHasSeveralCompanies, useSeesAllCompanies } from '../../api/session.ts'
import { Age } from '../../components/age.tsx'
import { classNames } from '../../components/class-names.ts'
import { Panel, PanelFailed, PanelLines, PanelNote } from '../../components/layout/panel.tsx'
import { createDistinctLabels } from '../../components/table/distinct-labels.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { formatDirectorySize } from '../../features/directory/directory-tiles.tsx'
import { getLinkTypeName, getStateName } from '../../features/link/link-texts.ts'
import { roleNames } from '../../features/user/roles.ts'
import { t } from '../../i18n/t.ts'
import { defaultCompany } from '../../lib/default-company.ts'
import { formatDaysLeft } from '../../lib/time/dates.ts'
import { paths } from '../../paths.ts'
import css from './company-page.module.css'

const c = classNames(css)

const maxShown = 5

/** The newest directories of a company. */
export const CompanyDirectories = ({ company }: { company: string }) => (
  <ListPanel
    title={t('Directories')}
    more={<Link to={`${paths.directories}?company=${company}`}>{t('Show all directories')}</Link>}
    query={directoriesQuery(company)}
    errorTitle={t('The directories did not load.')}
    empty={t('No directories yet.')}
  >
    {(directories) =>
      directories.map((directory) => (
        <Row
          key={directory.id}
          name={directory.directory}
          to={paths.directory(directory.id)}
          detail={formatDirectorySize(directory)}
          end={<Age instant={directory.date_created} short />}
        />
      ))
    }
  </ListPanel>
)

/** The first people of a company, by name, and people of other companies with access to it. */
export const CompanyPeople = ({ company }: { company: string }) => (
  <ListPanel
    title={t('People')}
    more={<Link to={`${paths.clients}?company=${company}`}>{t('Show all people')}</Link>}
    query={peopleQuery(company)}
    errorTitle={t('The users did not load.')}
    empty={t('No people yet.')}
    after={<CompanyGuests company={company} />}
  >
    {(people) =>
      people.map(({ id, name, email, role, suspended_at }) => (
        <Row
          key={id}
          name={name}
          to={paths.user(id)}
          detail={<TruncatedText text={email} />}
          end={suspended_at === null ? t(roleNames[role]) : t('Suspended')}
        />
      ))
    }
  </ListPanel>
)

/** Lists the first people of other companies who have access to this one. Shown to people who see several companies. */
function CompanyGuests({ company }: { company: string }) {
  const hasSeveral = useHasSeveralCompanies()
  const { data: guests = [] } = useQuery({ ...guestsQuery(company), enabled: hasSeveral })
  const seesAll = useSeesAllCompanies()
  return (
    <>
      {guests.length > 0 && (
        <>
          <h3 className={c('also')}>{t('Also have access')}</h3>
          <ul className={c('rows')} aria-label={t('Also have access')}>
            {guests.slice(0, maxShown).map(({ id, name, company_name, suspended_at }) => (
              <Row
                key={id}
                name={name}
                to={paths.user(id)}
                detail={<TruncatedText text={company_name ?? defaultCompany} />}
                end={suspended_at === null ? '' : t('Suspended')}
              />
            ))}
          </ul>
        </>
      )}
      {guests.length > maxShown && <PanelNote>{t('More people have access.')}</PanelNote>}
      {hasSeveral && (
        <PanelNote>
          {t('Administrators and people with access to all companies have access, too.')}{' '}
          {seesAll && <Link to={paths.clients}>{t('All users')}</Link>}
        </PanelNote>
      )}
    </>
  )
}

/** The newest links to files and directories of a company. */
export const CompanyLinks = ({ company }: { company: string }) => (
  <ListPanel
    title={t('Links')}
    more={<Link to={`${paths.links}?company=${company}`}>{t('Show all links')}</Link>}
    query={linksQuery(company)}
    errorTitle={t('The links did not load.')}
    empty={t('No links yet.')}
  >
    {(links) => {
      const labels = createDistinctLabels(
        links,
        ({ name }) => name || t('Unknown'),
        ({ key }) => key,
      )
      return links.map((link, index) => (
        <Row
          key={link.key}
          name={link.name}
          label={labels[index]?.label}
          to={`${paths.links}?${new URLSearchParams({ search: link.key })}`}
          detail={getLinkTypeName(link)}
          end={link.state === 'active' ? t('Expires {when}', { when: formatDaysLeft(link.expiry) }) : getStateName(link)}
        />
      ))
    }}
  </ListPanel>
)

// The keys start with those of the full lists, so that both are loaded again after a change.

const directoriesQuery = (company: string) =>
  queryOptions({
    queryKey: ['directories', 'newest', company],
    queryFn: ({ signal }) => {
      const query = { company, sort: '-created_at', limit: maxShown } as const
      const read = (cursor?: string) => call(api.directory.list, { query: { ...query, cursor } }, { signal })
      return readRows(read, undefined, maxShown).then(({ data }): DirectoryRow[] => data)
    },
  })

const peopleQuery = (company: string) =>
  queryOptions({
    queryKey: ['users', 'first', company],
    queryFn: ({ signal }) => {
      const query = { company, sort: 'name', limit: maxShown } as const
      const read = (cursor?: string) => call(api.user.list, { query: { ...query, cursor } }, { signal })
      return readRows(read, undefined, maxShown).then(({ data }): UserRow[] => data)
    },
  })

const guestsQuery = (company: string) =>
  queryOptions({
    queryKey: ['users', 'guests', company],
    queryFn: ({ signal }) => {
      const query = { guests_of: company, sort: 'name', limit: maxShown + 1 } as const
      const read = (cursor?: string) => call(api.user.list, { query: { ...query, cursor } }, { signal })
      return readRows(read, undefined, maxShown + 1).then(({ data }): UserRow[] => data)
    },
  })

const linksQuery = (company: string) =>
  queryOptions({
    queryKey: ['links', 'newest', company],
    queryFn: ({ signal }) => {
      const query = { company, sort: '-created_at', limit: maxShown } as const
      const read = (cursor?: string) => call(api.link.list, { query: { ...query, cursor } }, { signal })
      return readRows(read, undefined, maxShown).then(({ data }): LinkRow[] => data)
    },
  })

interface ListPanelProps<Item> {
  title: string
  /** A link to the whole list. */
  more: ReactNode
  query: UseQueryOptions<Item[], Error, Item[], string[]>
  errorTitle: string
  empty: string
  /** What follows the rows. */
  after?: ReactNode
  children: (rows: readonly Item[]) => ReactNode
}

function ListPanel<Item>({ title, more, query, errorTitle, empty, after, children }: ListPanelProps<Item>) {
  const { data: rows, isError, refetch } = useQuery(query)
  return (
    <Panel title={title} more={more}>
      {rows ? (
        rows.length > 0 ? (
          <ul className={c('rows')}>{children(rows)}</ul>
        ) : (
          <PanelNote>{empty}</PanelNote>
        )
      ) : isError ? (
        <PanelFailed title={errorTitle} onRetry={() => void refetch()} />
      ) : (
        <PanelLines lines={3} />
      )}
      {rows && after}
    </Panel>
  )
}

interface RowProps {
  name: string
  /** The accessible name of the link, if `name` is ambiguous. */
  label?: string | undefined
  to?: string
  detail: ReactNode
  end: ReactNode
}

const Row = ({ name, label, to, detail, end }: RowProps) => (
  <li className={c('row')}>
    <span className={c('text')}>
      {to === undefined ? (
        <span className={c('name')}>
          <TruncatedText text={name} />
        </span>
      ) : (
        <Link to={to} className={c('name', 'link')} aria-label={label}>
          <TruncatedText text={name} />
        </Link>
      )}
      <span className={c('secondary')}>{detail}</span>
    </span>
    <span className={c('secondary', 'end')}>{end}</span>
  </li>
)
