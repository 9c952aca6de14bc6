import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { toBearerHeader } from '../../testing.ts'
import { writeQueuedEntries } from '../audit/audit.service.ts'
import { openFileOffice } from '../file/testing.ts'
import { dayMs, openOffice } from '../link/testing.ts'

type Server = Awaited<ReturnType<typeof openFileOffice>>

/** Uploads a file and requests its preview. */
async function openPreview(server: Server, name: string, bytes: Uint8Array | string) {
  const { data } = await server.put(server.directory, name, bytes, { type: 'text/html' })
  return { id: data.id, ...(await server.json(server.kim, 'POST', `/v1/file/${data.id}/preview`)).data }
}

const script = '<script>fetch("/v1/identity")</script>'
const createPng = (text: string) => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(text)])
const pdf = `%PDF-1.4\n1 0 obj << /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> >> endobj\n${script}`

describe('a preview', () => {
  it('shows pictures, PDFs, text, audio and video, supports ranges, and is not cached by the browser', async () => {
    await using server = await openFileOffice()
    for (const [name, bytes, as, type] of [
      ['photo.png', createPng('…'), 'image', 'image/png'],
      ['scan.pdf', pdf, 'pdf', 'application/pdf'],
      ['table.csv', 'a;b\n1;2', 'text', 'text/plain; charset=utf-8'],
      ['data.json', '{"a":1}', 'text', 'text/plain; charset=utf-8'],
      ['feed.xml', '<?xml version="1.0"?><feed/>', 'text', 'text/plain; charset=utf-8'],
      ['audio.mp3', 'ID3…', 'audio', 'audio/mpeg'],
      ['video.mp4', '\0\0\0\x18ftypmp42', 'video', 'video/mp4'],
    ] as const) {
      const preview = await openPreview(server, name, bytes)
      expect(preview.as, name).toBe(as)
      const reply = await fetch(server.origin + preview.url, { headers: { range: 'bytes=0-3' } })
      expect(reply.status).toBe(206)
      expect(Buffer.from(await reply.arrayBuffer())).toEqual(Buffer.from(bytes).subarray(0, 4))
      expect(reply.headers.get('content-type')).toBe(type)
      expect(reply.headers.get('content-disposition')).toMatch(/^inline; filename="/)
      expect(reply.headers.get('cache-control')).toBe('private, no-store')
    }
    for (const name of ['plan.docx', 'all.zip', 'unknown.bin', 'no ending'])
      expect(await openPreview(server, name, 'PK\x03\x04'), name).toMatchObject({ as: null, url: null })
  })

  it('has a ticket that opens nothing else and ends when the file is deleted', async () => {
    await using server = await openFileOffice()
    const { id, url } = await openPreview(server, 'photo.png', createPng(''))
    const other = await openPreview(server, 'page.html', script)
    const getStatus = async (address: string) => (await fetch(server.origin + address)).status
    expect(await getStatus(url.replace(/^\/v1\/preview\/(.+)\/photo\.png$/, '/v1/download/$1'))).toBe(404)
    expect(await getStatus(url.replace(id, other.id))).toBe(404)
    const { url: download } = (await server.json(server.kim, 'POST', `/v1/file/${other.id}/ticket`)).data
    expect(await getStatus(`${download.replace('/v1/download/', '/v1/preview/')}/photo.png`)).toBe(404)
    expect(await server.json(server.eve, 'POST', `/v1/file/${id}/preview`)).toMatchObject({ status: 404 })
    expect(await getStatus(url)).toBe(200)
    await server.call(server.kim, 'DELETE', `/v1/file/${id}`)
    expect(await getStatus(url)).toBe(404)
  })

  it('is refused for a damaged file', async () => {
    await using server = await openFileOffice()
    const { id, url } = await openPreview(server, 'note.txt', 'hello')
    await server.deps.db.updateTable('file').set({ damaged_at: new Date().toISOString() }).where('id', '=', id).execute()
    expect(await server.json(server.kim, 'POST', `/v1/file/${id}/preview`)).toMatchObject({ code: 'file.damaged' })
    expect((await fetch(server.origin + url)).headers.get('content-type')).toMatch(/problem\+json/)
  })

  it('is sent by Neptune itself, even behind a proxy that sends downloads', async () => {
    await using server = await openFileOffice({ X_ACCEL_REDIRECT: '/stored/', TRUST_PROXY: '127.0.0.1' })
    const { url } = await openPreview(server, 'note.txt', 'hello')
    const reply = await fetch(server.origin + url, { headers: { 'x-forwarded-for': '192.0.2.7' } })
    expect(reply.headers.get('x-accel-redirect')).toBeNull()
    expect(await reply.text()).toBe('hello')
  })
})

describe('active content', () => {
  const html = `<!doctype html>${script}`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`
  const polyglot = Buffer.concat([createPng(''), deflateSync(script), Buffer.from(script)])

  it('has no preview if it is HTML, SVG or XML with a stylesheet', async () => {
    await using server = await openFileOffice()
    for (const name of ['page.html', 'page.png', 'page.pdf', 'page.mp4', 'page.xhtml', 'code.js'])
      expect(await openPreview(server, name, html), name).toMatchObject({ as: null, url: null })
    for (const name of ['drawing.svg', 'drawing.png', 'drawing.xml'])
      expect(await openPreview(server, name, svg), name).toMatchObject({ as: null, url: null })
    const styled = '<?xml version="1.0"?><?xml-stylesheet href="x.xsl"?><a/>'
    expect(await openPreview(server, 'styled.xml', styled)).toMatchObject({ as: null, url: null })
  })

  it('in a text, an image or a PDF is sent only with a type that runs nothing, whatever the request asks for', async () => {
    await using server = await openFileOffice()
    const late = `<?xml version="1.0"?><!--${'x'.repeat(5000)}--><html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`
    for (const [name, bytes, type] of [
      ['page.txt', html, 'text/plain; charset=utf-8'],
      ['page.json', `"${script}"`, 'text/plain; charset=utf-8'],
      ['late.xml', late, 'text/plain; charset=utf-8'],
      ['both.gif', `GIF89a/*${script}*/=1`, 'image/gif'],
      ['both.png', polyglot, 'image/png'],
      ['both.pdf', pdf, 'application/pdf'],
    ] as const) {
      const { url } = await openPreview(server, name, bytes)
      const { headers } = await fetch(`${server.origin}${url}?as=html&content-type=text/html`)
      expect(headers.get('content-type'), name).toBe(type)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox; frame-ancestors 'none'")
      expect(headers.get('x-frame-options')).toBe('DENY')
    }
  })
})

describe('an opened preview', () => {
  it('is combined in the audit log, with its bytes, however many ranges are requested', async () => {
    await using server = await openFileOffice()
    const { id, url } = await openPreview(server, 'video.mp4', `\0\0\0\x18ftypmp42${'x'.repeat(1000)}`)
    for (let part = 0; part < 5; part++)
      await (await fetch(server.origin + url, { headers: { range: `bytes=${part * 100}-${part * 100 + 99}` } })).arrayBuffer()
    const listRows = async () => {
      await writeQueuedEntries(server.deps)
      return (await server.json(server.kim, 'GET', `/v1/activity?file=${id}&action=file.previewed`)).data
    }
    const sumTimes = async () => (await listRows()).reduce((sum: number, row: { times: number }) => sum + row.times, 0)
    await expect.poll(sumTimes).toBe(5)
    const entries = await listRows()
    expect(entries.length).toBeLessThan(5)
    expect(entries.reduce((sum: number, { bytes }: { bytes: number }) => sum + bytes, 0)).toBe(500)
    expect(entries[0]).toMatchObject({ name: 'video.mp4', note: expect.stringMatching(/^partly, SHA-256 /), person: 'Kim Doe' })
  })

  it('counts as a download for a recipient, and notifies the owner who asked for it', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_DIRECTORY', { tellDownload: true })
    const visitor = await office.enter(link)
    const { url } = await office.data('POST', `/v1/file/${office.first}/preview`, visitor)
    expect((await office.call('GET', url)).body).toBe('first.txt')
    const findDownload = async () => {
      const events: { kind: string }[] = await office.data('GET', `/v1/link/${link.key}/activity`, office.kim)
      return events.find(({ kind }) => kind === 'downloaded')
    }
    await expect.poll(findDownload).toMatchObject({ name: 'first.txt', bytes: 9 })
    await office.deliver()
    expect(office.sentEmails.map(({ subject }) => subject)).toEqual(['First download from “Plans”'])
  })

  it('is not in the activity of a link that staff view as a recipient', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_DIRECTORY', { tellDownload: true })
    const { token } = await office.data('POST', `/v1/link/${link.key}/preview`, office.kim)
    const { url } = await office.data('POST', `/v1/file/${office.first}/preview`, toBearerHeader(token))
    expect((await office.call('GET', url)).statusCode).toBe(200)
    expect(await office.data('GET', `/v1/link/${link.key}/activity`, office.kim)).toEqual([])
  })

  it.each(['reset', 'deleted', 'expired'])('returns 404 once its link is %s', async (how) => {
    await using office = await openOffice()
    const link = await office.share()
    const { url } = await office.data('POST', `/v1/file/${office.first}/preview`, await office.enter(link))
    if (how === 'expired') office.advance(31 * dayMs)
    if (how === 'deleted') await office.call('DELETE', `/v1/link/${link.key}`, office.kim)
    if (how === 'reset') {
      const { accessCode } = await office.data('POST', '/v1/link/initialise', office.kim, { type: 'RESET', accessKey: link.key })
      await office.call('PATCH', '/v1/link/reset', office.kim, { accessKey: link.key, accessCode })
    }
    expect((await office.call('GET', url)).statusCode).toBe(404)
  })
})
