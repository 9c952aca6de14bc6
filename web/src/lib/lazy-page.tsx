import { type ComponentType, lazy, Suspense, useState } from 'react'
import { useLocation } from 'react-router'
import { loadAllWords } from '../words/t.ts'
import { ErrorBoundary } from './error-boundary.tsx'

/** How long a page's script may take before the person is told. */
const chunkTimeout = 120_000

/** A page's script did not arrive. */
export class ChunkFailed extends Error {}

/** What stands in place of a page that is not there. */
export interface Frame {
  Pending: ComponentType
  Failed: ComponentType<{ error: unknown; retry: () => void }>
}

/** A page whose script is loaded when it is first shown. Every retry loads anew; another path may be well where this one failed. */
export function lazyPage<Props extends object = object>(
  load: () => Promise<ComponentType<Props>>,
  { Pending, Failed }: Frame,
): ComponentType<Props> {
  let latest = attempt(load, 0)

  return function LazyPage(props: Props) {
    const [{ number, Page }, setAttempt] = useState(latest)
    const { pathname } = useLocation()
    const retry = () => {
      // Browsers may remember that a script failed, and a new release may have removed it: the second time, start afresh.
      if (number > 0) return location.reload()
      latest = attempt(load, number + 1)
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

/** A page that says more than the first screens do. */
export const withWords =
  <Page,>(load: () => Promise<Page>) =>
  async (): Promise<Page> =>
    (await Promise.all([load(), loadAllWords()]))[0]

const attempt = <Props extends object>(load: () => Promise<ComponentType<Props>>, number: number) => ({
  number,
  Page: lazy(async () => ({ default: await inTime(load()) })) as ComponentType<Props>,
})

function inTime<T>(loading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ChunkFailed('The script took too long.')), chunkTimeout)
    loading
      .then(resolve, (cause) => reject(new ChunkFailed('The script did not load.', { cause })))
      .finally(() => clearTimeout(timer))
  })
}
