import { createHash, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { emptyTrash } from '../trash/trash.service.ts'
import { dayMs, openVersionOffice } from './testing.ts'

/** A file in the model: its versions from the oldest to the current one, each identified by its content. */
interface Predicted {
  id: string
  name: string
  versions: { id: string; text: string }[]
  isDeleted: boolean
}

/** Returns numbers from 0 to below `max` that depend only on the seed. */
function createRandom(seed: string) {
  let state = seed
  return (max: number) => {
    state = createHash('sha256').update(state).digest('hex')
    return Number.parseInt(state.slice(0, 8), 16) % max
  }
}

const steps = 120

it('matches every list, size, quota and reference count after random uploads, replacements, copies, deletions and purges', async () => {
  const seed = process.env['MODEL_SEED'] ?? randomBytes(4).toString('hex')
  const random = createRandom(seed)
  await using office = await openVersionOffice({ VERSIONS_KEPT: '1000' })
  const { kim, json, call } = office
  const files: Predicted[] = []
  const pick = <T>(list: T[]): T | undefined => list[random(list.length || 1)]
  const live = () => files.filter(({ isDeleted }) => !isDeleted)
  const current = ({ versions }: Predicted) => versions.at(-1)
  const actions: (() => Promise<unknown>)[] = [
    async () => {
      const text = `text ${random(1000)}`
      const { id, file_name } = (await office.put(office.directory, `file ${random(1000)}.txt`, text)).data
      files.push({ id, name: file_name, versions: [{ id, text }], isDeleted: false })
    },
    async () => {
      const file = pick(live())
      if (!file) return
      const text = `replaced ${random(1000)}`
      expect((await office.replace(file.name, text)).id).toBe(file.id)
      const [version] = await office.listVersions(file.id)
      file.versions.push({ id: version?.id ?? '', text })
    },
    async () => {
      const sources = [...new Set([pick(live()), pick(live())])].filter((file) => file !== undefined)
      if (sources.length === 0) return
      const { data } = await office.copy({ files: sources.map(({ id }) => id) })
      for (const { from, id, name } of data.files) {
        const source = current(sources.find((file) => file.id === from) as Predicted)
        if (source) files.push({ id, name, versions: [source], isDeleted: false })
      }
    },
    async () => {
      const file = pick(live().filter(({ versions }) => versions.length > 1))
      const version = file && pick(file.versions.slice(0, -1))
      if (!file || !version) return
      expect((await call(kim, 'DELETE', `/v1/file/${file.id}/version/${version.id}`)).status).toBe(204)
      file.versions = file.versions.filter((other) => other !== version)
    },
    async () => {
      const file = pick(live().filter(({ versions }) => versions.length > 1))
      const version = file && pick(file.versions.slice(0, -1))
      if (!file || !version) return
      expect((await json(kim, 'POST', `/v1/file/${file.id}/version/${version.id}/restore`)).status).toBe(200)
      file.versions = [...file.versions.filter((other) => other !== version), version]
    },
    async () => {
      const file = pick(live())
      if (!file) return
      expect((await call(kim, 'DELETE', `/v1/file/${file.id}`)).status).toBe(204)
      file.isDeleted = true
    },
    async () => {
      const file = pick(files.filter(({ isDeleted }) => isDeleted))
      if (!file) return
      const { data } = await json(kim, 'POST', '/v1/file/restore', { ids: [file.id] })
      Object.assign(file, { isDeleted: false, name: data[0].file_name })
    },
    async () => {
      if (random(4) > 0) return
      office.advance(31 * dayMs)
      await emptyTrash(office.deps)
      files.splice(0, files.length, ...live())
    },
  ]
  for (let step = 0; step < steps; step++) {
    await pick(actions)?.()
    if (step % 20 < 19) continue
    const listed = (await json(kim, 'GET', '/v1/file?limit=200&sort=name')).data
    const toLine = (file: { name: string; versions: number; size: number }) => `${file.name} v${file.versions} ${file.size}`
    expect(
      listed
        .map((file: { file_name: string; versions: number; size: number }) => toLine({ ...file, name: file.file_name }))
        .toSorted(),
      seed,
    ).toEqual(
      live()
        .map((file) => toLine({ name: file.name, versions: file.versions.length, size: current(file)?.text.length ?? 0 }))
        .toSorted(),
    )
    const sumOf = (versions: { text: string }[]) => versions.reduce((sum, { text }) => sum + text.length, 0)
    expect(await office.readBytes(), seed).toBe(sumOf(files.flatMap(({ versions }) => versions)))
    const totals = (await json(kim, 'GET', `/v1/directory/${office.directory}`)).data
    const size = sumOf(live().flatMap((file) => current(file) ?? []))
    expect([totals.files, totals.size], seed).toEqual([live().length, size])
    const counts = Map.groupBy(
      files.flatMap(({ versions }) => versions),
      ({ id }) => id,
    )
    const shared = [...counts].filter(([, { length }]) => length > 1).map(([blob_id, { length }]) => ({ blob_id, refs: length }))
    expect(await office.listReferences(), seed).toEqual(shared.toSorted((a, b) => (a.blob_id < b.blob_id ? -1 : 1)))
    expect(office.countStored().blobs, seed).toBe(counts.size)
    expect(await office.check(), seed).toEqual([])
  }
  for (const file of live().slice(0, 10))
    expect(await office.readVersions(file.id), seed).toEqual(file.versions.map(({ text }) => text).toReversed())
})
