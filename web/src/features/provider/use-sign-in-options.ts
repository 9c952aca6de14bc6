import { api, type Reply } from '@neptune/contract'
import { useEffect, useState } from 'react'
import { call } from '../../api/client.ts'

type SignInOptions = Reply<typeof api.sso.signInOptions>['data']

/** Only password sign-in, until the options are loaded. */
const initialOptions: SignInOptions = { providers: [], password: true }

/** Loads how people can sign in. If that fails, offers passwords. Doesn’t use TanStack Query, so that the login page loads fast. */
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
