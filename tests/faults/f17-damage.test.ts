import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blobPath, makeBlobId } from '../support/blob-files.ts'
import { digest } from '../support/client.ts'
import { runCommand } from '../support/run-command.ts'
import { UploadHistory } from './history.ts'
import { makeRandom, type Random } from './random.ts'
import { openFaultServer, type TestServer } from './test-server.ts'

const damages = {
  flipped(path: string, random: Random) {
    const bytes = readFileSync(path)
    const at = random.between(0, bytes.length - 1)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.between(0, 7))
    writeFileSync(path, bytes)
  },
  truncated: (path: string, random: Random) => truncateSync(path, random.between(0, readFileSync(path).length - 1)),
  missing: (path: string) => rmSync(path),
}

type Kind = keyof typeof damages

/** Runs `fsck`. Returns its findings as sorted `kind id` lines, and its exit code. */
async function fsck(server: TestServer, ...args: string[]) {
  const { code, out } = await runCommand(['fsck', '--json', ...args], { DATA_DIR: server.data })
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const found = lines.filter(({ kind, isNote }) => kind !== undefined && !isNote).map(({ kind, id }) => `${kind} ${id}`)
  return { code, found: found.toSorted() }
}

describe('damaged files', () => {
  it('F17, F18: fsck finds all damage and orphaned blobs and nothing else, and after a repair no wrong byte is sent', async () => {
    const random = makeRandom('F17')
    await using server = await openFaultServer()
    const files: { id: string; name: string; sha256: string; damage?: Kind }[] = []
    for (let i = 0; i < 15; i++) {
      const bytes = random.bytes(random.between(1, 200_000))
      const name = `${i}.bin`
      const { status, id } = await server.upload(new UploadHistory(), name, bytes)
      expect(status).toBe(200)
      files.push({ id: id ?? '', name, sha256: digest(bytes) })
    }
    await server.stop()
    expect(await fsck(server, '--scrub')).toEqual({ code: 0, found: [] })

    const kinds = Object.keys(damages) as Kind[]
    for (const [i, file] of files.slice(0, 9).entries()) {
      file.damage = kinds[i % 3] as Kind
      damages[file.damage](blobPath(server.folder, file.id), random)
    }
    const orphans = [makeBlobId(), makeBlobId()]
    for (const id of orphans) {
      mkdirSync(dirname(blobPath(server.folder, id)), { recursive: true })
      writeFileSync(blobPath(server.folder, id), random.bytes(100))
    }
    const stale = makeBlobId()
    writeFileSync(join(server.data, 'tmp', stale), random.bytes(100))

    const garbage = [...orphans, stale].map((id) => `orphan ${id}`)
    const damaged = files.filter(({ damage }) => damage).map(({ damage, id }) => `${damage} ${id}`)
    const foundBySize = damaged.filter((line) => !line.startsWith('flipped'))
    expect(await fsck(server), 'by size').toEqual({ code: 1, found: [...foundBySize, ...garbage].toSorted() })
    const all = { code: 1, found: [...damaged, ...garbage].toSorted() }
    expect(await fsck(server, '--scrub'), 'by every byte').toEqual(all)
    expect(await fsck(server, '--scrub', '--repair')).toEqual(all)
    expect(await fsck(server, '--scrub', '--repair'), 'the second time').toEqual({ code: 0, found: [] })

    await server.start()
    for (const { id, name, sha256, damage } of files) {
      const reply = await fetch(`${server.url}/v1/file/${id}`, { headers: server.staff })
      if (damage) {
        expect(reply.status, `${name}, ${damage}`).toBe(500)
        expect(await reply.json()).toMatchObject({ code: 'file.damaged' })
      } else expect(digest(new Uint8Array(await reply.arrayBuffer())), name).toBe(sha256)
    }
  })

  it('F17: the server detects a truncated or missing file before it sends the first byte', async () => {
    const random = makeRandom('F17')
    await using server = await openFaultServer()
    for (const damage of ['truncated', 'missing'] as const) {
      const { id = '' } = await server.upload(new UploadHistory(), `${damage}.bin`, random.bytes(100_000))
      damages[damage](blobPath(server.folder, id), random)
      const reply = await fetch(`${server.url}/v1/file/${id}`, { headers: server.staff })
      expect(await reply.json(), damage).toMatchObject({ status: 500, code: 'file.damaged' })
    }
  })

  it('F18: a repair during operation leaves an upload in progress alone, and it becomes a file', async () => {
    const random = makeRandom('F18')
    await using server = await openFaultServer()
    const history = new UploadHistory()
    const bytes = random.bytes(300_000)
    const entry = history.invoke('slow.bin', digest(bytes), bytes.length)
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const tus = { ...server.staff, 'tus-resumable': '1.0.0' }
    const created = await server.call('POST', '/v1/upload', undefined, {
      ...tus,
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${base64('slow.bin')},directory ${base64(server.directory)}`,
    })
    const path = created?.headers.get('location') ?? ''
    const half = await fetch(server.url + path, {
      method: 'PATCH',
      headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
      body: new Uint8Array(bytes.subarray(0, 150_000)),
    })
    expect(half.status).toBe(204)
    expect(await fsck(server, '--scrub', '--repair')).toEqual({ code: 0, found: [] })
    expect(server.countTemporaryFiles()).toBe(1)
    entry.outcome = (await server.resume(path, bytes)).status === 204 ? 'ok' : 'fail'
    expect(entry.outcome).toBe('ok')
    await server.expectConsistent(history)
  })
})
