import { randomBytes } from 'node:crypto'
import { expect, inject, it } from 'vitest'
import { digest } from '../support/client.ts'
import { startSignedIn } from '../support/signed-in.ts'

it('with S3_DIRECT a browser puts the parts of an upload into the store itself, and is sent there for a download', async () => {
  const s3 = inject('s3')
  await using neptune = await startSignedIn({ ...s3, S3_BUCKET: 'direct', S3_DIRECT: 'on' })
  const bytes = randomBytes(9 * 2 ** 20) // a part and a bit
  const metadata = `filename ${btoa('plan.bin')},directory ${btoa(neptune.directory)}`
  const begun = await fetch(`${neptune.url}/v1/upload`, {
    method: 'POST',
    headers: {
      ...neptune.headers,
      'tus-resumable': '1.0.0',
      'upload-length': String(bytes.length),
      'upload-metadata': metadata,
    },
  })
  expect(begun.headers.get('neptune-direct')).toBe('on')
  const path = `${begun.headers.get('location')}/part`
  const open = async (offset: number) => {
    const { data } = (await (await neptune.send('POST', path, { offset })).json()) as {
      data: { number: number; size: number; url: string }
    }
    expect(new URL(data.url).origin).toBe(s3['S3_ENDPOINT'])
    return data
  }
  const close = (number: number) => neptune.send('PUT', path, { number })

  // What is said to be there and is not does not count, and nothing of another size or in another place gets there.
  const { number, size, url } = await open(0)
  expect((await close(number + 1)).status).toBe(409)
  expect((await close(number)).status).toBe(409)
  expect((await fetch(url, { method: 'PUT', body: 'too little' })).status).toBe(403)
  expect((await fetch(url, { method: 'PUT', body: randomBytes(size + 1) })).status).toBe(403)
  expect((await fetch(url.replace(/(uploads\/[^/]+\/)/, '$11'), { method: 'PUT', body: randomBytes(size) })).status).toBe(403)
  expect((await close(number)).status).toBe(409)
  expect(new URL((await open(0)).url).pathname, 'who asks again gets the same place').toBe(new URL(url).pathname)

  let offset = 0
  let file: string | null = null
  const addresses: [url: string, size: number][] = []
  while (offset < bytes.length) {
    const part = await open(offset)
    addresses.push([part.url, part.size])
    await fetch(part.url, { method: 'PUT', body: bytes.subarray(offset, offset + part.size) })
    const closed = await close(part.number)
    expect(closed.status).toBe(204)
    offset = Number(closed.headers.get('upload-offset'))
    file = closed.headers.get('neptune-file')
  }
  expect(await neptune.list()).toEqual([expect.objectContaining({ id: file, size: bytes.length, sha256: digest(bytes) })])

  // Who still has the addresses changes nothing of what was acknowledged.
  for (const [url, size] of addresses) await fetch(url, { method: 'PUT', body: randomBytes(size) })
  const { data: ticket } = await (await neptune.send('POST', `/v1/file/${file}/ticket`)).json()
  const sent = await fetch(neptune.url + ticket.url, { redirect: 'manual' })
  expect(sent.status).toBe(302)
  const taken = await fetch(sent.headers.get('location') ?? '')
  expect(taken.headers.get('content-disposition')).toContain('plan.bin')
  expect(digest(Buffer.from(await taken.arrayBuffer()))).toBe(digest(bytes))
  const { data: rows } = await (await neptune.get('/v1/activity?limit=5')).json()
  expect(rows[0]).toMatchObject({ action: 'file.downloaded', note: 'by the store', name: 'plan.bin' })
})
