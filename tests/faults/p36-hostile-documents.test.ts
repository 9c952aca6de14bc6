import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeZip } from '../support/formats/make-zip.ts'
import { readMemoryMiB } from '../support/read-memory.ts'
import { startSignedIn } from '../support/start-signed-in.ts'

type Neptune = Awaited<ReturnType<typeof startSignedIn>>

/** Long enough for LibreOffice and the thumbnail process on a busy machine. */
const timeout = 600_000
const poll = { timeout: 300_000, interval: 500 }

const put = async (neptune: Neptune, name: string, bytes: Buffer | string): Promise<string> =>
  (await (await neptune.put(name, Buffer.from(bytes))).json()).data.id

const readPreview = async (neptune: Neptune, id: string) =>
  (await (await neptune.send('POST', `/v1/file/${id}/preview`)).json()).data as {
    as: string | null
    url: string
    pending: boolean
  }

/** Waits until a preview is made or has failed. */
async function waitForPreview(neptune: Neptune, id: string) {
  await expect.poll(async () => (await readPreview(neptune, id)).pending, poll).toBe(false)
  return readPreview(neptune, id)
}

const readImage = async (neptune: Neptune, name: string) =>
  (await (await neptune.get(`/v1/file?search=${name}`)).json()).data[0].image as string | null

const odfType = 'application/vnd.oasis.opendocument.text'
const odf = 'urn:oasis:names:tc:opendocument:xmlns'

function makeOdt(body: string, { script = '', files = {} }: { script?: string; files?: Record<string, string | Buffer> } = {}) {
  const content = `<?xml version="1.0" encoding="UTF-8"?><office:document-content xmlns:office="${odf}:office:1.0" xmlns:text="${odf}:text:1.0"
    xmlns:draw="${odf}:drawing:1.0" xmlns:script="${odf}:script:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:svg="${odf}:svg-compatible:1.0"
    xmlns:dom="http://www.w3.org/2001/xml-events" office:version="1.2">${script}<office:body><office:text>${body}</office:text></office:body></office:document-content>`
  const names = ['/', 'content.xml', ...Object.keys(files)]
  const entries = names.map((name) => {
    const type = name === '/' ? odfType : 'text/xml'
    return `<manifest:file-entry manifest:full-path="${name}" manifest:media-type="${type}"/>`
  })
  const manifest = `<?xml version="1.0"?><manifest:manifest xmlns:manifest="${odf}:manifest:1.0" manifest:version="1.2">${entries.join('')}</manifest:manifest>`
  return makeZip({ mimetype: odfType, 'content.xml': content, ...files, 'META-INF/manifest.xml': manifest })
}

const paragraph = '<text:p>Hello</text:p>'

it('converts documents to PDF for previews, and draws thumbnails of documents and videos', { timeout }, async () => {
  await using neptune = await startSignedIn({ THUMBNAILS: 'on' })
  const folder = mkdtempSync(join(tmpdir(), 'neptune-video-'))
  const video = join(folder, 'video.mp4')
  spawnSync('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    'testsrc=duration=3:size=640x360:rate=10',
    '-pix_fmt',
    'yuv420p',
    video,
  ])
  await put(neptune, 'film.mp4', readFileSync(video))
  rmSync(folder, { recursive: true })
  for (const [name, bytes] of [
    ['plan.odt', makeOdt(paragraph)],
    ['letter.rtf', '{\\rtf1\\ansi Hello}'],
  ] as const) {
    const id = await put(neptune, name, bytes)
    const preview = await waitForPreview(neptune, id)
    expect(preview.as, name).toBe('pdf')
    const reply = await fetch(neptune.url + preview.url, { headers: { range: 'bytes=0-4' } })
    expect(reply.status).toBe(206)
    expect(reply.headers.get('content-type')).toBe('application/pdf')
    expect(await reply.text()).toBe('%PDF-')
    await expect.poll(() => readImage(neptune, name), poll).not.toBeNull()
  }
  await expect.poll(() => readImage(neptune, 'film.mp4'), poll).not.toBeNull()
})

