import type { Dashboard } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { FormError } from '../../components/form/form-error.tsx'
import { Panel, PanelFailed, PanelLines, PanelNote } from '../../components/layout/panel.tsx'
import { useFocusRetention } from '../../components/layout/use-focus-retention.ts'
import { createDistinctLabels } from '../../components/table/distinct-labels.ts'
import { getLinkStateLabel } from '../../features/link/link-texts.ts'
import { dashboardQuery } from '../../features/stats/stats-queries.ts'
import { formatNumber, t } from '../../i18n/t.ts'
import { useNow } from '../../lib/time/use-now.ts'
import { paths } from '../../paths.ts'
import css from './attention.module.css'
import { AttentionItem, getSubject } from './attention-item.tsx'

const c = classNames(css)

const panelId = 'attention'

/** The rows that need the user’s attention, each with an action. */
export function Attention() {
  const { data, isError, refetch } = useQuery(dashboardQuery())
  return (
    // Focused by `AttentionButton`.
    <div id={panelId} tabIndex={-1} className={c('panel')}>
      <Panel title={t('Needs your attention')}>
        {data ? (
          <Rows {...data.attention} />
        ) : isError ? (
          <PanelFailed title={t('This list did not load.')} onRetry={() => void refetch()} />
        ) : (
          <PanelLines lines={3} />
        )}
      </Panel>
    </div>
  )
}

type AttentionData = Dashboard['attention']

function Rows({ rows, more }: AttentionData) {
  const [failure, setFailure] = useState<string>()
  const list = useFocusRetention<HTMLUListElement>()
  useNow() // renders again as time passes, to update the time left
  const labels = createDistinctLabels(
    rows,
    (row) => getSubject(row) || t('Unknown'),
    ({ link, request }) => link?.key ?? request?.key,
  )
  return (
    <>
      {failure && <FormError title={failure} announce="alert" />}
      {rows.length === 0 ? (
        <PanelNote>{t('Nothing needs your attention.')}</PanelNote>
      ) : (
        <ul ref={list} className={c('rows')}>
          {rows.map((row, index) => (
            <AttentionItem key={getRowId(row)} row={row} label={labels[index]?.label ?? ''} onFailure={setFailure} />
          ))}
        </ul>
      )}
      {more.length > 0 && (
        <ul className={c('more')}>
          {more.map((name) => (
            <li key={name}>
              <Link to={getListPath(name)}>{t('Show all: {list}', { list: getListTitle(name) })}</Link>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const getRowId = ({ kind, request, link, company }: AttentionData['rows'][number]) =>
  `${kind} ${request?.id ?? link?.key ?? company?.id ?? ''}`

type ListName = AttentionData['more'][number]

function getListTitle(name: ListName): string {
  if (name === 'request') return t('Requests from recipients')
  return name === 'quota' ? t('Companies') : getLinkStateLabel(name)
}

function getListPath(name: ListName): string {
  if (name === 'request') return paths.links
  if (name === 'quota') return paths.companies
  return `${paths.links}?${new URLSearchParams({ state: name, ...(name === 'expiring' && { sort: 'expiry' }) })}`
}

/**
 * Shows how many rows need attention and scrolls to them, on screens where the list comes after the files. This button is in the header, so
 * that the layout doesn’t shift when the number has loaded.
 */
export function AttentionButton() {
  const attention = useQuery(dashboardQuery()).data?.attention
  const { rows = [], more = [] } = attention ?? {}
  const count = `${formatNumber(rows.length)}${more.length > 0 ? '+' : ''}`
  if (attention && rows.length === 0) return <p className={c('jump', 'calm')}>{t('Nothing needs your attention.')}</p>
  return (
    <div className={c('jump')}>
      <Button onClick={() => document.getElementById(panelId)?.focus()}>
        {t('Needs your attention')}
        {rows.length > 0 && <span className={c('count')}>{count}</span>}
      </Button>
    </div>
  )
}
