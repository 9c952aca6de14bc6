import { api } from '@neptune/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { readRows } from '../../api/read-rows.ts'
import { t } from '../../i18n/t.ts'
import { defaultCompany } from '../../lib/default-company.ts'
import { formatDateTime } from '../../lib/time/dates.ts'
import { paths } from '../../paths.ts'
import { hasAllWords } from './match.ts'

/** What the search finds by name. */
export type Kind = 'directory' | 'file' | 'link' | 'user'

/** A search result. */
export interface Hit {
  kind: Kind
  /** The key of its row in its list. */
  id: string
  label: string
  detail: string
  to: string
}

/** Results per kind. The full list is on the kind’s own page. */
const maxHits = 5

const readFirst = <P extends { data: unknown[]; next: string | null }>(read: (cursor: string | undefined) => Promise<P>) =>
  readRows(read, undefined, maxHits)

/** Searches all kinds while the user types. Until new results arrive, shows the previous ones that still match. */
export function useSearchResults(search: string, isAdmin: boolean) {
  const kinds = [
    useKindResults('directory', search),
    useKindResults('file', search),
    useKindResults('link', search),
    useKindResults('user', search, isAdmin),
  ] as const
  return {
    hits: search
      ? kinds.flatMap(({ data, isPlaceholderData }) => (data ?? []).filter(isPlaceholderData ? stillMatches(search) : Boolean))
      : [],
    isBusy: kinds.some(({ isFetching }) => isFetching),
    error: kinds.find(({ error, isFetching }) => error && !isFetching)?.error ?? null,
    retry: () => {
      for (const { isError, refetch } of kinds) if (isError) void refetch()
    },
  }
}

/** Fails at once when offline (`networkMode`), and doesn’t retry: the user’s next key press does. */
const useKindResults = (kind: Kind, search: string, isEnabled = true) =>
  useQuery({
    queryKey: ['find', kind, search],
    queryFn: ({ signal }) => searchByKind[kind](search, signal),
    enabled: isEnabled && search !== '',
    placeholderData: keepPreviousData,
    networkMode: 'always',
    retry: false,
  })

/** Keeps previous results that match the new search, too. */
const stillMatches = (search: string) => (hit: Hit) => hasAllWords(`${hit.label} ${hit.detail}`, search)

const searchByKind: Record<Kind, (search: string, signal: AbortSignal) => Promise<Hit[]>> = {
  directory: async (search, signal) => {
    const { data } = await readFirst((cursor) =>
      call(api.directory.list, { query: { search, company: '', sort: 'name', limit: maxHits, cursor } }, { signal }),
    )
    return data.map(({ id, directory, client }) => toDirectoryHit(id, directory, client))
  },
  file: async (search, signal) => {
    const { data } = await readFirst((cursor) =>
      call(api.file.list, { query: { search, sort: '-created_at', limit: maxHits, cursor } }, { signal }),
    )
    return data.map(({ id, file_name, directory, directory_id }) => ({
      kind: 'file',
      id,
      label: file_name,
      detail: directory ?? t('Unknown'),
      to: `${paths.directory(directory_id)}?${new URLSearchParams({ search: file_name })}`,
    }))
  },
  link: async (search, signal) => {
    const { data } = await readFirst((cursor) =>
      call(api.link.list, { query: { search, sort: '-created_at', limit: maxHits, cursor } }, { signal }),
    )
    return data.map(({ key, name, expiry, client }) => ({
      kind: 'link',
      id: key,
      label: name,
      detail: `${client ?? defaultCompany} · ${t('until {date}', { date: formatDateTime(expiry) })}`,
      to: `${paths.links}?${new URLSearchParams({ search: key })}`,
    }))
  },
  user: async (search, signal) => {
    const { data } = await readFirst((cursor) =>
      call(api.user.list, { query: { search, sort: 'name', limit: maxHits, cursor } }, { signal }),
    )
    return data.map(({ id, name, email }) => ({
      kind: 'user',
      id,
      label: name,
      detail: email,
      to: `${paths.clients}?${new URLSearchParams({ search: email })}`,
    }))
  },
}

export const toDirectoryHit = (id: string, name: string, client: string | null): Hit => ({
  kind: 'directory',
  id,
  label: name,
  detail: client ?? defaultCompany,
  to: paths.directory(id),
})
