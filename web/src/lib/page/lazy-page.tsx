import { type ComponentType, lazy, Suspense, useState } from 'react'
import { useLocation } from 'react-router'
import { loadAllTranslations } from '../../i18n/t.ts'
import { ErrorBoundary } from './error-boundary.tsx'

/** The timeout for loading a page's script. */
const chunkTimeoutMs = 120_000

/** Thrown when a page's script fails to load. */
export class ChunkLoadError extends Error {}

/** The components to show while a page loads, or if it fails. */
export interface PageStates {
  Pending: ComponentType
  Failed: ComponentType<{ error: unknown; retry: () => void }>
}

/** Creates a page whose script loads when it is first shown. After a failure, a retry loads it again. */
export function lazyPage<Props extends object = object>(
  load: () => Promise<ComponentType<Props>>,
  { Pending, Failed }: PageStates,
): ComponentType<Props> {
  let latest = createAttempt(load, 0)

  return function LazyPage(props: Props) {
    const [{ number, Page }, setAttempt] = useState(latest)
    const { pathname } = useLocation()
    const retry = () => {
      // Browsers may cache a failed script, and a new release may have removed it: the second retry reloads the page.
      if (number > 0) return location.reload()
      latest = createAttempt(load, number + 1)
      setAttempt(latest)
    }
    return (
      <ErrorBoundary resetKey={`${number} ${pathname}`} fallback={(error) => <Failed error={error} retry={retry} />}>
        <Suspense fallback={<Pending />}>
          <Page {...props} />
        </Suspense>
      </ErrorBoundary>
    )
  }
}

/** Loads all translations along with a page. The sign-in and access pages do without, because they must load fast. */
export const withTranslations =
  <Page,>(load: () => Promise<Page>) =>
  async (): Promise<Page> =>
    (await Promise.all([load(), loadAllTranslations()]))[0]

const createAttempt = <Props extends object>(load: () => Promise<ComponentType<Props>>, number: number) => ({
  number,
  Page: lazy(async () => ({ default: await withTimeout(load()) })) as ComponentType<Props>,
})

function withTimeout<T>(loading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ChunkLoadError('The script took too long.')), chunkTimeoutMs)
    loading
      .then(resolve, (cause) => reject(new ChunkLoadError('The script did not load.', { cause })))
      .finally(() => clearTimeout(timer))
  })
}
