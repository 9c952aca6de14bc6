import { api, type LinkType } from '@neptune/contract'
import { useEffect, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/client.ts'

export type LinkInfo =
  | { kind: 'loading' }
  | { kind: 'known'; type: LinkType; sharesSeveralFiles: boolean }
  /** The link doesn’t exist, or was deleted. */
  | { kind: 'missing' }
  | { kind: 'failed'; error: ApiError }

/** Loads what is public about a link: its type, and whether it shares several files. */
export function useLinkInfo(accessKey: string) {
  const [info, setInfo] = useState<LinkInfo>({ kind: 'loading' })
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt triggers the effect.
  useEffect(() => {
    const controller = new AbortController()
    setInfo({ kind: 'loading' })
    call(api.access.info, { params: { id: accessKey } }, { signal: controller.signal }).then(
      ({ data }) => setInfo({ kind: 'known', type: data.type, sharesSeveralFiles: data.several === true }),
      (error) => {
        if (!controller.signal.aborted) setInfo(toLinkInfo(error))
      },
    )
    return () => controller.abort()
  }, [accessKey, attempt])

  return { info, retry: () => setAttempt(attempt + 1) }
}

/** Treats 400 like 404: the server returns it for a malformed key, such as a truncated address. */
function toLinkInfo(error: unknown): LinkInfo {
  if (!(error instanceof ApiError)) throw error
  return error.status === 404 || error.status === 400 ? { kind: 'missing' } : { kind: 'failed', error }
}
