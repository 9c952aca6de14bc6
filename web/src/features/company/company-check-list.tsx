import type { Company } from '@neptune/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/form/button.tsx'
import { CheckList, type CheckListOption } from '../../components/form/check-list.tsx'
import { t } from '../../i18n/t.ts'
import { toCompanyOptions } from './company-options.ts'
import { companySearchQuery } from './company-queries.ts'

interface CompanyCheckListProps {
  /** The user’s own company, which is always selected. */
  own: CheckListOption | undefined
  /** The other companies that are selected. */
  selected: readonly CheckListOption[]
  onChange: (selected: CheckListOption[]) => void
  /** Opens the dialog that creates a company. */
  onCreate: (onCreated: (company: Company) => void) => void
  error: string | undefined
}

/** Selects any number of companies. The server searches them, because there can be very many. */
export function CompanyCheckList({ own, selected, onChange, onCreate, error }: CompanyCheckListProps) {
  const [search, setSearch] = useState('')
  const list = useInfiniteQuery(companySearchQuery(search))
  const hasFailed = list.isFetchNextPageError || (list.isError && !list.data)
  const companies: Company[] = list.data?.pages.flatMap(({ data }) => data) ?? []
  const create = () =>
    onCreate(({ id, name }) => {
      onChange([...selected, { value: id, label: name }])
      setSearch(name) // lists the new company
    })
  return (
    <CheckList
      label={t('Companies')}
      name="companies"
      searchLabel={t('Search companies')}
      search={search}
      onSearch={setSearch}
      found={{
        options: toCompanyOptions(companies),
        next: list.data?.pages.at(-1)?.next ?? null,
        loading: list.isPending || list.isPlaceholderData || list.isFetchingNextPage || (hasFailed && list.isFetching),
        failed: hasFailed,
        onMore: () => void (list.data ? list.fetchNextPage() : list.refetch()),
      }}
      emptyText={t('No company matches “{search}”.', { search })}
      locked={own}
      selected={selected}
      onChange={onChange}
      error={error}
      action={<Button onClick={create}>{t('New company…')}</Button>}
    />
  )
}
