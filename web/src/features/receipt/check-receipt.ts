import { canonicalJson, PublicKeys, type Receipt, SignedReceipt } from '@neptune/contract'
import { hashes, verify } from '@noble/ed25519'
import { sha512 } from '@noble/hashes/sha2.js'
import { t } from '../../i18n/t.ts'

// Web Crypto is available only on https. This implementation works everywhere.
hashes.sha512 = sha512

/** The result of checking a text. Only a genuine receipt has content that can be trusted. */
export type ReceiptVerdict =
  | { kind: 'genuine'; receipt: Receipt }
  | { kind: 'forged'; reason: string }
  /** It can’t be checked, so it proves nothing. */
  | { kind: 'unreadable'; reason: string }

/** Checks whether one of the keys signed the receipt in a text, which must contain nothing else. A text that can’t be parsed is unreadable. */
export function checkReceipt(text: string, keys: PublicKeys): ReceiptVerdict {
  try {
    return parseAndVerify(text, keys)
  } catch {
    return unreadable(t('This is not a receipt.'))
  }
}

function parseAndVerify(text: string, keys: PublicKeys): ReceiptVerdict {
  const json = parseJson(text)
  if (json === undefined) return unreadable(t('This is not a receipt: it isn’t valid JSON.'))
  if (hasOtherVersion(json)) return unreadable(t('This page doesn’t support this receipt’s version.'))
  const parsed = SignedReceipt.safeParse(json)
  if (!parsed.success) return unreadable(t('This is not a receipt: required fields are missing.'))
  // Rejects unsigned extra fields and duplicate keys: another reader might take them for part of the receipt.
  if (canonicalJson(parsed.data) !== canonicalJson(json) || hasDuplicateKeys(text, json))
    return forged(t('It contains something that doesn’t belong in a receipt.'))
  if (hasNonCanonicalNumbers(text)) return forged(t('It was changed: it contains a number in an invalid format.'))
  const { receipt, key, signature } = parsed.data
  const publicKey = keys.keys.find(({ kid }) => kid === key)
  if (!publicKey) return forged(t('It says that it was signed with a different key.'))
  if (!isSignatureValid(canonicalJson(receipt), signature, publicKey.x))
    return forged(t('Its signature doesn’t match its contents.'))
  return { kind: 'genuine', receipt }
}

/** Parses a key file. Returns undefined if it contains no valid keys. */
export function readKeys(text: string): PublicKeys | undefined {
  const keys = PublicKeys.safeParse(parseJson(text))
  return keys.success && keys.data.keys.length > 0 ? keys.data : undefined
}

const forged = (reason: string): ReceiptVerdict => ({ kind: 'forged', reason })
const unreadable = (reason: string): ReceiptVerdict => ({ kind: 'unreadable', reason })

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function hasOtherVersion(json: unknown): boolean {
  const { receipt } = (json ?? {}) as { receipt?: { version?: unknown } }
  const version = receipt?.version
  return typeof version === 'number' && version !== 1
}

const jsonStrings = /"[^"\\]*(?:\\.[^"\\]*)*"/g

/**
 * Returns whether a number isn’t written as a plain integer, as the server writes all of them. JavaScript parses 20.00000000000000000001
 * as 20; other parsers may not.
 */
function hasNonCanonicalNumbers(text: string): boolean {
  const numbers = text.replace(jsonStrings, '""').match(/[-\d][^\s,\]}]*/g) ?? []
  return numbers.some((number) => !/^\d+$/.test(number) || JSON.stringify(Number(number)) !== number)
}

/**
 * Returns whether an object contains a key twice. `JSON.parse` keeps only the last value, so this compares the number of keys in
 * the text and in the result.
 */
function hasDuplicateKeys(text: string, json: unknown): boolean {
  const keysInText = [...text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined).length
  return keysInText !== countKeys(json)
}

function countKeys(json: unknown): number {
  if (json === null || typeof json !== 'object') return 0
  const ownKeys = Array.isArray(json) ? 0 : Object.keys(json).length
  return Object.values(json).reduce((sum: number, item) => sum + countKeys(item), ownKeys)
}

/** Verifies strictly by RFC 8032 (not ZIP 215). A malformed key or signature is not valid. */
function isSignatureValid(message: string, signature: string, key: string): boolean {
  try {
    return verify(decodeBase64url(signature), new TextEncoder().encode(message), decodeBase64url(key), { zip215: false })
  } catch {
    return false
  }
}

/** Decodes base64url, and rejects non-canonical encodings. */
function decodeBase64url(text: string): Uint8Array {
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
  const encoded = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
  if (encoded !== text) throw new Error('The base64url encoding is not canonical.')
  return bytes
}
