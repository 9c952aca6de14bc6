import { canonicalJson, PublicKeys, type Receipt, SignedReceipt } from '@neptune/contract'
import { hashes, verify } from '@noble/ed25519'
import { sha512 } from '@noble/hashes/sha2.js'
import { t } from '../../words/t.ts'

// The browser's own Ed25519 is there only on https; this one is everywhere.
hashes.sha512 = sha512

/** What is to be said of a text that may be a receipt. Only what is genuine has a content. */
export type Verdict =
  | { kind: 'genuine'; receipt: Receipt }
  | { kind: 'forged'; why: string }
  /** Nothing can be said of it, so it proves nothing. */
  | { kind: 'unreadable'; why: string }

/** Whether one of these keys has signed it, as it stands here. What breaks the reader was not written by us. */
export function checkReceipt(text: string, keys: PublicKeys): Verdict {
  try {
    return judge(text, keys)
  } catch {
    return unreadable(t('This is not a receipt.'))
  }
}

function judge(text: string, keys: PublicKeys): Verdict {
  const json = parse(text)
  if (json === undefined) return unreadable(t('This is not a receipt: it isn’t valid JSON.'))
  if (isOfOtherVersion(json)) return unreadable(t('This page doesn’t support this receipt’s version.'))
  const parsed = SignedReceipt.safeParse(json)
  if (!parsed.success) return unreadable(t('This is not a receipt: required fields are missing.'))
  // Nothing may stand beside what was signed, or be said twice: another reader might take it for a part of it.
  if (canonicalJson(parsed.data) !== canonicalJson(json) || hasDoubleNames(text, json))
    return forged(t('It contains something that doesn’t belong in a receipt.'))
  if (hasOddNumbers(text)) return forged(t('It was changed: it contains a number in an invalid format.'))
  const { receipt, key, signature } = parsed.data
  const known = keys.keys.find(({ kid }) => kid === key)
  if (!known) return forged(t('It names a different key than the one used to check it.'))
  if (!isSigned(canonicalJson(receipt), signature, known.x)) return forged(t('Its signature doesn’t match its contents.'))
  return { kind: 'genuine', receipt }
}

/** The keys in a file that somebody gave; undefined if it is no such file. */
export function readKeys(text: string): PublicKeys | undefined {
  const keys = PublicKeys.safeParse(parse(text))
  return keys.success && keys.data.keys.length > 0 ? keys.data : undefined
}

const forged = (why: string): Verdict => ({ kind: 'forged', why })
const unreadable = (why: string): Verdict => ({ kind: 'unreadable', why })

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isOfOtherVersion(json: unknown): boolean {
  const { receipt } = (json ?? {}) as { receipt?: { version?: unknown } }
  const version = receipt?.version
  return typeof version === 'number' && version !== 1
}

const strings = /"[^"\\]*(?:\\.[^"\\]*)*"/g

/** 20.00000000000000000001 is read as 20 here, and perhaps not elsewhere. So numbers stand as they were signed: whole and plain. */
function hasOddNumbers(text: string): boolean {
  const numbers = text.replace(strings, '""').match(/[-\d][^\s,\]}]*/g) ?? []
  return numbers.some((number) => !/^\d+$/.test(number) || JSON.stringify(Number(number)) !== number)
}

/** JSON takes the last of two equal names, so they are counted where both still stand. */
function hasDoubleNames(text: string, json: unknown): boolean {
  const written = [...text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined).length
  return written !== namesIn(json)
}

function namesIn(json: unknown): number {
  if (json === null || typeof json !== 'object') return 0
  const own = Array.isArray(json) ? 0 : Object.keys(json).length
  return Object.values(json).reduce((sum: number, item) => sum + namesIn(item), own)
}

/** By the letter of RFC 8032. What is no key or no signature at all has signed nothing. */
function isSigned(message: string, signature: string, key: string): boolean {
  try {
    return verify(bytesOf(signature), new TextEncoder().encode(message), bytesOf(key), { zip215: false })
  } catch {
    return false
  }
}

/** Base64url in its one way of writing. */
function bytesOf(text: string): Uint8Array {
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
  const again = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
  if (again !== text) throw new Error('This is written in another way.')
  return bytes
}
