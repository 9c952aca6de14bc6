import { canonicalJson, type SignedReceipt } from '@neptune/contract'
import { getPublicKey, sign, utils } from '@noble/ed25519'
import { describe, expect, it } from 'vitest'
import { checkReceipt, readKeys } from './check-receipt.ts'
import { assertReadable, hashFile } from './hash-file.ts'

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

function createPortal(kid = 'k1') {
  const secret = utils.randomSecretKey()
  const key = { kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA', kid, x: base64url(getPublicKey(secret)) } as const
  const signText = (text: string) => base64url(sign(new TextEncoder().encode(text), secret))
  return { keys: { keys: [key] }, signText }
}

const receipt: SignedReceipt['receipt'] = {
  version: 1,
  id: 'r1',
  issued_at: '2026-11-16T01:00:00.000Z',
  server: 'https://files.acme.example',
  company: 'Acme GmbH',
  link: { key: '7YqPz4', name: 'Plans' },
  files: [{ name: 'Offer “1”.pdf', size: 4, sha256: 'ab'.repeat(32), received_at: '2026-11-16T00:59:00.000Z' }],
  total_files: 1,
  total_bytes: 4,
}

const portal = createPortal()
const signed: SignedReceipt = { receipt, key: 'k1', signature: portal.signText(canonicalJson(receipt)) }
const checkKind = (value: unknown, keys = portal.keys) =>
  checkReceipt(typeof value === 'string' ? value : JSON.stringify(value), keys).kind

/** Signs changed content with the right key, as only the portal itself could. */
const signChanged = (changed: object) => ({ receipt: changed, key: 'k1', signature: portal.signText(canonicalJson(changed)) })

describe('checkReceipt', () => {
  it('accepts a receipt in any layout and key order', () => {
    expect(checkReceipt(JSON.stringify(signed, null, 2), portal.keys)).toEqual({ kind: 'genuine', receipt })
    const reordered = {
      signature: signed.signature,
      key: 'k1',
      receipt: Object.fromEntries(Object.entries(receipt).toReversed()),
    }
    expect(checkKind(reordered)).toBe('genuine')
  })

  it('rejects a receipt in which any single character was changed', () => {
    const text = JSON.stringify(signed)
    const end = text.indexOf('"key":"k1"')
    for (let index = 0; index < end; index++) {
      const replacement = text[index] === '7' ? '8' : '7'
      expect(checkKind(text.slice(0, index) + replacement + text.slice(index + 1)), text.slice(index)).not.toBe('genuine')
    }
  })

  it('rejects unknown fields at any level, even if they are signed', () => {
    const [file] = receipt.files
    expect(checkKind({ ...signed, note: 'x' })).toBe('forged')
    expect(checkKind(signChanged({ ...receipt, note: 'x' }))).toBe('forged')
    expect(checkKind(signChanged({ ...receipt, link: { ...receipt.link, note: 'x' } }))).toBe('forged')
    expect(checkKind(signChanged({ ...receipt, files: [{ ...file, note: 'x' }] }))).toBe('forged')
    expect(checkKind(JSON.stringify(signed).replace('{', '{"__proto__":{"a":1},'))).toBe('forged')
  })

  it('rejects duplicate keys', () => {
    expect(checkKind(JSON.stringify(signed).replace('"company":', '"company":"Globex","company":'))).toBe('forged')
    expect(checkKind(JSON.stringify(signed).replace('"company":', '"comp\\u0061ny":"Globex","company":'))).toBe('forged')
  })

  it.each(['4.00000000000000000001', '4.0', '4e0', '40E-1', '04e0', '4.'])('rejects a size written as %s', (size) => {
    const text = JSON.stringify(signed)
    expect(checkKind(text.replace('"size":4', `"size":${size}`)), size).not.toBe('genuine')
    expect(checkKind(text.replace('"size":4', `"size" :\n${size} `)), size).not.toBe('genuine')
  })

  it('rejects non-canonical zeros, unsafe integers and negative numbers', () => {
    const empty = JSON.stringify(signChanged({ ...receipt, total_bytes: 0 }))
    expect(checkKind(empty)).toBe('genuine')
    for (const zero of ['-0', '0.0', '0e9', '1e-400', '-1e-400'])
      expect(checkKind(empty.replace('"total_bytes":0', `"total_bytes":${zero}`)), zero).toBe('forged')
    const large = JSON.stringify(signChanged({ ...receipt, total_bytes: 2 ** 53 }))
    expect(checkKind(large.replace('9007199254740992', '9007199254740993'))).toBe('forged')
    expect(checkKind(signChanged({ ...receipt, total_bytes: 1e21 }))).toBe('forged')
    expect(checkKind(signChanged({ ...receipt, total_bytes: -4 }))).toBe('forged')
  })

  it('accepts names that look like numbers', () => {
    const [file] = receipt.files
    for (const name of ['4.0', '-0', '1e-400.txt', 'a "4e0" b', '\\"5.0', '\\'])
      expect(checkKind(signChanged({ ...receipt, files: [{ ...file, name }] })), name).toBe('genuine')
  })

  it('rejects a receipt signed with another key, even with the same key ID, and finds its own key among several', () => {
    expect(checkKind(signed, createPortal('k2').keys)).toBe('forged')
    expect(checkKind(signed, createPortal('k1').keys)).toBe('forged')
    expect(checkKind(signed, { keys: [...createPortal('k0').keys.keys, ...portal.keys.keys] })).toBe('genuine')
  })

  it('rejects a missing, wrong or non-canonical signature', () => {
    for (const signature of ['', 'x', 'A'.repeat(86), `${signed.signature}=`, `${signed.signature} `, '%'])
      expect(checkKind({ ...signed, signature }), signature).toBe('forged')
  })

  it('reports other content and other versions as unreadable', () => {
    for (const text of ['', 'null', '1', '[]', '{}', '{"receipt":', '<html>', '['.repeat(100_000)])
      expect(checkKind(text)).toBe('unreadable')
    expect(checkReceipt(JSON.stringify(signChanged({ ...receipt, version: 2 })), portal.keys)).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringContaining('version'),
    })
  })
})

