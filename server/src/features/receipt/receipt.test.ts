import { createHash, createPublicKey, verify } from 'node:crypto'
import { canonicalJson, type Receipt, type SignedReceipt } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { alike } from '../../testing.ts'
import { type Office, openOffice } from '../link/testing.ts'

type Headers = Record<string, string>

const hour = 60 * 60_000
const shaOf = (text: string) => createHash('sha256').update(text).digest('hex')
const issue = (office: Office, who: Headers, files?: string[]) => office.call('POST', '/v1/receipt', who, files ? { files } : {})
const send = (office: Office, who: Headers, id: string, email: string) =>
  office.call('POST', `/v1/receipt/${id}/email`, who, { email })

/** Kim's directory is open to additions, and Rob has entered the code. */
async function openForRob(environment: Record<string, string> = {}) {
  const office = await openOffice(environment)
  const link = await office.share('LINK_EDITABLE_DIRECTORY')
  const rob = await office.enter(link)
  const bring = (name: string, text = name, who = rob) => office.put(office.plans, name, who, text)
  const bringId = async (name: string, who = rob): Promise<string> => (await bring(name, name, who)).json().data.id
  const receipt = async (who = rob): Promise<SignedReceipt> => (await issue(office, who)).json().data
  return { ...office, link, rob, bring, bringId, receipt }
}

/** As anybody would who has the receipt and the published key, and nothing else. */
async function isGenuine(office: Office, { receipt, key, signature }: SignedReceipt): Promise<boolean> {
  const { keys } = (await office.app.inject('/.well-known/neptune-key.json')).json()
  const jwk = keys.find((one: { kid: string }) => one.kid === key)
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  return verify(null, Buffer.from(canonicalJson(receipt)), publicKey, Buffer.from(signature, 'base64url'))
}

describe('a receipt', () => {
  it('names what was uploaded in this visit, and is signed', async () => {
    await using office = await openForRob()
    await office.bring('plan.txt', 'the plan')
    office.advance(1000)
    await office.bring('Maße “neu”.txt', 'größer')
    office.advance(1000)
    const reply = await issue(office, office.rob)
    expect(reply.statusCode, reply.body).toBe(200)
    const { receipt, key, signature } = reply.json().data as SignedReceipt
    expect(receipt).toEqual({
      version: 1,
      id: expect.stringMatching(/^[\w-]{22}$/),
      issued_at: '2026-12-01T09:00:02.000Z',
      server: office.deps.config.publicUrl,
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
  ])('in which %s is altered is not genuine', async (_, alter) => {
    await using office = await openForRob()
    await office.bring('plan.txt')
    const signed = await office.receipt()
    expect(await isGenuine(office, signed)).toBe(true)
    alter(signed.receipt)
    expect(await isGenuine(office, signed)).toBe(false)
  })

  it('is the same when it is asked for again, also many times at once, and another one once there is more to say', async () => {
    await using office = await openForRob()
    const [a, b] = [await office.bringId('a.txt'), await office.bringId('b.txt')]
    const replies = await Promise.all([undefined, [a, b], [b, a], [a, b, a], undefined].map((f) => issue(office, office.rob, f)))
    office.advance(hour / 2)
    replies.push(await issue(office, office.rob))
    expect(new Set(replies.map(({ body }) => body)).size).toBe(1)
    expect(await office.deps.db.selectFrom('receipt').select('id').execute()).toHaveLength(1)
    const one = (await issue(office, office.rob, [a])).json().data as SignedReceipt
    expect(one.receipt.files.map(({ name }) => name)).toEqual(['a.txt'])
    await office.bring('c.txt')
    expect((await office.receipt()).receipt.total_files).toBe(3)
  })

  it('keeps the name a file came by, and is given for a file that staff have renamed or deleted since', async () => {
    await using office = await openForRob()
    const [a, b] = [await office.bringId('a.txt'), await office.bringId('b.txt')]
    await office.call('PATCH', `/v1/file/${a}`, office.kim, { file_name: 'secret plans.txt' })
    await office.call('DELETE', `/v1/file/${b}`, office.kim)
    expect((await office.receipt()).receipt.files.map(({ name }) => name).toSorted()).toEqual(['a.txt', 'b.txt'])
  })

  it('is stored to the letter as it was signed', async () => {
    await using office = await openForRob()
    await office.bring('plan.txt')
    const { receipt } = await office.receipt()
    const { body } = await office.deps.db.selectFrom('receipt').select('body').executeTakeFirstOrThrow()
    expect(body).toBe(canonicalJson(receipt))
  })

  it('is not given for what this visit did not bring', async () => {
    await using office = await openForRob()
    const mine = await office.bringId('mine.txt')
    const sameLink = await office.enter(office.link)
    const otherLink = await office.enter(await office.share('LINK_EDITABLE_DIRECTORY'))
    const theirs = [await office.bringId('theirs.txt', sameLink), await office.bringId('others.txt', otherLink)]
    const absent = await issue(office, office.rob, ['absent'])
    expect([absent.statusCode, absent.json().code]).toEqual([404, 'file.not_found'])
    for (const id of [...theirs, office.first, office.hidden, office.foreignFile]) {
      expect(alike(await issue(office, office.rob, [id]))).toBe(alike(absent))
      expect(alike(await issue(office, office.rob, [mine, id]))).toBe(alike(absent))
    }
    expect((await office.receipt(sameLink)).receipt.files.map(({ name }) => name)).toEqual(['theirs.txt'])
  })

  it('is not given to a visit that brought nothing, nor by a link that takes nothing, nor in a preview', async () => {
    await using office = await openForRob()
    expect((await issue(office, office.rob)).json().code).toBe('file.not_found')
    for (const type of ['LINK_FILE', 'LINK_DIRECTORY'] as const)
      expect((await issue(office, await office.enter(await office.share(type)))).json().code).toBe('link.forbidden')
    await office.bring('mine.txt')
    const { id } = (await office.receipt()).receipt
    const { token } = await office.data('POST', `/v1/link/${office.link.key}/preview`, office.kim)
    const preview = { authorization: `Bearer ${token}` }
    expect((await issue(office, preview)).json().code).toBe('link.forbidden')
    expect((await send(office, preview, id, 'rob@client.example')).json().code).toBe('link.forbidden')
  })

  it('is given sixty times an hour, however its files are chosen; asking again for the same one counts for nothing', async () => {
    await using office = await openForRob()
    const ids: string[] = []
    for (let i = 0; i < 7; i++) ids.push(await office.bringId(`${i}.txt`))
    const choice = (bits: number) => ids.filter((_, i) => bits & (1 << i))
    for (let bits = 1; bits <= 60; bits++) expect((await issue(office, office.rob, choice(bits))).statusCode).toBe(200)
    const refused = await issue(office, office.rob, choice(61))
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'link.too_many_tries'])
    expect((await issue(office, office.rob, choice(1))).statusCode).toBe(200)
  })
})

