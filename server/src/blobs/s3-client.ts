import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { BlobError } from './blob-store.ts'
import { type Answer, type Question, s3Calls, textOf } from './s3-call.ts'
import { type S3Settings, s3Signer } from './s3-sign.ts'

export interface Patience {
  /** No further try begins after so long. */
  patience: number
  /** How long nothing may happen on a connection. */
  quiet: number
}

/** What the store says no to, for the operator's log. It names no secret and no signed address. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: number
  /** As S3 calls it: `NoSuchBucket`, `AccessDenied`. */
  readonly code: string

  constructor({ method, key = '' }: Question, { status, text }: Answer) {
    const [, code = ''] = /<Code>([^<]{1,100})<\/Code>/.exec(text) ?? []
    super(`The store answered ${method} ${key || 'bucket'} with ${status}${code && ` ${code}`}`)
    this.status = status
    this.code = code
  }
}

export type S3Client = ReturnType<typeof openS3Client>

/** Whoever was kept waiting in vain is given one more try. */
const usual: Patience = { patience: 16_000, quiet: 15_000 }
/** Where somebody waits for more than this. Leftovers that stay are swept. */
export const brief: Patience = { patience: 3_000, quiet: 3_000 }
const tries = 4

/** Speaks S3: signs, and asks again where asking again may help. Redirects are not followed. */
export function openS3Client(settings: S3Settings) {
  const signer = s3Signer(settings)
  const { send, answerTo } = s3Calls(settings.endpoint, signer)
  return {
    placeOf: signer.placeOf,
    link: signer.link,

    /** The answer, if its status is one of those expected; a `Refusal` otherwise. Fault: `unavailable`, after some tries. */
    async ask(question: Question, expected: number[], { patience, quiet }: Patience = usual): Promise<Answer> {
      const begun = performance.now()
      for (let n = 1; ; n++) {
        const outcome = await answerTo(question, quiet).catch((error: Error) => error)
        if ('status' in outcome && expected.includes(outcome.status)) return outcome
        if ('status' in outcome && !isTemporary(outcome.status)) throw new Refusal(question, outcome)
        const pause = pauseAfter(n)
        if (n === tries || performance.now() - begun + pause > patience)
          throw new BlobError('unavailable', { cause: 'status' in outcome ? new Refusal(question, outcome) : outcome })
        await wait(pause)
      }
    },

    /** Once, to be read as it comes. Throws unless the status is the expected one. */
    async read(question: Question, expected: number, signal: AbortSignal): Promise<IncomingMessage> {
      const { response } = await send(question, usual.quiet, signal)
      const status = response.statusCode ?? 0
      if (status === expected) return response
      const text = status >= 400 ? await textOf(response) : ''
      response.destroy()
      throw new Refusal(question, { status, headers: response.headers, text })
    },
  }
}

/** Worth another try. */
export const isTemporary = (status: number) => [429, 500, 502, 503, 504].includes(status)

/** Exponential, with full jitter, so that many who failed at once do not come back at once. */
export const pauseAfter = (failures: number) => Math.random() * 200 * 2 ** failures
