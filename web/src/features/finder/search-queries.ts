import { api, type Company, type DirectoryRow, type UserRow } from '@neptune/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { readRows } from '../../api/read-rows.ts'
import { hasSeveralCompanies } from '../../api/session.ts'
import { getSession } from '../../api/session-store.ts'
import { t } from '../../i18n/t.ts'
import { defaultCompany } from '../../lib/default-company.ts'
import { formatPath } from '../../lib/format-path.ts'
import { formatDateTime } from '../../lib/time/dates.ts'
import { getFilePath, paths } from '../../paths.ts'
import { hasAllWords } from './match.ts'

/** The kinds of items that the search finds by name. */
export type HitKind = 'company' | 'directory' | 'file' | 'link' | 'user'

/** A search result. */
export interface Hit {
  kind: HitKind
  /** The id of the found item; for a link, its key. */
  id: string
  label: string
  detail: string
  to: string
}

/** Results per kind. The full list is on the kind’s own page. */
export const maxHits = 5

const readFirstHits = <P extends { data: unknown[]; next: string | null }>(read: (cursor: string | undefined) => Promise<P>) =>
  readRows(read, undefined, maxHits)

/** Searches all kinds while the user types. Until new results arrive, shows the previous ones that still match. */
export function useSearchResults(search: string) {
  const results = [
    // Someone who sees one company has no page for it.
    useKindResults('company', search, hasSeveralCompanies(getSession())),
    useKindResults('directory', search),
    useKindResults('file', search),
    useKindResults('link', search),
    useKindResults('user', search),
  ] as const
  return {
    hits: search
      ? results.flatMap(({ data, isPlaceholderData }) => (data ?? []).filter(isPlaceholderData ? createMatcher(search) : Boolean))
      : [],
    isBusy: results.some(({ isFetching }) => isFetching),
    error: results.find(({ error, isFetching }) => error && !isFetching)?.error ?? null,
    retry: () => {
      for (const { isError, refetch } of results) if (isError) void refetch()
    },
  }
}

/** Fails at once when offline (`networkMode`). Doesn’t retry, because the next key press searches again. */
const useKindResults = (kind: HitKind, search: string, isEnabled = true) =>
  useQuery({
    queryKey: ['find', kind, search],
    queryFn: ({ signal }) => searchByKind[kind](search, signal),
    enabled: isEnabled && search !== '',
    placeholderData: keepPreviousData,
    networkMode: 'always',
    retry: false,
  })

/** Returns a function that tells whether a previous result matches the new search as well. */
const createMatcher = (search: string) => (hit: Hit) => hasAllWords(`${hit.label} ${hit.detail}`, search)

const searchByKind: Record<HitKind, (search: string, signal: AbortSignal) => Promise<Hit[]>> = {
  company: async (search, signal) => {
    const { data } = await readFirstHits((cursor) =>
      call(api.company.list, { query: { search, sort: 'name', limit: maxHits, cursor } }, { signal }),
    )
    return data.map(toCompanyHit)
  },
  directory: async (search, signal) => {
    const { data } = await readFirstHits((cursor) =>
      call(
        api.directory.list,
        { query: { search, company: '', folders: 'true', sort: 'name', limit: maxHits, cursor } },
        { signal },
      ),
    )
    return data.map(toDirectoryHit)
  },
  file: async (search, signal) => {
    const { data } = await readFirstHits((cursor) =>
      call(api.file.list, { query: { search, sort: '-created_at', limit: maxHits, cursor } }, { signal }),
    )
    return data.map(({ id, file_name, directory, directory_id, path, client }) => ({
      kind: 'file',
      id,
      label: file_name,
      detail: joinDetails(formatPath([...path, { id: directory_id, name: directory ?? t('Unknown') }]), nameCompany(client)),
      to: getFilePath(directory_id, { id, name: file_name }),
    }))
  },
  link: async (search, signal) => {
    const { data } = await readFirstHits((cursor) =>
      call(api.link.list, { query: { search, sort: '-created_at', limit: maxHits, cursor } }, { signal }),
    )
    return data.map(({ key, name, expiry, client }) => ({
      kind: 'link',
      id: key,
      label: name,
      detail: joinDetails(nameCompany(client), t('until {date}', { date: formatDateTime(expiry) })),
      to: `${paths.links}?${new URLSearchParams({ search: key })}`,
    }))
  },
  user: async (search, signal) => {
    const { data } = await readFirstHits((cursor) =>
      call(api.user.list, { query: { search, sort: 'name', limit: maxHits, cursor } }, { signal }),
    )
    return data.map(toUserHit)
  },
}

/** Returns the company of a result; empty for someone who sees only one. Companies often have directories and files with the same names. */
const nameCompany = (client: string | null) => (hasSeveralCompanies(getSession()) ? (client ?? defaultCompany) : '')

const joinDetails = (...details: string[]) => details.filter(Boolean).join(' · ')

export const toDirectoryHit = ({ id, directory, path, client }: DirectoryRow): Hit => ({
  kind: 'directory',
  id,
  label: directory,
  detail: joinDetails(formatPath(path), nameCompany(client)),
  to: paths.directory(id),
})

export const toCompanyHit = ({ id, name }: Pick<Company, 'id' | 'name'>): Hit => ({
  kind: 'company',
  id,
  label: name,
  detail: '',
  to: paths.company(id),
})

export const toUserHit = ({ id, name, email, company_name }: Pick<UserRow, 'id' | 'name' | 'email' | 'company_name'>): Hit => ({
  kind: 'user',
  id,
  label: name,
  detail: joinDetails(email, nameCompany(company_name)),
  to: paths.user(id),
})