it('P36: lets no document reach the network or run a macro', { timeout }, async () => {
  const connections: string[] = []
  const listener = createServer((socket) => {
    connections.push('connected')
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as { port: number }
  const url = `http://127.0.0.1:${port}`
  await using neptune = await startSignedIn({ THUMBNAILS: 'on' })
  const image = `<text:p><draw:frame svg:width="5cm" svg:height="5cm"><draw:image xlink:href="${url}/x.png" xlink:type="simple" xlink:actuate="onLoad"/></draw:frame></text:p>`
  const section = `<text:section text:name="s"><text:section-source xlink:href="${url}/x.odt"/>${paragraph}</text:section>`
  const script = `<office:scripts><office:event-listeners><script:event-listener script:language="ooo:script" script:event-name="dom:load" xlink:href="vnd.sun.star.script:Standard.Module1.Main?language=Basic&amp;location=document"/></office:event-listeners></office:scripts>`
  const library =
    '<?xml version="1.0"?><library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false" library:passwordprotected="false"><library:element library:name="Module1"/></library:library>'
  const macro = `<?xml version="1.0"?><script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">Sub Main
    Shell("/usr/bin/env", 1, "touch /tmp/neptune-macro")
    Open "/tmp/neptune-macro" For Output As #1
  End Sub</script:module>`
  const files = { 'Basic/Standard/script-lb.xml': library, 'Basic/Standard/Module1.xml': macro }
  const rtf = `{\\rtf1{\\field{\\*\\fldinst INCLUDEPICTURE "${url}/y.png" \\\\d}}{\\field{\\*\\fldinst INCLUDETEXT "${url}/z.rtf"}}}`
  for (const [name, bytes] of [
    ['linked.odt', makeOdt(image + section)],
    ['macro.odt', makeOdt(paragraph, { script, files })],
    ['linked.rtf', rtf],
  ] as const)
    await waitForPreview(neptune, await put(neptune, name, bytes))
  listener.close()
  expect(connections).toEqual([])
  expect(spawnSync('ls', ['/tmp/neptune-macro']).status).not.toBe(0)
})

it('P36: survives document bombs, broken documents and broken videos', { timeout }, async () => {
  await using neptune = await startSignedIn({ THUMBNAILS: 'on' })
  const good = makeOdt(paragraph)
  const hostile = {
    'bomb.odt': makeOdt(`<text:p>${'x'.repeat(200 * 2 ** 20)}</text:p>`),
    'deep.odt': makeOdt(`${'<text:section text:name="s">'.repeat(100_000)}${'</text:section>'.repeat(100_000)}`),
    'cut.odt': good.subarray(0, good.length / 2),
    'cut.docx': Buffer.from('PK\x03\x04'),
    'cut.doc': Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    'film.mp4': Buffer.from('\0\0\0\x18ftypmp42 and nothing more'),
    'film.webm': Buffer.concat([Buffer.from('1a45dfa3', 'hex'), Buffer.alloc(5000, 0xff)]),
  }
  const before = readMemoryMiB(neptune.process.pid)
  let slowestMs = 0
  const probe = setInterval(async () => {
    const startedAt = performance.now()
    await fetch(`${neptune.url}/healthz`)
    slowestMs = Math.max(slowestMs, performance.now() - startedAt)
  }, 500)
  for (const [name, bytes] of Object.entries(hostile)) {
    const id = await put(neptune, name, bytes)
    if (!name.startsWith('film')) expect((await waitForPreview(neptune, id)).as, name).toBeOneOf([null, 'pdf'])
  }
  await put(neptune, 'last.rtf', '{\\rtf1 Hello}')
  await expect.poll(() => readImage(neptune, 'last.rtf'), poll).not.toBeNull()
  clearInterval(probe)
  expect(slowestMs).toBeLessThan(5000)
  expect(readMemoryMiB(neptune.process.pid) - before).toBeLessThan(150)
  expect(await readImage(neptune, 'film.mp4')).toBeNull()
})
