import { api } from '@neptune/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { useAction } from '../../components/form/use-action.ts'
import { usePasskeyAction } from './use-passkey-action.ts'
import { createPasskey, requestPasskey } from './webauthn.ts'

/** Loads the user’s own passkeys, and whether this server can use passkeys. */
export const passkeysQuery = () =>
  queryOptions({
    queryKey: passkeysKey,
    queryFn: ({ signal }) => call(api.passkey.list, {}, { signal }).then(({ data }) => data),
  })

/** Loads, for admins, how many passkeys work and how many don’t. */
export const passkeyStatusQuery = () =>
  queryOptions({
    queryKey: ['passkey-status'],
    queryFn: ({ signal }) => call(api.passkey.status, {}, { signal }).then(({ data }) => data),
  })

/** Lets the browser create a passkey, and adds it. */
export const useAddPasskey = () =>
  usePasskeyAction(
    async (name: string) => {
      const { data: options } = await call(api.passkey.startRegistration, {})
      return call(api.passkey.register, { body: { name, response: await createPasskey(options) } })
    },
    { refresh: useRefresh() },
  )

export const useRenamePasskey = () =>
  useAction(({ id, name }: { id: string; name: string }) => call(api.passkey.rename, { params: { id }, body: { name } }), {
    refresh: useRefresh(),
  })

export const useRemovePasskey = () =>
  useAction((id: string) => call(api.passkey.remove, { params: { id } }), { refresh: useRefresh() })

/** Confirms the user’s identity with one of their passkeys. */
export const useConfirmWithPasskey = () =>
  usePasskeyAction(async () => {
    const { data: options } = await call(api.passkey.confirmOptions, {})
    await call(api.passkey.confirm, { body: { response: await requestPasskey(options) } })
  })

const passkeysKey = ['passkeys']

/** Passkeys are second factors, too. */
function useRefresh() {
  const client = useQueryClient()
  return () => Promise.all([passkeysKey, ['factors']].map((queryKey) => client.invalidateQueries({ queryKey })))
}
