import { type Args, api, maxAffectedLinks, type AffectedLinks as Reply } from '@neptune/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../../api/client.ts'
import { useHasSeveralCompanies } from '../../api/session.ts'
import { classNames } from '../../components/class-names.ts'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { AlertIcon, LinkIcon } from '../../components/icons.tsx'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { t } from '../../i18n/t.ts'
import { defaultCompany } from '../../lib/default-company.ts'
import { formatShortAge } from '../../lib/time/dates.ts'
import { paths } from '../../paths.ts'
import css from './affected-links.module.css'

const c = classNames(css)

type Body = Args<typeof api.link.affected>['body']

/**
 * What is about to change: files, a version or directories to delete, or to move (`to`), an owner to suspend or give less access, or a
 * company to archive.
 */
export type AffectedTarget = Omit<Body, 'directory' | 'directories'> & { directories?: readonly string[] }

/** After this time the dialog says that the links could not be checked. */
const timeoutMs = 10_000

/**
 * Loads the links that would stop working. Cached for a few seconds only, so that the dialog reuses the result of the check before it,
 * but the next deletion checks again.
 */
export const affectedLinksQuery = (target: AffectedTarget) =>
  queryOptions({
    queryKey: ['links', 'affected', target],
    queryFn: ({ signal }) => listAffectedLinks(target, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])),
    staleTime: 5_000,
    gcTime: 5_000,
    retry: false,
    networkMode: 'always',
  })

/** How many files or folders one call accepts. */
const maxBatchSize = 200

/** Lists the affected links. Deleting several directories, or a large selection, takes several calls. */
async function listAffectedLinks(
  { files = [], directories = [], ...target }: AffectedTarget,
  signal: AbortSignal,
): Promise<Reply> {
  const bodies: Body[] = [
    ...toBatches(files).map((batch) => ({ ...target, files: batch })),
    ...(target.to === undefined
      ? directories.map((directory) => ({ ...target, directory }))
      : toBatches(directories).map((batch) => ({ ...target, directories: batch }))),
  ]
  let all: Reply = { count: 0, links: [] }
  for (const body of bodies.length > 0 ? bodies : [target]) {
    if (all.count >= maxAffectedLinks) break
    all = merge(all, (await call(api.link.affected, { body }, { signal })).data)
  }
  return all
}

const toBatches = (ids: readonly string[]) =>
  Array.from({ length: Math.ceil(ids.length / maxBatchSize) }, (_, batch) =>
    ids.slice(batch * maxBatchSize, (batch + 1) * maxBatchSize),
  )

function merge(a: Reply, b: Reply): Reply {
  const links = [...a.links, ...b.links].sort((a, b) => (b.last_used_at ?? '').localeCompare(a.last_used_at ?? ''))
  return { count: Math.min(a.count + b.count, maxAffectedLinks), links: links.slice(0, maxNamed) }
}

/** How many links a reply names. */
const maxNamed = 5

interface AffectedLinksProps {
  target: AffectedTarget
  /** The filters with which the Links page shows all affected links. If not set, there is no link to that page. */
  filters?: Record<string, string> | undefined
  /** Says how many links stop working. Default: “{n} links will stop working.” */
  describe?: ((n: string | number) => string) | undefined
  /** Whether the links get a new owner instead, so that they keep working. */
  isHandedOver?: boolean | undefined
}

/** Names the links that will stop working or get a new owner, and when they were last used. */
export function AffectedLinks({ target, ...props }: AffectedLinksProps) {
  const { data, isError } = useQuery(affectedLinksQuery(target))
  if (isError)
    return (
      <p className={c('box')} role="status">
        <AlertIcon />
        <span>{t('We couldn’t check whether links would stop working. You can still continue.')}</span>
      </p>
    )
  if (!data) return <Skeleton label={t('Checking which links would stop working')} />
  if (data.count === 0) return <p className={c('none')}>{t('No links will stop working.')}</p>
  return <AffectedList {...data} {...props} />
}

function AffectedList({ count, links, filters, describe, isHandedOver = false }: Reply & Omit<AffectedLinksProps, 'target'>) {
  const n = count < maxAffectedLinks ? count : `${count}+`
  const hasSeveralCompanies = useHasSeveralCompanies()
  const [summary, label] = isHandedOver
    ? [t('{n} working links get a new owner.', { n }), t('Links that get a new owner')]
    : [describe?.(n) ?? t('{n} links will stop working.', { n }), t('Links that will stop working')]
  return (
    <div className={c('box')}>
      {isHandedOver ? <LinkIcon /> : <AlertIcon />}
      <div className={c('content')}>
        <p role="status">{summary}</p>
        <ul className={c('links')} aria-label={label}>
          {links.map(({ key, name, client, email, last_used_at }) => (
            <li key={key} className={c('link')}>
              <span className={c('name')}>
                <TruncatedText text={name} />
                <LinkDetail company={hasSeveralCompanies ? (client ?? defaultCompany) : null} email={email} />
              </span>
              <span className={c('use')}>
                {last_used_at === null ? t('Never used') : t('Last used {when}', { when: formatShortAge(last_used_at) })}
              </span>
            </li>
          ))}
        </ul>
        {filters && count > links.length && (
          <Link to={`${paths.links}?${new URLSearchParams({ ...filters, state: 'active' })}`} className={c('all')}>
            {t('Show all {n} links', { n })}
          </Link>
        )}
      </div>
    </div>
  )
}

/** The company of a link, for people who see several, and the address it was sent to. */
const LinkDetail = ({ company, email }: { company: string | null; email: string | null }) =>
  (company !== null || email !== null) && (
    <span className={c('use')}>{[company, email && t('for {email}', { email })].filter(Boolean).join(' · ')}</span>
  )
