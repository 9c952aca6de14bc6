import { randomBytes } from 'node:crypto'
import { expect, inject, it } from 'vitest'
import { digest } from '../support/client.ts'
import { startSignedIn } from '../support/start-signed-in.ts'

it('S3_DIRECT gives clients presigned URLs, which accept no other size or key and cannot change a finished file', async () => {
  const s3 = inject('s3')
  await using neptune = await startSignedIn({ ...s3, S3_BUCKET: 'direct', S3_DIRECT: 'on' })
  const bytes = randomBytes(9 * 2 ** 20) // slightly more than one part
  const metadata = `filename ${btoa('plan.bin')},directory ${btoa(neptune.directory)}`
  const created = await fetch(`${neptune.url}/v1/upload`, {
    method: 'POST',
    headers: {
      ...neptune.headers,
      'tus-resumable': '1.0.0',
      'upload-length': String(bytes.length),
      'upload-metadata': metadata,
    },
  })
  expect(created.headers.get('neptune-direct')).toBe('on')
  const path = `${created.headers.get('location')}/part`
  const requestPartUrl = async (offset: number) => {
    const { data } = (await (await neptune.send('POST', path, { offset })).json()) as {
      data: { number: number; size: number; url: string }
    }
    expect(new URL(data.url).origin).toBe(s3['S3_ENDPOINT'])
    return data
  }
  const confirmPart = (number: number) => neptune.send('PUT', path, { number })

  // A part that was not uploaded is not accepted, and a presigned URL rejects another size or key.
  const { number, size, url } = await requestPartUrl(0)
  expect((await confirmPart(number + 1)).status).toBe(409)
  expect((await confirmPart(number)).status).toBe(409)
  expect((await fetch(url, { method: 'PUT', body: 'too little' })).status).toBe(403)
  expect((await fetch(url, { method: 'PUT', body: randomBytes(size + 1) })).status).toBe(403)
  const otherKey = url.replace(/(uploads\/[^/]+\/)/, '$11') // `$1` and the digit 1, which makes it another key
  expect((await fetch(otherKey, { method: 'PUT', body: randomBytes(size) })).status).toBe(403)
  expect((await confirmPart(number)).status).toBe(409)
  expect(new URL((await requestPartUrl(0)).url).pathname, 'a second request gets the same key').toBe(new URL(url).pathname)

  let offset = 0
  let file: string | null = null
  const presigned: [url: string, size: number][] = []
  while (offset < bytes.length) {
    const part = await requestPartUrl(offset)
    presigned.push([part.url, part.size])
    await fetch(part.url, { method: 'PUT', body: bytes.subarray(offset, offset + part.size) })
    const confirmed = await confirmPart(part.number)
    expect(confirmed.status).toBe(204)
    offset = Number(confirmed.headers.get('upload-offset'))
    file = confirmed.headers.get('neptune-file')
  }
  expect(await neptune.list()).toEqual([expect.objectContaining({ id: file, size: bytes.length, sha256: digest(bytes) })])

  // Presigned URLs that are still valid cannot change acknowledged files.
  for (const [url, size] of presigned) await fetch(url, { method: 'PUT', body: randomBytes(size) })
  const { data: ticket } = await (await neptune.send('POST', `/v1/file/${file}/ticket`)).json()
  const redirect = await fetch(neptune.url + ticket.url, { redirect: 'manual' })
  expect(redirect.status).toBe(302)
  const download = await fetch(redirect.headers.get('location') ?? '')
  expect(download.headers.get('content-disposition')).toContain('plan.bin')
  expect(digest(Buffer.from(await download.arrayBuffer()))).toBe(digest(bytes))
  const { data: rows } = await (await neptune.get('/v1/activity?limit=5')).json()
  expect(rows[0]).toMatchObject({
    action: 'file.downloaded',
    note: expect.stringMatching(/^by the object store, SHA-256 /),
    name: 'plan.bin',
  })
})
