import { type Args, api, type UserRow } from '@neptune/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { readRows } from '../../api/read-rows.ts'
import { useAction } from '../../components/use-action.ts'

export type UserFilter = Pick<Args<typeof api.user.list>['query'], 'search' | 'company' | 'sort'>

/** Staff, page by page. The rows of the last filter stay in sight until those of the next are there. */
export const usersQuery = (filter: UserFilter) =>
  infiniteQueryOptions({
    queryKey: [...users, filter],
    queryFn: ({ pageParam, signal }) =>
      readRows((cursor) => call(api.user.list, { query: { ...filter, limit: 50, cursor } }, { signal }), pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  })

/** Everybody the person may see, by name: what a select offers has no second page. */
export const peopleQuery = () => queryOptions({ queryKey: [...users, 'all'], queryFn: ({ signal }) => listAll(signal) })

/** For a select. Those who share a name are told apart by their addresses. */
export function personOptions(people: readonly UserRow[] = []) {
  const isShared = (name: string) => people.filter((person) => person.name === name).length > 1
  return people.map(({ id, name, email }) => ({ value: id, label: isShared(name) ? `${name} · ${email}` : name }))
}

/** The field for a birth date holds the day of creation. */
export const useCreateUser = () =>
  useUserChange((user: Omit<Args<typeof api.user.create>['body'], 'dateOfBirth'>) =>
    call(api.user.create, { body: { ...user, dateOfBirth: today() } }),
  )

/** A user's name is on the rows of many lists, so all of them are reloaded. */
export function useChangeUser() {
  const client = useQueryClient()
  return useAction(
    ({ id, ...body }: Args<typeof api.user.change>['body'] & { id: string }) => call(api.user.change, { params: { id }, body }),
    { refresh: () => client.invalidateQueries() },
  )
}

type AccessChange =
  | { kind: 'role'; body: Args<typeof api.user.changeRole>['body'] }
  | { kind: 'suspend' | 'restore'; params: { id: string } }

/** Changes what a user may do. One action, so that only one such change is under way at a time. */
export const useChangeAccess = () =>
  useUserChange(async ({ kind, ...args }: AccessChange): Promise<void> => {
    if ('body' in args) await call(api.user.changeRole, args)
    else await call(kind === 'suspend' ? api.user.suspend : api.user.restore, args)
  })

const users = ['users']

function useUserChange<Input, Result>(act: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useAction(act, { refresh: () => client.invalidateQueries({ queryKey: users }) })
}

/** As YYYY-MM-DD, where the person sits. Swedes write it so. */
const today = () => new Intl.DateTimeFormat('sv-SE').format()

async function listAll(signal: AbortSignal): Promise<UserRow[]> {
  const found: UserRow[] = []
  let cursor: string | undefined
  do {
    const { data, next } = await call(api.user.list, { query: { limit: 200, sort: 'name', cursor } }, { signal })
    found.push(...data)
    cursor = next ?? undefined
  } while (cursor !== undefined)
  return found
}
