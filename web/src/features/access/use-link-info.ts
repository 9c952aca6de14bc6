import { api, type LinkType } from '@neptune/contract'
import { useEffect, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/client.ts'

type LinkInfo =
  | { kind: 'loading' }
  | { kind: 'known'; type: LinkType }
  /** There is no such link, or no longer. */
  | { kind: 'missing' }
  | { kind: 'failed'; error: ApiError }

/** What anybody may know of a link before its code: which kind it is. */
export function useLinkInfo(accessKey: string) {
  const [info, setInfo] = useState<LinkInfo>({ kind: 'loading' })
  const [tries, setTries] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the number of tries is not used, its change is what counts.
  useEffect(() => {
    const left = new AbortController()
    setInfo({ kind: 'loading' })
    call(api.link.info, { params: { id: accessKey } }, { signal: left.signal }).then(
      ({ data }) => setInfo({ kind: 'known', type: data.type }),
      (error) => {
        if (!left.signal.aborted) setInfo(failure(error))
      },
    )
    return () => left.abort()
  }, [accessKey, tries])

  return { info, retry: () => setTries(tries + 1) }
}

/** What cannot be a key at all, such as half an address, is 400. */
function failure(error: unknown): LinkInfo {
  if (!(error instanceof ApiError)) throw error
  return error.status === 404 || error.status === 400 ? { kind: 'missing' } : { kind: 'failed', error }
}
