import { canonicalJson, type SignedReceipt } from '@neptune/contract'
import { getPublicKey, sign, utils } from '@noble/ed25519'
import { describe, expect, it } from 'vitest'
import { checkReceipt, readKeys } from './check-receipt.ts'
import { hashFile, tryToRead } from './hash-file.ts'

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

function portal(kid = 'k1') {
  const secret = utils.randomSecretKey()
  const key = { kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA', kid, x: base64url(getPublicKey(secret)) } as const
  const signed = (text: string) => base64url(sign(new TextEncoder().encode(text), secret))
  return { keys: { keys: [key] }, signed }
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

const ours = portal()
const signed: SignedReceipt = { receipt, key: 'k1', signature: ours.signed(canonicalJson(receipt)) }
const kindOf = (value: unknown, keys = ours.keys) =>
  checkReceipt(typeof value === 'string' ? value : JSON.stringify(value), keys).kind

/** The same receipt, changed and signed anew, as only the holder of the key could. */
const signedAs = (changed: object) => ({ receipt: changed, key: 'k1', signature: ours.signed(canonicalJson(changed)) })

describe('a receipt', () => {
  it('is genuine however it is laid out and ordered', () => {
    expect(checkReceipt(JSON.stringify(signed, null, 2), ours.keys)).toEqual({ kind: 'genuine', receipt })
    const turned = { signature: signed.signature, key: 'k1', receipt: Object.fromEntries(Object.entries(receipt).toReversed()) }
    expect(kindOf(turned)).toBe('genuine')
  })

  it('is not genuine with any one character of what it says altered', () => {
    const text = JSON.stringify(signed)
    const end = text.indexOf('"key":"k1"')
    for (let at = 0; at < end; at++) {
      const other = text[at] === '7' ? '8' : '7'
      expect(kindOf(text.slice(0, at) + other + text.slice(at + 1)), text.slice(at)).not.toBe('genuine')
    }
  })

  it('is not genuine with more in it than a receipt has, at any level, even if it was signed so', () => {
    const [file] = receipt.files
    expect(kindOf({ ...signed, note: 'x' })).toBe('forged')
    expect(kindOf(signedAs({ ...receipt, note: 'x' }))).toBe('forged')
    expect(kindOf(signedAs({ ...receipt, link: { ...receipt.link, note: 'x' } }))).toBe('forged')
    expect(kindOf(signedAs({ ...receipt, files: [{ ...file, note: 'x' }] }))).toBe('forged')
    expect(kindOf(JSON.stringify(signed).replace('{', '{"__proto__":{"a":1},'))).toBe('forged')
  })

  it('is not genuine if it says something twice', () => {
    expect(kindOf(JSON.stringify(signed).replace('"company":', '"company":"Globex","company":'))).toBe('forged')
    expect(kindOf(JSON.stringify(signed).replace('"company":', '"comp\\u0061ny":"Globex","company":'))).toBe('forged')
  })

  it.each(['4.00000000000000000001', '4.0', '4e0', '40E-1', '04e0', '4.'])(
    'is not genuine with a size that is written as %s',
    (size) => {
      const text = JSON.stringify(signed)
      expect(kindOf(text.replace('"size":4', `"size":${size}`)), size).not.toBe('genuine')
      expect(kindOf(text.replace('"size":4', `"size" :\n${size} `)), size).not.toBe('genuine')
    },
  )

  it('is not genuine with a nothing, or a number beyond all counting, that is written as no receipt writes it', () => {
    const empty = JSON.stringify(signedAs({ ...receipt, total_bytes: 0 }))
    expect(kindOf(empty)).toBe('genuine')
    for (const zero of ['-0', '0.0', '0e9', '1e-400', '-1e-400'])
      expect(kindOf(empty.replace('"total_bytes":0', `"total_bytes":${zero}`)), zero).toBe('forged')
    const large = JSON.stringify(signedAs({ ...receipt, total_bytes: 2 ** 53 }))
    expect(kindOf(large.replace('9007199254740992', '9007199254740993'))).toBe('forged')
    expect(kindOf(signedAs({ ...receipt, total_bytes: 1e21 }))).toBe('forged')
    expect(kindOf(signedAs({ ...receipt, total_bytes: -4 }))).toBe('forged')
  })

  it('is genuine whatever numbers stand in its names', () => {
    const [file] = receipt.files
    for (const name of ['4.0', '-0', '1e-400.txt', 'a "4e0" b', '\\"5.0', '\\'])
      expect(kindOf(signedAs({ ...receipt, files: [{ ...file, name }] })), name).toBe('genuine')
  })

  it('is not genuine by another key, whether of another id or of the same', () => {
    expect(kindOf(signed, portal('k2').keys)).toBe('forged')
    expect(kindOf(signed, portal('k1').keys)).toBe('forged')
    expect(kindOf(signed, { keys: [...portal('k0').keys.keys, ...ours.keys.keys] })).toBe('genuine')
  })

  it('is not genuine without a signature, or with one that is written in another way', () => {
    for (const signature of ['', 'x', 'A'.repeat(86), `${signed.signature}=`, `${signed.signature} `, '%'])
      expect(kindOf({ ...signed, signature }), signature).toBe('forged')
  })

  it('cannot be checked if it is none, or of another version', () => {
    for (const text of ['', 'null', '1', '[]', '{}', '{"receipt":', '<html>', '['.repeat(100_000)])
      expect(kindOf(text)).toBe('unreadable')
    expect(checkReceipt(JSON.stringify(signedAs({ ...receipt, version: 2 })), ours.keys)).toMatchObject({
      kind: 'unreadable',
      why: expect.stringContaining('version'),
    })
  })
})

it('takes a file of keys, and nothing else, for keys', () => {
  expect(readKeys(JSON.stringify(ours.keys))).toEqual(ours.keys)
  for (const text of ['', '{"keys":[]}', JSON.stringify(signed), '{"keys":[{"kty":"RSA"}]}'])
    expect(readKeys(text)).toBeUndefined()
})

describe('the hash of a file', () => {
  const digest = async (blob: Blob) =>
    Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer())), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join('')

  it.each([0, 1, 2 * 1024 * 1024, 5 * 1024 * 1024 + 3])('of %i bytes is that of all its pieces', async (size) => {
    const blob = new Blob([Uint8Array.from({ length: size }, (_, at) => at % 251)])
    const told: number[] = []
    expect(await hashFile(blob, new AbortController().signal, (bytes) => told.push(bytes))).toBe(await digest(blob))
    expect(told.at(-1) ?? 0).toBe(size)
  })

  /** As a folder, or a file that changed since it was chosen: it says one size and holds another. A slice of nothing never fails. */
  function lying(size: number, content: Uint8Array<ArrayBuffer> | 'unreadable') {
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

  it.each([0, 4096, 5 * 1024 * 1024])('of what cannot be read and says it has %i bytes is none at all', async (size) => {
    await expect(hash(lying(size, 'unreadable'))).rejects.toThrow('cannot be read')
    await expect(tryToRead(lying(size, 'unreadable'))).rejects.toThrow('cannot be read')
  })

  it.each([
    [0, 5],
    [5, 4],
    [5, 6],
    [3 * 1024 * 1024, 2 * 1024 * 1024],
  ])('of what says it has %i bytes and brings %i is none at all', async (said, size) => {
    await expect(hash(lying(said, new Uint8Array(size)))).rejects.toThrow('another size')
  })

  it('stops when nobody wants it any more', async () => {
    const control = new AbortController()
    const hash = hashFile(new Blob([new Uint8Array(9 * 1024 * 1024)]), control.signal, () => control.abort())
    await expect(hash).rejects.toThrow()
  })
})
