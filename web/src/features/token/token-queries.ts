import { type Args, api } from '@neptune/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { useAction } from '../../components/form/use-action.ts'

/** Loads the user’s own API tokens or, for admins, those of `owner`. There are few, so the list has no pages. */
export const tokensQuery = (owner?: string) =>
  queryOptions({
    queryKey: [...tokensKey, owner ?? 'own'],
    queryFn: ({ signal }) => listTokens(owner, signal).then(({ data }) => data),
  })

const listTokens = (owner: string | undefined, signal: AbortSignal) =>
  owner === undefined ? call(api.token.list, {}, { signal }) : call(api.token.listOf, { params: { id: owner } }, { signal })

export const useCreateToken = () =>
  useTokenChange((body: Args<typeof api.token.create>['body']) => call(api.token.create, { body }).then(({ data }) => data))

export const useRevokeToken = () =>
  useTokenChange(({ id, owner }: { id: string; owner: string | undefined }) =>
    owner === undefined
      ? call(api.token.revoke, { params: { id } })
      : call(api.token.revokeOf, { params: { id: owner, token: id } }),
  )

const tokensKey = ['tokens']

/** Refetches inactive lists as well: closing another dialog may reopen the dialog that shows one. */
function useTokenChange<Input, Result>(act: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useAction(act, { refresh: () => client.invalidateQueries({ queryKey: tokensKey, refetchType: 'all' }) })
}
