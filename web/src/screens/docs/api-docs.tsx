import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { classNames } from '../../components/class-names.ts'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { TextField } from '../../components/form/field.tsx'
import { formatNumber, t } from '../../i18n/t.ts'
import css from './docs.module.css'
import { operationsQuery } from './docs-queries.ts'
import { DocsSkeleton } from './docs-skeleton.tsx'
import { OperationList } from './operation-list.tsx'
import { matchesFilter } from './operations.ts'

const c = classNames(css)

/** The whole API, with a filter that is kept in the URL, so that a result can be shared. */
export function ApiDocs() {
  const operations = useQuery(operationsQuery())
  const [search, setSearch] = useSearchParams()
  // Kept in its own state: the router updates the URL with a delay, which would lose characters typed fast.
  const [filter, setFilter] = useState(search.get('filter') ?? '')
  const change = (value: string) => {
    setFilter(value)
    setSearch(value ? { filter: value } : {}, { replace: true })
  }
  if (operations.isPending) return <DocsSkeleton />
  if (operations.isError) {
    const { message } = operations.error
    return <ErrorState title={t('The API reference did not load.')} detail={message} onRetry={() => void operations.refetch()} />
  }
  const matches = operations.data.filter((operation) => matchesFilter(operation, filter))
  return (
    <div className={c('content')}>
      <TextField
        label={t('Filter')}
        type="search"
        hint={
          <span role="status">
            {t('{found} of {n} endpoints', { found: formatNumber(matches.length), n: operations.data.length })}
          </span>
        }
        value={filter}
        onChange={({ target }) => change(target.value)}
      />
      <OperationList operations={matches} />
    </div>
  )
}
