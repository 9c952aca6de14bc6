import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { digest } from '../support/client.ts'
import { blobPath, freshId } from '../support/operator-office.ts'
import { runCommand } from '../support/run-command.ts'
import { SetHistory } from './history.ts'
import { type House, openHouse } from './house.ts'
import { type Random, randomOf } from './random.ts'

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

/** What `fsck` found, as `kind id`, in order; and how it ended. */
async function fsck(house: House, ...words: string[]) {
  const { code, out } = await runCommand(['fsck', '--json', ...words], { DATA_DIR: house.data })
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const found = lines.filter(({ kind, isNote }) => kind !== undefined && !isNote).map(({ kind, id }) => `${kind} ${id}`)
  return { code, found: found.toSorted() }
}

describe('bytes that are not what they were', () => {
  it('F17, F18: damage and garbage of every kind is found, all of it and nothing else; repaired, nobody is sent a wrong byte', async () => {
    const random = randomOf('F17')
    await using house = await openHouse()
    const files: { id: string; name: string; sum: string; damage?: Kind }[] = []
    for (let i = 0; i < 15; i++) {
      const bytes = random.bytes(random.between(1, 200_000))
      const name = `${i}.bin`
      const { status, id } = await house.upload(new SetHistory(), name, bytes)
      expect(status).toBe(200)
      files.push({ id: id ?? '', name, sum: digest(bytes) })
    }
    await house.stop()
    expect(await fsck(house, '--scrub')).toEqual({ code: 0, found: [] })

    const kinds = Object.keys(damages) as Kind[]
    for (const [i, file] of files.slice(0, 9).entries()) {
      file.damage = kinds[i % 3] as Kind
      damages[file.damage](blobPath(house.folder, file.id), random)
    }
    const orphans = [freshId(), freshId()]
    for (const id of orphans) {
      mkdirSync(dirname(blobPath(house.folder, id)), { recursive: true })
      writeFileSync(blobPath(house.folder, id), random.bytes(100))
    }
    const stale = freshId()
    writeFileSync(join(house.data, 'tmp', stale), random.bytes(100))

    const garbage = [...orphans, stale].map((id) => `orphan ${id}`)
    const damaged = files.filter(({ damage }) => damage).map(({ damage, id }) => `${damage} ${id}`)
    const visible = damaged.filter((line) => !line.startsWith('flipped'))
    expect(await fsck(house), 'by their sizes').toEqual({ code: 1, found: [...visible, ...garbage].toSorted() })
    const all = { code: 1, found: [...damaged, ...garbage].toSorted() }
    expect(await fsck(house, '--scrub'), 'by every byte').toEqual(all)
    expect(await fsck(house, '--scrub', '--repair')).toEqual(all)
    expect(await fsck(house, '--scrub', '--repair'), 'the second time').toEqual({ code: 0, found: [] })

    await house.start()
    for (const { id, name, sum, damage } of files) {
      const reply = await fetch(`${house.url}/v1/file/${id}`, { headers: house.staff })
      if (damage) {
        expect(reply.status, `${name}, ${damage}`).toBe(500)
        expect(await reply.json()).toMatchObject({ code: 'file.damaged' })
      } else expect(digest(new Uint8Array(await reply.arrayBuffer())), name).toBe(sum)
    }
  })

  it('F17: that a file was cut or is gone is seen when it is asked for, before a byte of it leaves', async () => {
    const random = randomOf('F17')
    await using house = await openHouse()
    for (const damage of ['truncated', 'missing'] as const) {
      const { id = '' } = await house.upload(new SetHistory(), `${damage}.bin`, random.bytes(100_000))
      damages[damage](blobPath(house.folder, id), random)
      const reply = await fetch(`${house.url}/v1/file/${id}`, { headers: house.staff })
      expect(await reply.json(), damage).toMatchObject({ status: 500, code: 'file.damaged' })
    }
  })

  it('F18: beside a running server a repair leaves an upload in flight alone, and it becomes a file', async () => {
    const random = randomOf('F18')
    await using house = await openHouse()
    const history = new SetHistory()
    const bytes = random.bytes(300_000)
    const entry = history.invoke('slow.bin', digest(bytes), bytes.length)
    const word = (text: string) => Buffer.from(text).toString('base64')
    const tus = { ...house.staff, 'tus-resumable': '1.0.0' }
    const begun = await house.call('POST', '/v1/upload', undefined, {
      ...tus,
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${word('slow.bin')},directory ${word(house.directory)}`,
    })
    const path = begun?.headers.get('location') ?? ''
    const half = await fetch(house.url + path, {
      method: 'PATCH',
      headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
      body: new Uint8Array(bytes.subarray(0, 150_000)),
    })
    expect(half.status).toBe(204)
    expect(await fsck(house, '--scrub', '--repair')).toEqual({ code: 0, found: [] })
    expect(house.temporary()).toBe(1)
    entry.outcome = (await house.resume(path, bytes)).status === 204 ? 'ok' : 'fail'
    expect(entry.outcome).toBe('ok')
    await house.expectWhole(history)
  })
})
