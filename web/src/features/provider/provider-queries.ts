import { type Args, api, type ProviderRow } from '@neptune/contract'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { useAction } from '../../components/form/use-action.ts'
import { readPending } from './pending-sign-in.ts'

/** Loads the providers that people can sign in with, and whether passwords are allowed. */
export const signInOptionsQuery = () =>
  queryOptions({
    queryKey: ['sign-in-options'],
    queryFn: ({ signal }) => call(api.sso.signInOptions, {}, { signal }).then(({ data }) => data),
  })

/** Loads the user’s own accounts at providers. */
export const providerAccountsQuery = () =>
  queryOptions({
    queryKey: accountsKey,
    queryFn: ({ signal }) => call(api.provider.accounts, {}, { signal }).then(({ data }) => data),
  })

/** Loads the providers with everything that admins set, and what to register at each. */
/** Returns whether people can sign in with a password. Until this is known, it returns true. */
export const useHasPasswords = () => useQuery(signInOptionsQuery()).data?.password ?? true

export const providersQuery = () =>
  queryOptions({
    queryKey: providersKey,
    queryFn: ({ signal }) => call(api.provider.list, {}, { signal }),
  })

/** Loads the account that waits to be connected. Never from the cache, because it can be a different one each time. */
export const pendingQuery = () =>
  queryOptions({
    queryKey: ['pending-sign-in'],
    queryFn: ({ signal }) => readPending(signal),
    staleTime: Number.POSITIVE_INFINITY, // loaded once: connecting the account ends the sign-in
    gcTime: 0,
  })

export function useDisconnectAccount() {
  const client = useQueryClient()
  return useAction((id: string) => call(api.provider.removeAccount, { params: { id } }), {
    refresh: () => client.invalidateQueries({ queryKey: accountsKey }),
  })
}

export type NewProvider = Args<typeof api.provider.create>['body']
type ProviderChange = Args<typeof api.provider.change>['body']
type ProviderCandidate = Args<typeof api.provider.test>['body']

export const useCreateProvider = () => useProviderAction((body: NewProvider) => call(api.provider.create, { body }))

export const useChangeProvider = () => useProviderAction(changeProvider)

/** Enables or disables a provider. */
export const useEnableProvider = () => useProviderAction(changeProvider, { isRepeatable: true })

const changeProvider = ({ id, ...body }: ProviderChange & Pick<ProviderRow, 'id'>) =>
  call(api.provider.change, { params: { id }, body })

export const useRemoveProvider = () => useProviderAction((id: string) => call(api.provider.remove, { params: { id } }))

/** Checks a provider. Changes nothing. */
export const useTestProvider = () =>
  useAction((body: ProviderCandidate) => call(api.provider.test, { body }), { isRepeatable: true })

function useProviderAction<Input, Result>(act: (input: Input) => Promise<Result>, options: { isRepeatable?: true } = {}) {
  const client = useQueryClient()
  return useAction(act, {
    ...options,
    refresh: () =>
      Promise.all([providersKey, accountsKey, ['sign-in-options']].map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
}

const providersKey = ['providers']
const accountsKey = ['provider-accounts']
