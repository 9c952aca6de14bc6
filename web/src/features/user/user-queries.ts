import { type Args, api, type UserRow } from '@neptune/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { call } from '../../api/client.ts'
import { readRows } from '../../api/read-rows.ts'
import { type ActionOptions, useAction } from '../../components/form/use-action.ts'
import { t } from '../../i18n/t.ts'
import { formatDateTime } from '../../lib/time/dates.ts'

export type UserFilter = Pick<Args<typeof api.user.list>['query'], 'search' | 'company' | 'sort'>

/** Loads users, page by page. The previous rows stay visible until those of a new filter arrive. */
export const usersQuery = (filter: UserFilter) =>
  infiniteQueryOptions({
    queryKey: [...usersKey, filter],
    queryFn: ({ pageParam, signal }) =>
      readRows((cursor) => call(api.user.list, { query: { ...filter, limit: 50, cursor } }, { signal }), pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  })

/** Loads one user. */
export const userQuery = (id: string) =>
  queryOptions({
    queryKey: [...usersKey, 'one', id],
    queryFn: ({ signal }) => call(api.user.read, { params: { id } }, { signal }).then(({ data }) => data),
  })

/** Loads the first companies that are selected for a user, besides their own. */
export const firstSelectedCompaniesQuery = ({ id, company }: Pick<UserRow, 'id' | 'company'>, limit: number) =>
  queryOptions({
    queryKey: [...usersKey, 'companies', id, limit],
    queryFn: async ({ signal }) => {
      const { data } = await call(api.company.list, { query: { user: id, sort: 'name', limit: limit + 1 } }, { signal })
      return data.filter((selected) => selected.id !== company).slice(0, limit)
    },
  })

/** Loads every user that the current user can see, by name: all pages, because a select can’t paginate. */
export const allUsersQuery = () => queryOptions({ queryKey: [...usersKey, 'all'], queryFn: ({ signal }) => listAllUsers(signal) })

/** Loads every removed user that the current user could see, by name. */
export const removedUsersQuery = () =>
  queryOptions({ queryKey: [...usersKey, 'removed'], queryFn: ({ signal }) => listAllUsers(signal, 'true') })

/** Returns users as select options. Those with the same name are distinguished by their email addresses. */
export function toUserOptions(users: readonly UserRow[] = []) {
  const isAmbiguous = (name: string) => users.filter((person) => person.name === name).length > 1
  return users.map(({ id, name, email }) => ({ value: id, label: isAmbiguous(name) ? `${name} · ${email}` : name }))
}

/** Returns removed users as select options. Those with the same name are distinguished by the time they were removed. */
export function toRemovedOptions(users: readonly UserRow[] = []) {
  const isAmbiguous = (name: string) => users.filter((person) => person.name === name).length > 1
  return users.map(({ id, name, removed_at = '' }) => {
    const label = t('{name} (removed)', { name })
    return { value: id, label: isAmbiguous(name) ? `${label} · ${formatDateTime(removed_at)}` : label }
  })
}

/** Creates a user. As specified, `dateOfBirth` is the current date. */
export const useCreateUser = () =>
  useUserChange((user: Omit<Args<typeof api.user.create>['body'], 'dateOfBirth'>) =>
    call(api.user.create, { body: { ...user, dateOfBirth: formatToday() } }),
  )

/** Replaces the link of an invited user, and sends the new one. */
export const useResendInvitation = () =>
  useUserChange((id: string) => call(api.user.invite, { params: { id } }), { isRepeatable: true })

/** Creates a link with which a user can choose a new password. */
export const useCreateReset = () => useUserChange((id: string) => call(api.identity.createReset, { params: { id } }))

/** Revokes an invitation. Doesn’t refetch the user, who no longer exists. */
export function useRevokeInvitation() {
  const client = useQueryClient()
  return useAction((id: string) => call(api.user.revokeInvitation, { params: { id } }), {
    refresh: () => client.invalidateQueries({ queryKey: usersKey, predicate: ({ queryKey }) => queryKey[1] !== 'one' }),
  })
}

/** Changes a user, then refetches everything, because many lists show the user’s name. */
export function useChangeUser() {
  const client = useQueryClient()
  return useAction(
    ({ id, ...body }: Args<typeof api.user.change>['body'] & { id: string }) => call(api.user.change, { params: { id }, body }),
    { refresh: () => client.invalidateQueries() },
  )
}

type RightsChange =
  | {
      kind: 'update'
      id: string
      role: Args<typeof api.user.changeRole>['body'] | undefined
      access: Args<typeof api.user.changeAccess>['body'] | undefined
      /** Hands over the links that would stop working, and returns how many. */
      handOver: (() => Promise<number>) | undefined
    }
  | { kind: 'restore'; id: string }

/**
 * Changes a user’s role and access, or restores a suspended user. A single action, so that only one such change runs at a time. First
 * hands over the links that would stop working. Then sends the access before the role, so that an admin who becomes a user never sees more
 * than they should. If only the role fails, the next attempt does not send the access again. Returns the number of links handed over.
 */
export function useChangeRights(options: RepeatOption = {}) {
  const savedAccess = useRef<string>(undefined)
  return useUserChange(async (change: RightsChange): Promise<number> => {
    const params = { id: change.id }
    if (change.kind !== 'update') {
      await call(api.user.restore, { params })
      return 0
    }
    const { access, role } = change
    const links = (await change.handOver?.()) ?? 0
    if (access && JSON.stringify(access) !== savedAccess.current) {
      await call(api.user.changeAccess, { params, body: access })
      savedAccess.current = JSON.stringify(access)
    }
    if (role) await call(api.user.changeRole, { body: role })
    return links
  }, options)
}

/**
 * Suspends a user, after handing their links over if someone is chosen. If suspending fails after that, the next attempt finds no links
 * to hand over. Returns how many links were handed over. Refetches everything, because the user owns links and webhooks.
 */
export function useSuspendUser(handOverLinks: (handover: { from: string; to: string }) => Promise<number>) {
  const client = useQueryClient()
  return useAction(
    async ({ id, to }: { id: string; to: string | undefined }) => {
      const links = to === undefined ? 0 : await handOverLinks({ from: id, to })
      await call(api.user.suspend, { params: { id } })
      return links
    },
    { refresh: () => client.invalidateQueries() },
  )
}

/** Counts a user’s unexpired links, unfinished uploads and webhooks, for the dialog that removes them. Never cached: the counts change. */
export const removalQuery = (id: string) =>
  queryOptions({
    queryKey: [...usersKey, 'removal', id],
    queryFn: ({ signal }) => call(api.user.removal, { params: { id } }, { signal }).then(({ data }) => data),
    gcTime: 0,
  })

/** Finds people who could take over the links of a user, or some of them. */
export const successorsQuery = (id: string, links: Args<typeof api.user.successors>['body'], search: string, limit: number) =>
  queryOptions({
    queryKey: [...usersKey, 'successors', id, links, search, limit],
    queryFn: ({ signal }) => {
      const query = { search: search || undefined, limit }
      return readRows(
        (cursor) => call(api.user.successors, { params: { id }, query: { ...query, cursor }, body: links }, { signal }),
        undefined,
        limit,
      )
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
  })

/** Removes a user. Marks everything as stale, but refetches nothing on this page, because the user’s data no longer exists. */
export function useRemoveUser() {
  const client = useQueryClient()
  return useAction(
    ({ id, ...body }: Args<typeof api.user.remove>['body'] & { id: string }) => call(api.user.remove, { params: { id }, body }),
    { refresh: () => client.invalidateQueries({ refetchType: 'none' }) },
  )
}

const usersKey = ['users']

type RepeatOption = Pick<ActionOptions<unknown, unknown>, 'isRepeatable'>

function useUserChange<Input, Result>(act: (input: Input) => Promise<Result>, options: RepeatOption = {}) {
  const client = useQueryClient()
  return useAction(act, {
    ...options,
    // A new role or access can end sessions, revoke API tokens and stop links from working.
    refresh: () =>
      Promise.all([usersKey, ['sessions'], ['tokens'], ['links']].map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
}

/** Returns the local date as YYYY-MM-DD, the Swedish format. */
const formatToday = () => new Intl.DateTimeFormat('sv-SE').format()

async function listAllUsers(signal: AbortSignal, removed?: 'true'): Promise<UserRow[]> {
  const all: UserRow[] = []
  let cursor: string | undefined
  do {
    const { data, next } = await call(api.user.list, { query: { limit: 200, sort: 'name', cursor, removed } }, { signal })
    all.push(...data)
    cursor = next ?? undefined
  } while (cursor !== undefined)
  return all
}