it('reads keys only from a valid key file', () => {
  expect(readKeys(JSON.stringify(portal.keys))).toEqual(portal.keys)
  for (const text of ['', '{"keys":[]}', JSON.stringify(signed), '{"keys":[{"kty":"RSA"}]}'])
    expect(readKeys(text)).toBeUndefined()
})

describe('hashFile', () => {
  const digest = async (blob: Blob) =>
    Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer())), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join('')

  it.each([0, 1, 2 * 1024 * 1024, 5 * 1024 * 1024 + 3])('hashes a file of %i bytes, and reports the progress', async (size) => {
    const blob = new Blob([Uint8Array.from({ length: size }, (_, index) => index % 251)])
    const progress: number[] = []
    expect(await hashFile(blob, new AbortController().signal, (bytes) => progress.push(bytes))).toBe(await digest(blob))
    expect(progress.at(-1) ?? 0).toBe(size)
  })

  /** Simulates a folder, or a file that changed after it was chosen: its size doesn’t match its content. An empty slice never fails. */
  function mismatchedBlob(size: number, content: Uint8Array<ArrayBuffer> | 'unreadable') {
    const fail = () => Promise.reject(new DOMException('It cannot be read.', 'NotReadableError'))
    const bytes = new Blob(content === 'unreadable' ? [] : [content])
    const part = (from: number, to: number) => {
      const slice = bytes.slice(from, to)
      if (content === 'unreadable' && Math.min(size, to) > from) slice.arrayBuffer = fail
      return slice
    }
    const arrayBuffer = content === 'unreadable' ? fail : () => bytes.arrayBuffer()
    return Object.defineProperties(new Blob(), {
      size: { value: size },
      slice: { value: part },
      arrayBuffer: { value: arrayBuffer },
    })
  }
  const hash = (blob: Blob) => hashFile(blob, new AbortController().signal, () => undefined)

  it.each([0, 4096, 5 * 1024 * 1024])('fails for an unreadable file that reports %i bytes', async (size) => {
    await expect(hash(mismatchedBlob(size, 'unreadable'))).rejects.toThrow('cannot be read')
    await expect(assertReadable(mismatchedBlob(size, 'unreadable'))).rejects.toThrow('cannot be read')
  })

  it.each([
    [0, 5],
    [5, 4],
    [5, 6],
    [3 * 1024 * 1024, 2 * 1024 * 1024],
  ])('fails for a file that reports %i bytes but contains %i', async (reported, size) => {
    await expect(hash(mismatchedBlob(reported, new Uint8Array(size)))).rejects.toThrow('different size')
  })

  it('stops when aborted', async () => {
    const control = new AbortController()
    const hash = hashFile(new Blob([new Uint8Array(9 * 1024 * 1024)]), control.signal, () => control.abort())
    await expect(hash).rejects.toThrow()
  })
})
