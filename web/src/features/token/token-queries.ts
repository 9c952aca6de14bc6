import { type Args, api } from '@neptune/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { useAction } from '../../components/form/use-action.ts'

/** The user’s own API tokens or, for admins, those of `owner`. There are few, so the list has no pages. */
export const tokensQuery = (owner?: string) =>
  queryOptions({
    queryKey: [...tokens, owner ?? 'own'],
    queryFn: ({ signal }) => list(owner, signal).then(({ data }) => data),
  })

const list = (owner: string | undefined, signal: AbortSignal) =>
  owner === undefined ? call(api.token.list, {}, { signal }) : call(api.token.listOf, { params: { id: owner } }, { signal })

export const useCreateToken = () =>
  useTokenChange((body: Args<typeof api.token.create>['body']) => call(api.token.create, { body }).then(({ data }) => data))

export const useRevokeToken = () =>
  useTokenChange(({ id, owner }: { id: string; owner: string | undefined }) =>
    owner === undefined
      ? call(api.token.revoke, { params: { id } })
      : call(api.token.revokeOf, { params: { id: owner, token: id } }),
  )

const tokens = ['tokens']

/** Reloads inactive lists as well: a dialog with one may open again when another dialog closes. */
function useTokenChange<Input, Result>(act: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useAction(act, { refresh: () => client.invalidateQueries({ queryKey: tokens, refetchType: 'all' }) })
}
