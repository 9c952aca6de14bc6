import { api } from '@neptune/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { readRows } from '../../api/read-rows.ts'
import { formatDate } from '../../lib/dates.ts'
import { defaultCompany } from '../../lib/missing.ts'
import { paths } from '../../paths.ts'
import { t } from '../../words/t.ts'
import { hasWords } from './match.ts'

/** What can be found by its name. */
export type Kind = 'directory' | 'file' | 'link' | 'user'

/** Something that was found, and where it is. */
export interface Hit {
  kind: Kind
  /** Of its row in the list it is in. */
  id: string
  label: string
  detail: string
  to: string
}

/** Enough to see whether it is there. Who wants them all goes to their page. */
const few = 5

const firstFew = <P extends { data: unknown[]; next: string | null }>(read: (cursor: string | undefined) => Promise<P>) =>
  readRows(read, undefined, few)

/** What of each kind matches, while one types. Answers to what was typed before are not waited for. */
export function useFound(search: string, isAdmin: boolean) {
  const kinds = [
    useKind('directory', search),
    useKind('file', search),
    useKind('link', search),
    useKind('user', search, isAdmin),
  ] as const
  return {
    hits: search
      ? kinds.flatMap(({ data, isPlaceholderData }) => (data ?? []).filter(isPlaceholderData ? stillFits(search) : Boolean))
      : [],
    isBusy: kinds.some(({ isFetching }) => isFetching),
    error: kinds.find(({ error, isFetching }) => error && !isFetching)?.error ?? null,
    retry: () => {
      for (const { isError, refetch } of kinds) if (isError) void refetch()
    },
  }
}

/** Offline it fails, rather than wait in silence; and whoever types wants no second try but their own. */
const useKind = (kind: Kind, search: string, isWanted = true) =>
  useQuery({
    queryKey: ['find', kind, search],
    queryFn: ({ signal }) => lookFor[kind](search, signal),
    enabled: isWanted && search !== '',
    placeholderData: keepPreviousData,
    networkMode: 'always',
    retry: false,
  })

/** Of the answer to what was typed before: it may stand there until the next has come. */
const stillFits = (search: string) => (hit: Hit) => hasWords(`${hit.label} ${hit.detail}`, search)

const lookFor: Record<Kind, (search: string, signal: AbortSignal) => Promise<Hit[]>> = {
  directory: async (search, signal) => {
    const { data } = await firstFew((cursor) =>
      call(api.directory.list, { query: { search, company: '', sort: 'name', limit: few, cursor } }, { signal }),
    )
    return data.map(({ id, directory, client }) => hitOfDirectory(id, directory, client))
  },
  file: async (search, signal) => {
    const { data } = await firstFew((cursor) =>
      call(api.file.list, { query: { search, sort: '-created_at', limit: few, cursor } }, { signal }),
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
    const { data } = await firstFew((cursor) =>
      call(api.link.list, { query: { search, sort: '-created_at', limit: few, cursor } }, { signal }),
    )
    return data.map(({ key, name, expiry, client }) => ({
      kind: 'link',
      id: key,
      label: name,
      detail: `${client ?? defaultCompany} · ${t('until {date}', { date: formatDate(expiry) })}`,
      to: `${paths.links}?${new URLSearchParams({ search: key })}`,
    }))
  },
  user: async (search, signal) => {
    const { data } = await firstFew((cursor) =>
      call(api.user.list, { query: { search, sort: 'name', limit: few, cursor } }, { signal }),
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

export const hitOfDirectory = (id: string, name: string, client: string | null): Hit => ({
  kind: 'directory',
  id,
  label: name,
  detail: client ?? defaultCompany,
  to: paths.directory(id),
})