describe('reading a receipt', () => {
  it('takes its id and nothing else, and outlives the link', async () => {
    await using office = await openForRob()
    await office.bring('plan.txt')
    const signed = await office.receipt()
    await office.call('DELETE', `/v1/link/${office.link.key}`, office.kim)
    const reply = await office.call('GET', `/v1/receipt/${signed.receipt.id}`)
    expect(reply.json().data).toEqual(signed)
    expect(await isGenuine(office, reply.json().data)).toBe(true)
    expect(reply.headers).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'no-store' })
  })

  it('knows nothing of any other id, whatever it looks like', async () => {
    await using office = await openForRob()
    await office.bring('plan.txt')
    const { id } = (await office.receipt()).receipt
    const unknown = await office.call('GET', `/v1/receipt/${'A'.repeat(22)}`)
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'receipt.not_found'])
    for (const other of [office.link.key, id.slice(0, -1), id.toUpperCase(), `${id}%20`, 'x'])
      expect(alike(await office.call('GET', `/v1/receipt/${other}`))).toBe(alike(unknown))
  })

  it('leaves no id in the log', async () => {
    await using office = await openForRob()
    await office.bring('plan.txt')
    const { id } = (await office.receipt()).receipt
    await office.call('GET', `/v1/receipt/${id}`)
    await send(office, office.rob, id, 'rob@client.example')
    await office.call('GET', `/receipt/${id}`)
    expect(office.logLines.join('')).not.toContain(id)
  })
})

