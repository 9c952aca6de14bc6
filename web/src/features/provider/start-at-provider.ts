import { api } from '@neptune/contract'
import { toApiUrl } from '../../api/client.ts'
import { useAction } from '../../components/form/use-action.ts'
import { noteRemembered } from '../../lib/storage/remembered.ts'

interface StartOptions {
  /** The local path to go to afterwards. */
  to: string
  /** Whether the session is kept when the browser is closed. */
  remember?: boolean
  /** Connects the account to the signed-in user. */
  link?: boolean
  /** Makes the provider ask for a sign-in, even if the person is already signed in there. */
  fresh?: boolean
}

/** Returns the address that starts a sign-in with a provider. */
export function getStartUrl(provider: string, options: StartOptions): string {
  const query = Object.entries(options).flatMap(([name, value]) => (value === false ? [] : [[name, String(value)]]))
  return toApiUrl(`${api.sso.start.path.replace('{id}', encodeURIComponent(provider))}?${new URLSearchParams(query)}`)
}

/** Opens the provider’s sign-in page. Stays busy until the person comes back with the Back button. */
export const useStartAtProvider = () =>
  useAction(
    ({ provider, ...options }: StartOptions & { provider: string }) => {
      keepReturnPath(options.to)
      if (!options.link) noteRemembered(options.remember === true)
      location.assign(getStartUrl(provider, options))
      return new Promise<void>((resolve) => addEventListener('pageshow', () => resolve(), { once: true }))
    },
    { isRepeatable: true },
  )

/** Session storage key of the page to open after the sign-in, even if it fails at the provider and the person uses a password. */
const returnPathKey = 'neptune.sso-return'

function keepReturnPath(path: string): void {
  try {
    sessionStorage.setItem(returnPathKey, path)
  } catch {
    // Storage is blocked. After a failure at the provider, signing in leads to the start page.
  }
}

/** Returns the page that the person wanted to open before they were sent to the provider. */
export function readReturnPath(): string | undefined {
  try {
    return sessionStorage.getItem(returnPathKey) ?? undefined
  } catch {
    return undefined
  }
}
