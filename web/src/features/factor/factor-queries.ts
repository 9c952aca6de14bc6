import { type Args, api, type Factors } from '@neptune/contract'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { type ActionOptions, useAction } from '../../components/form/use-action.ts'

/** Loads the user’s own second factors. */
export const factorsQuery = () =>
  queryOptions({
    queryKey: factorsKey,
    queryFn: ({ signal }) => call(api.factor.list, {}, { signal }).then(({ data }) => data),
  })

/** Returns the state of the user’s password; undefined while loading. If loading fails, assumes that it is set, as for most users. */
export function usePasswordState(): Factors['password'] | undefined {
  const { data, isPending } = useQuery(factorsQuery())
  return isPending ? undefined : (data?.password ?? 'set')
}

/** Starts to set up an authenticator app. Each start creates another secret. */
export const useStartTotp = () => useAction(() => call(api.factor.startTotp, {}), { isRepeatable: true })

export const useConfirmTotp = () => useFactorChange((code: string) => call(api.factor.confirmTotp, { body: { code } }))

export const useRemoveTotp = () => useFactorChange(() => call(api.factor.removeTotp, {}))

export const useRenewCodes = () => useFactorChange(() => call(api.factor.renewCodes, {}))

export const useForgetBrowsers = () => useFactorChange(() => call(api.factor.forgetBrowsers, {}), { isRepeatable: true })

/** Confirms the user’s identity with their password or a code from their authenticator app. */
export const useConfirmIdentity = () =>
  useAction((body: Args<typeof api.factor.confirm>['body']) => call(api.factor.confirm, { body }))

/** Requests the removal of another user’s second factors. */
export const useRequestReset = () => useUserFactorChange((id: string) => call(api.factor.requestReset, { params: { id } }))

export const useCancelReset = () =>
  useUserFactorChange((id: string) => call(api.factor.cancelReset, { params: { id } }), { isRepeatable: true })

const factorsKey = ['factors']

type RepeatOption = Pick<ActionOptions<unknown, unknown>, 'isRepeatable'>

function useFactorChange<Input, Result>(act: (input: Input) => Promise<Result>, options: RepeatOption = {}) {
  const client = useQueryClient()
  return useAction(act, { ...options, refresh: () => client.invalidateQueries({ queryKey: factorsKey }) })
}

function useUserFactorChange<Input, Result>(act: (input: Input) => Promise<Result>, options: RepeatOption = {}) {
  const client = useQueryClient()
  return useAction(act, { ...options, refresh: () => client.invalidateQueries({ queryKey: ['users'] }) })
}
