import { api, type LinkRow } from '@neptune/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../../api/client.ts'
import { readRows } from '../../api/read-rows.ts'
import { classNames } from '../../components/class-names.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { Button } from '../../components/form/button.tsx'
import { Panel, PanelFailed, PanelLines, PanelNote } from '../../components/layout/panel.tsx'
import { useFocusRetention } from '../../components/layout/use-focus-retention.ts'
import { createDistinctLabels } from '../../components/table/distinct-labels.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { t } from '../../i18n/t.ts'
import { defaultCompany } from '../../lib/default-company.ts'
import { shortenName } from '../../lib/shorten-name.ts'
import { formatDateTime, formatDaysLeft } from '../../lib/time/dates.ts'
import { useNow } from '../../lib/time/use-now.ts'
import { paths } from '../../paths.ts'
import css from './expiring-links.module.css'
import { useExtension } from './link-limits.ts'
import { useExtendLink } from './link-queries.ts'
import { linkTypeNames } from './link-texts.ts'

const c = classNames(css)

const maxShown = 5

/** Loads the links that expire within a week, soonest first: one more than is shown, to know whether there are more. */
const expiringQuery = () =>
  queryOptions({
    queryKey: ['links', 'expiring'],
    queryFn: ({ signal }) => {
      const query = { state: 'expiring', sort: 'expiry', limit: maxShown + 1 } as const
      const read = (cursor?: string) => call(api.link.list, { query: { ...query, cursor } }, { signal })
      return readRows(read, undefined, query.limit).then(({ data }) => data)
    },
  })

/** Links that are about to expire, with a button to extend them. */
export function ExpiringLinks() {
  const { data: links, isError, refetch } = useQuery(expiringQuery())
  const allExpiringPath = `${paths.links}?state=expiring&sort=expiry`
  return (
    <Panel
      title={t('Links about to expire')}
      more={links && links.length > maxShown && <Link to={allExpiringPath}>{t('Show all expiring links')}</Link>}
    >
      {links ? (
        <Rows links={links.slice(0, maxShown)} />
      ) : isError ? (
        <PanelFailed title={t('The links did not load.')} onRetry={() => void refetch()} />
      ) : (
        <PanelLines lines={3} />
      )}
    </Panel>
  )
}

function Rows({ links }: { links: readonly LinkRow[] }) {
  const list = useFocusRetention<HTMLUListElement>()
  const labels = createDistinctLabels(
    links,
    ({ name }) => name || t('Unknown'),
    ({ key }) => key,
  )
  useNow() // renders again as time passes, to update the time left
  if (links.length === 0) return <PanelNote>{t('No link expires within the next 7 days.')}</PanelNote>
  return (
    <ul ref={list} className={c('rows')}>
      {links.map((link, index) => (
        <Row key={link.key} link={link} label={labels[index]?.label ?? link.name} />
      ))}
    </ul>
  )
}

function Row({ link: { key, name, type, client, expiry }, label }: { link: LinkRow; label: string }) {
  const extending = useExtendLink()
  const extension = useExtension()(expiry)
  const toast = useToast()
  const extend = () =>
    extending.run(key, {
      onSuccess: (link) =>
        toast({ message: t('“{name}” now expires {when}.', { name: shortenName(name), when: formatDaysLeft(link.expiry) }) }),
      onError: ({ message }) => toast({ message }),
    })
  return (
    <li className={c('row')}>
      <span className={c('text')}>
        <Link to={`${paths.links}?${new URLSearchParams({ search: key })}`} className={c('name')} title={name} aria-label={label}>
          <TruncatedText text={name} />
        </Link>
        <span className={c('secondary')}>{`${t(linkTypeNames[type])} · ${client ?? defaultCompany}`}</span>
      </span>
      <time dateTime={expiry} title={formatDateTime(expiry)} className={c('expiry')}>
        {formatDaysLeft(expiry)}
      </time>
      <Button
        busy={extending.isBusy}
        disabledReason={extension.reason}
        aria-label={extension.label ? `${extension.label}: ${label}` : t('30 more days for {name}', { name: label })}
        onClick={extend}
      >
        {extension.label ?? t('30 more days')}
      </Button>
    </li>
  )
}