describe('a receipt by mail', () => {
  it('says how much was received, names the first twenty files, and leads to the receipt', async () => {
    await using office = await openForRob()
    for (let i = 1; i <= 22; i++) {
      office.advance(1000)
      await office.bring(`page ${i}.txt`)
    }
    const { id } = (await office.receipt()).receipt
    expect((await send(office, office.rob, id, ' Rob@Client.example ')).statusCode).toBe(204)
    await office.deliver()
    const { to, subject, text } = office.letters.find(({ to }) => to === 'rob@client.example') ?? {}
    expect([to, subject]).toEqual(['rob@client.example', 'Receipt for 22 files in “Plans”'])
    expect(text?.replaceAll(/\s+/g, ' ')).toContain('Acme GmbH has received 22 files, 233 B in all, through the link to “Plans”.')
    expect(text).toContain('page 20.txt (11 B)')
    expect(text).not.toContain('page 21.txt')
    expect(text).toContain('and 2 more.')
    expect(text).toContain(`${office.deps.config.publicUrl}/receipt/${id}\n`)
    expect(text).toContain(`${office.deps.config.publicUrl}/verify`)
  })

  it('is sent for receipts of one’s own link only', async () => {
    await using office = await openForRob()
    await office.bring('plan.txt')
    const { id } = (await office.receipt()).receipt
    const colleague = await office.enter(office.link)
    const stranger = await office.enter(await office.share('LINK_EDITABLE_DIRECTORY'))
    expect((await send(office, colleague, id, 'rob@client.example')).statusCode).toBe(204)
    const foreign = await send(office, stranger, id, 'rob@client.example')
    expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'receipt.not_found'])
    expect(alike(foreign)).toBe(alike(await send(office, stranger, 'absent', 'rob@client.example')))
    expect((await send(office, {}, id, 'rob@client.example')).statusCode).toBe(401)
  })

  it('keeps the address in the outbox and nowhere else', async () => {
    await using office = await openForRob()
    await office.bring('plan.txt')
    const { id } = (await office.receipt()).receipt
    await send(office, office.rob, id, 'rob@client.example')
    const { db } = office.deps
    expect(await db.selectFrom('outbox').select('recipient').where('letter', '=', 'receipt').execute()).toEqual([
      { recipient: 'rob@client.example' },
    ])
    for (const table of ['audit', 'receipt', 'link', 'link_event', 'link_session', 'throttle'] as const)
      expect(JSON.stringify(await db.selectFrom(table).selectAll().execute()), table).not.toContain('rob@client')
    expect(office.logLines.join('')).not.toContain('rob@client')
  })

  it('is sent three times an hour by one visitor', async () => {
    await using office = await openForRob()
    await office.bring('plan.txt')
    const { id } = (await office.receipt()).receipt
    for (let i = 0; i < 3; i++) expect((await send(office, office.rob, id, `rob${i}@client.example`)).statusCode).toBe(204)
    // Entering the code again does not help.
    const again = await send(office, await office.enter(office.link), id, 'rob4@client.example')
    expect([again.statusCode, again.json().code, again.headers['retry-after']]).toEqual([429, 'mail.too_many', '3600'])
    office.advance(hour)
    expect((await send(office, await office.enter(office.link), id, 'rob4@client.example')).statusCode).toBe(204)
  })

  it('is sent five times an hour to one address, from wherever, and takes nothing from what staff may send', async () => {
    await using office = await openForRob()
    const to = 'victim@client.example'
    const from = async (i: number) => {
      const link = await office.share('LINK_EDITABLE_DIRECTORY')
      const { token } = (await office.verify(link.key, link.code, `198.51.100.${i}`)).json().data
      const who = { authorization: `Bearer ${token}` }
      await office.bring(`${i}.txt`, 'x', who)
      return send(office, who, (await office.receipt(who)).receipt.id, to)
    }
    for (let i = 0; i < 5; i++) expect((await from(i)).statusCode).toBe(204)
    expect((await from(5)).json().code).toBe('mail.too_many')
    const mail = await office.call('POST', '/v1/link/email', office.kim, { key: office.link.key, targetEmail: to })
    expect(mail.statusCode).toBe(200)
  })

  it.each(['rob@client.example, eve@evil.example', 'Rob <rob@client.example>', 'rob@client.example\r\nBcc: eve@evil.example'])(
    'goes to no such address as %j',
    async (email) => {
      await using office = await openForRob()
      await office.bring('plan.txt')
      const { id } = (await office.receipt()).receipt
      expect((await send(office, office.rob, id, email)).json().errors).toContainEqual(
        expect.objectContaining({ field: 'email' }),
      )
    },
  )
})

describe('to staff, the receipts of a link', () => {
  it('are listed, the newest first, to those who may see the link', async () => {
    await using office = await openForRob()
    const first = await office.bringId('a.txt')
    const one = (await issue(office, office.rob, [first])).json().data as SignedReceipt
    office.advance(1000)
    await office.bring('bb.txt')
    const two = await office.receipt()
    const list = (who: Headers, key = office.link.key) => office.call('GET', `/v1/link/${key}/receipt`, who)
    const expected = [two, one].map(({ receipt: { id, issued_at, total_files, total_bytes } }) => ({
      id,
      issued_at,
      total_files,
      total_bytes,
      client: '127.0.0.1',
    }))
    for (const who of [office.kim, office.admin]) expect((await list(who)).json().data).toEqual(expected)
    const foreign = await list(office.eve)
    expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'link.not_found'])
    expect(alike(foreign)).toBe(alike(await list(office.eve, 'absent')))
    expect((await list(office.rob)).statusCode).toBe(403)
  })

  it('stand in the trail, each once, with the mails they caused', async () => {
    await using office = await openForRob()
    await office.bring('a.txt')
    const { id } = (await office.receipt()).receipt
    await office.receipt()
    await send(office, office.rob, id, 'rob@client.example')
    const rows = await office.deps.db
      .selectFrom('audit')
      .select(['action', 'who', 'client', 'name', 'link_key', 'company_id', 'note'])
      .where('action', 'in', ['receipt.issued', 'receipt.sent'])
      .orderBy('seq')
      .execute()
    const by = { who: 'recipient', client: '127.0.0.1', company_id: await office.companyOf(office.kim) }
    const about = { ...by, name: 'Plans', link_key: office.link.key }
    expect(rows).toEqual([
      { action: 'receipt.issued', ...about, note: `1 file, ${id}` },
      { action: 'receipt.sent', ...about, note: id },
    ])
  })
})

describe('the public key', () => {
  it('is there for everybody, on every site, for an hour at a time, and is all that is told', async () => {
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

const otherDigit = (hash: string) => `${hash.startsWith('0') ? '1' : '0'}${hash.slice(1)}`
