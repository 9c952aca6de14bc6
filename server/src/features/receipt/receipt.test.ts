import { createHash, createPublicKey, verify } from 'node:crypto'
import { canonicalJson, type Receipt, type SignedReceipt } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { withoutRequestId } from '../../testing.ts'
import { type Office, openOffice } from '../link/testing.ts'
import { emailReceipt, openOfficeForRob, postReceipt } from './testing.ts'

const hour = 60 * 60_000
const shaOf = (text: string) => createHash('sha256').update(text).digest('hex')
/** Verifies a receipt with nothing but the published key, as anyone can. */
async function isGenuine(office: Office, { receipt, key, signature }: SignedReceipt): Promise<boolean> {
  const { keys } = (await office.app.inject('/.well-known/neptune-key.json')).json()
  const jwk = keys.find((one: { kid: string }) => one.kid === key)
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  return verify(null, Buffer.from(canonicalJson(receipt)), publicKey, Buffer.from(signature, 'base64url'))
}
const otherDigit = (hash: string) => `${hash.startsWith('0') ? '1' : '0'}${hash.slice(1)}`

describe('a receipt', () => {
  it('lists the uploads of the visit, and is signed', async () => {
    await using office = await openOfficeForRob()
    await office.upload('plan.txt', 'the plan')
    office.advance(1000)
    await office.upload('Maße “neu”.txt', 'größer')
    office.advance(1000)
    const reply = await postReceipt(office, office.rob)
    expect(reply.statusCode, reply.body).toBe(200)
    const { receipt, key, signature } = reply.json().data as SignedReceipt
    expect(receipt).toEqual({
      version: 1,
      id: expect.stringMatching(/^[\w-]{22}$/),
      issued_at: '2026-12-01T09:00:02.000Z',
      server: office.deps.config.publicUrl,
      received_by: { name: 'Kim Doe', company: 'Acme GmbH' },
      company: 'Acme GmbH',
      link: { key: office.link.key, name: 'Plans' },
      files: [
        { name: 'plan.txt', size: 8, sha256: shaOf('the plan'), received_at: '2026-12-01T09:00:00.000Z' },
        { name: 'Maße “neu”.txt', size: 8, sha256: shaOf('größer'), received_at: '2026-12-01T09:00:01.000Z' },
      ],
      total_files: 2,
      total_bytes: 16,
    })
    expect(key).toMatch(/^[0-9a-f]{16}$/)
    expect(await isGenuine(office, { receipt, key, signature })).toBe(true)
  })

  it.each<[string, (receipt: Receipt) => void]>([
    ['a digit of a hash', ({ files: [file] }) => file && Object.assign(file, { sha256: otherDigit(file.sha256) })],
    ['a size', ({ files: [file] }) => file && Object.assign(file, { size: file.size + 1 })],
    ['a name', ({ files: [file] }) => file && Object.assign(file, { name: 'plan.tx' })],
    ['the time', (receipt) => Object.assign(receipt, { issued_at: '2026-12-01T09:00:00.001Z' })],
    ['the company', (receipt) => Object.assign(receipt, { company: 'Acme' })],
    ['the number of files', (receipt) => Object.assign(receipt, { total_files: 2 })],
  ])('fails verification if %s is altered', async (_, alter) => {
    await using office = await openOfficeForRob()
    await office.upload('plan.txt')
    const signed = await office.fetchReceipt()
    expect(await isGenuine(office, signed)).toBe(true)
    alter(signed.receipt)
    expect(await isGenuine(office, signed)).toBe(false)
  })

  it('is the same for repeated and concurrent requests, and a new one after more uploads', async () => {
    await using office = await openOfficeForRob()
    const [a, b] = [await office.uploadAndGetFileId('a.txt'), await office.uploadAndGetFileId('b.txt')]
    const replies = await Promise.all(
      [undefined, [a, b], [b, a], [a, b, a], undefined].map((f) => postReceipt(office, office.rob, f)),
    )
    office.advance(hour / 2)
    replies.push(await postReceipt(office, office.rob))
    expect(new Set(replies.map(({ body }) => body)).size).toBe(1)
    expect(await office.deps.db.selectFrom('receipt').select('id').execute()).toHaveLength(1)
    const one = (await postReceipt(office, office.rob, [a])).json().data as SignedReceipt
    expect(one.receipt.files.map(({ name }) => name)).toEqual(['a.txt'])
    await office.upload('c.txt')
    expect((await office.fetchReceipt()).receipt.total_files).toBe(3)
  })

  it('lists files under their uploaded names, even after staff renamed or deleted them', async () => {
    await using office = await openOfficeForRob()
    const [a, b] = [await office.uploadAndGetFileId('a.txt'), await office.uploadAndGetFileId('b.txt')]
    await office.call('PATCH', `/v1/file/${a}`, office.kim, { file_name: 'secret plans.txt' })
    await office.call('DELETE', `/v1/file/${b}`, office.kim)
    expect((await office.fetchReceipt()).receipt.files.map(({ name }) => name).toSorted()).toEqual(['a.txt', 'b.txt'])
  })

  it('is stored exactly as it was signed', async () => {
    await using office = await openOfficeForRob()
    await office.upload('plan.txt')
    const { receipt } = await office.fetchReceipt()
    const { body } = await office.deps.db.selectFrom('receipt').select('body').executeTakeFirstOrThrow()
    expect(body).toBe(canonicalJson(receipt))
  })

  it('is not issued for files that this visit did not upload', async () => {
    await using office = await openOfficeForRob()
    const mine = await office.uploadAndGetFileId('mine.txt')
    const sameLink = await office.enter(office.link)
    const otherLink = await office.enter(await office.share('LINK_EDITABLE_DIRECTORY'))
    const theirs = [
      await office.uploadAndGetFileId('theirs.txt', sameLink),
      await office.uploadAndGetFileId('others.txt', otherLink),
    ]
    const absent = await postReceipt(office, office.rob, ['absent'])
    expect([absent.statusCode, absent.json().code]).toEqual([404, 'file.not_found'])
    for (const id of [...theirs, office.first, office.hidden, office.foreignFile]) {
      expect(withoutRequestId(await postReceipt(office, office.rob, [id]))).toBe(withoutRequestId(absent))
      expect(withoutRequestId(await postReceipt(office, office.rob, [mine, id]))).toBe(withoutRequestId(absent))
    }
    expect((await office.fetchReceipt(sameLink)).receipt.files.map(({ name }) => name)).toEqual(['theirs.txt'])
  })

  it('is not issued without uploads, through a read-only link, or in a preview', async () => {
    await using office = await openOfficeForRob()
    expect((await postReceipt(office, office.rob)).json().code).toBe('file.not_found')
    for (const type of ['LINK_FILE', 'LINK_DIRECTORY'] as const)
      expect((await postReceipt(office, await office.enter(await office.share(type)))).json().code).toBe('link.forbidden')
    await office.upload('mine.txt')
    const { id } = (await office.fetchReceipt()).receipt
    const { token } = await office.data('POST', `/v1/link/${office.link.key}/preview`, office.kim)
    const preview = { authorization: `Bearer ${token}` }
    expect((await postReceipt(office, preview)).json().code).toBe('link.forbidden')
    expect((await emailReceipt(office, preview, id, 'rob@client.example')).json().code).toBe('link.forbidden')
  })

  it('is issued at most sixty times an hour; repeated requests for the same files do not count', async () => {
    await using office = await openOfficeForRob()
    const ids: string[] = []
    for (let i = 0; i < 7; i++) ids.push(await office.uploadAndGetFileId(`${i}.txt`))
    const chooseFiles = (bits: number) => ids.filter((_, i) => bits & (1 << i))
    for (let bits = 1; bits <= 60; bits++) expect((await postReceipt(office, office.rob, chooseFiles(bits))).statusCode).toBe(200)
    const refused = await postReceipt(office, office.rob, chooseFiles(61))
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'link.too_many_tries'])
    expect((await postReceipt(office, office.rob, chooseFiles(1))).statusCode).toBe(200)
  })
})

