import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newId } from '../../lib/secrets.ts'
import { readZip } from '../../lib/testing.ts'
import { insertFolders } from '../directory/folder.repo.ts'
import { openTree, type Tree } from '../directory/testing.ts'

/** Downloads the ZIP of a directory. */
async function download({ call, kim }: Tree, directory: string, who = kim) {
  const reply = await call('GET', `/v1/directory/${directory}/zip`, who)
  expect(reply.statusCode).toBe(200)
  return reply.rawPayload
}

const listEntries = async (zip: Buffer) =>
  (await readZip({ length: zip.length, read: async (start, end) => zip.subarray(start, end) })).map(({ name }) => name)

describe('the ZIP of a directory with folders', () => {
  it('contains the files in their folders, and an entry for each empty folder', async () => {
    await using tree = await openTree()
    await tree.upload(await tree.addFolder(tree.plans, 'b/inner'), 'deep.txt')
    await tree.addFolder(tree.plans, 'a/empty')
    const trashed = await tree.addFolder(tree.plans, 'trashed')
    await tree.upload(trashed, 'gone.txt')
    await tree.send('DELETE', `/v1/directory/${trashed}`, tree.kim)
    const zip = await download(tree, tree.plans)
    expect(await listEntries(zip)).toEqual(['first.txt', 'second.txt', 'a/empty/', 'b/inner/deep.txt'])
    expect(await download(tree, tree.plans)).toEqual(zip)
    const folder = mkdtempSync(join(tmpdir(), 'neptune-zip-'))
    writeFileSync(join(folder, 'a.zip'), zip)
    execFileSync('python3', ['-m', 'zipfile', '-e', join(folder, 'a.zip'), join(folder, 'out')])
    expect(readFileSync(join(folder, 'out/b/inner/deep.txt'), 'utf8')).toBe('deep.txt')
    rmSync(folder, { recursive: true })
  })

  it('has names that are safe on every system, and unique in each folder', async () => {
    await using tree = await openTree()
    const folders = ['con', 'a:b', 'a?b', 'straße', 'STRASSE', 'same', 'x ~1']
    for (const name of folders) await tree.upload(await tree.addFolder(tree.other, name), 'aux.txt')
    const entries = await listEntries(await download(tree, tree.other))
    const segments = entries.flatMap((name) => name.split('/'))
    expect(segments.filter((name) => /[<>:"|?*]|^(con|aux)(\.|$)|[. ]$/i.test(name))).toEqual([])
    expect(new Set(entries.map((name) => name.toUpperCase())).size).toBe(folders.length + 1)
  })

  it('can be resumed in the middle', async () => {
    await using tree = await openTree()
    for (let i = 0; i < 5; i++) await tree.upload(await tree.addFolder(tree.plans, `f${i}/x`), `${i}.txt`)
    const zip = await download(tree, tree.plans)
    const headers = { ...tree.kim, range: `bytes=${Math.floor(zip.length / 3)}-` }
    const rest = await tree.call('GET', `/v1/directory/${tree.plans}/zip`, headers)
    expect(rest.statusCode).toBe(206)
    expect(rest.rawPayload).toEqual(zip.subarray(Math.floor(zip.length / 3)))
    const head = await tree.call('HEAD', `/v1/directory/${tree.plans}/zip`, tree.kim)
    expect(Number(head.headers['content-length'])).toBe(zip.length)
  })

  it('is complete with more folders and files than are read at a time', async () => {
    await using tree = await openTree()
    const root = await tree.readDirectory(tree.other)
    const common = { company_id: root.company, owner_id: null, root_id: root.id, created_at: '2026-01-01', deleted_at: null }
    const outer = Array.from({ length: 3 }, (_, i) => ({
      ...common,
      id: newId(),
      parent_id: root.id,
      depth: 1,
      name: `outer ${i}`,
    }))
    const inner = outer.flatMap(({ id }, i) =>
      Array.from({ length: 700 }, (_, n) => ({ ...common, id: newId(), parent_id: id, depth: 2, name: `inner ${i} ${n}` })),
    )
    await insertFolders(tree.deps.db, [...outer, ...inner])
    const source = await tree.deps.db.selectFrom('file').selectAll().where('id', '=', tree.hidden).executeTakeFirstOrThrow()
    const { seq: _, ...copied } = source
    const row = { ...copied, crc32: 0 }
    const files = inner.flatMap(({ id }, i) => (i % 3 === 0 ? [{ ...row, id: newId(), directory_id: id, size: 0 }] : []))
    const large = Array.from({ length: 1100 }, (_, n) => {
      const name = `${n}.txt`
      return { ...row, id: newId(), directory_id: outer[1]?.id ?? '', name, name_key: name, size: 0 }
    })
    const all = [...files, ...large]
    for (let i = 0; i < all.length; i += 500)
      await tree.deps.db
        .insertInto('file')
        .values(all.slice(i, i + 500))
        .execute()
    const entries = await listEntries(await download(tree, tree.other))
    expect(entries.length).toBe(1 + 2100 + 1100)
    expect(new Set(entries).size).toBe(entries.length)
    expect(entries.filter((name) => name.endsWith('/')).length).toBe(1400)
  })
})
