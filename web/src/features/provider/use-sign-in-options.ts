import { api, type Reply } from '@neptune/contract'
import { useEffect, useState } from 'react'
import { call } from '../../api/client.ts'

type SignInOptions = Reply<typeof api.sso.signInOptions>['data']

/** With a password only, as long as nothing else is known. */
const initialOptions: SignInOptions = { providers: [], password: true }

/** Loads how people can sign in, without the library for server state, which the login page doesn’t need. If that fails, the form stays. */
export function useSignInOptions(): SignInOptions {
  const [options, setOptions] = useState(initialOptions)
  useEffect(() => {
    const controller = new AbortController()
    call(api.sso.signInOptions, {}, { signal: controller.signal }).then(
      ({ data }) => setOptions(data),
      () => undefined,
    )
    return () => controller.abort()
  }, [])
  return options
}