describe('reading a receipt', () => {
  it('requires only its id, and works after the link is deleted', async () => {
    await using office = await openOfficeForRob()
    await office.upload('plan.txt')
    const signed = await office.fetchReceipt()
    await office.call('DELETE', `/v1/link/${office.link.key}`, office.kim)
    const reply = await office.call('GET', `/v1/receipt/${signed.receipt.id}`)
    expect(reply.json().data).toEqual(signed)
    expect(await isGenuine(office, reply.json().data)).toBe(true)
    expect(reply.headers).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'no-store' })
  })

  it('returns the same 404 for every other id', async () => {
    await using office = await openOfficeForRob()
    await office.upload('plan.txt')
    const { id } = (await office.fetchReceipt()).receipt
    const unknown = await office.call('GET', `/v1/receipt/${'A'.repeat(22)}`)
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'receipt.not_found'])
    for (const other of [office.link.key, id.slice(0, -1), id.toUpperCase(), `${id}%20`, 'x'])
      expect(withoutRequestId(await office.call('GET', `/v1/receipt/${other}`))).toBe(withoutRequestId(unknown))
  })

  it('does not log its id', async () => {
    await using office = await openOfficeForRob()
    await office.upload('plan.txt')
    const { id } = (await office.fetchReceipt()).receipt
    await office.call('GET', `/v1/receipt/${id}`)
    await emailReceipt(office, office.rob, id, 'rob@client.example')
    await office.call('GET', `/receipt/${id}`)
    expect(office.logLines.join('')).not.toContain(id)
  })
})

describe('the public key', () => {
  it('is readable from every origin, cached for an hour, and reveals nothing else', async () => {
    await using office = await openOffice({ CORS_ORIGINS: 'https://app.example.com' })
    const reply = await office.call('GET', '/.well-known/neptune-key.json', { origin: 'https://elsewhere.example' })
    const [key, ...others] = reply.json().keys
    expect(others).toEqual([])
    expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
    const bytes = Buffer.from(key.x, 'base64url')
    expect(bytes).toHaveLength(32)
    expect(key.kid).toBe(createHash('sha256').update(bytes).digest('hex').slice(0, 16))
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=3600',
      'content-type': expect.stringContaining('application/json'),
    })
    expect(reply.body).not.toContain(office.deps.keys.receipt.toString('base64url'))
  })
})
