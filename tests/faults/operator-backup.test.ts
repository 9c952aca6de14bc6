import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { blobPath, createOrphanBlob, flipBit, makeBlobId } from '../support/blob-files.ts'
import { type ArchiveEntry, buildTar, editEntry, parseTar } from '../support/formats/tar.ts'
import { acceptInvitation, addPeople, makeCommand, openServer, readPeople } from '../support/operator-server.ts'
import { startPostgres } from '../support/services/start-postgres.ts'
import { tryToStart } from '../support/start-neptune.ts'
import { type ListedFile, settings } from '../support/start-signed-in.ts'
import { withTempFolder } from '../support/temp-folder.ts'

describe('a backup', () => {
  it('of SQLite restores into PostgreSQL, and back', async () => {
    await withTempFolder(async (folder) => {
      const postgres = await startPostgres()
      try {
        let hashes: Record<string, string>
        let added: Awaited<ReturnType<typeof addPeople>>
        {
          await using server = await openServer(folder)
          for (const name of ['a.bin', 'b.bin', 'c.txt']) await server.put(name, randomBytes(3000))
          hashes = await server.downloadHashes()
          added = await addPeople(server)
          expect(added.people).toMatchObject({ removed: ['lee@acme.example'], seenByKim: ['Globex', 'Neptune'] })
          expect(added.people.companies.map(({ name }) => name)).toEqual(['Globex', 'Initech'])
          expect((await makeCommand(folder)('backup', join(folder, '1.tar'))).code).toBe(0)
        }
        const SECRET_KEY = readFileSync(join(folder, 'data/secret.key'), 'utf8').trim()
        const onPostgres = { SECRET_KEY, DATABASE_URL: postgres.url }
        const second = join(folder, 'second')
        mkdirSync(second)
        expect(await makeCommand(second, onPostgres)('restore', join(folder, '1.tar'))).toMatchObject({ code: 0 })
        {
          await using server = await openServer(second, onPostgres)
          expect(await server.downloadHashes()).toEqual(hashes)
          expect(await readPeople(server)).toEqual(added.people)
          await server.put('d.txt', Buffer.from('made on PostgreSQL'))
          hashes = await server.downloadHashes()
          expect((await makeCommand(second, onPostgres)('backup', join(folder, '2.tar'))).code).toBe(0)
          expect((await makeCommand(second, onPostgres)('fsck', '--scrub', '--repair')).code).toBe(0)
          expect((await makeCommand(second, onPostgres)('audit', 'verify')).code).toBe(0)
          expect((await makeCommand(second, onPostgres)('gc')).code).toBe(0)
        }
        const third = join(folder, 'third')
        mkdirSync(third)
        expect((await makeCommand(third, { SECRET_KEY })('restore', join(folder, '2.tar'))).code).toBe(0)
        await using server = await openServer(third, { SECRET_KEY })
        expect(await server.downloadHashes()).toEqual(hashes)
        const found = (await (await server.get('/v1/file?search=d.txt')).json()).data as ListedFile[]
        expect(found).toHaveLength(1)
        expect((await server.put('e.txt', randomBytes(10))).status).toBe(200)
        expect(await readPeople(server)).toEqual(added.people)
        const accept = () => acceptInvitation(server, added.invitation)
        expect([await accept(), await accept()]).toEqual([200, 404])
      } finally {
        await postgres.stop()
      }
    })
  })

  it('requires an empty target with the right key and no running server, and explains errors in one line', async () => {
    await withTempFolder(async (folder) => {
      await using server = await openServer(folder)
      await server.put('a.bin', randomBytes(3000))
      const file = join(folder, 'backup.tar')
      await makeCommand(folder)('backup', file)
      const SECRET_KEY = readFileSync(join(folder, 'data/secret.key'), 'utf8').trim()
      const target = join(folder, 'there')
      mkdirSync(target)
      const expectRejected = async (args: string[], more: Record<string, string>, from = target) => {
        const { code, err } = await makeCommand(from, more)('restore', ...args)
        expect(code).toBe(2)
        expect(err.trim().split('\n')).toHaveLength(1)
        return err
      }
      expect(await expectRejected([file], {})).toContain('The secret key of this backup is missing.')
      const other = { SECRET_KEY: 'tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9' }
      expect(await expectRejected([file], other)).toContain('not the one of this backup')
      const bytes = readFileSync(file)
      writeFileSync(join(folder, 'cut.tar'), bytes.subarray(0, bytes.length - 2048))
      expect(await expectRejected([join(folder, 'cut.tar')], { SECRET_KEY })).toMatch(/not a complete backup|is incomplete/)
      bytes[bytes.indexOf('"a.bin"') + 1] = 0x62
      writeFileSync(join(folder, 'changed.tar'), bytes)
      expect(await expectRejected([join(folder, 'changed.tar')], { SECRET_KEY })).toContain('is damaged')
      expect(await expectRejected([join(folder, 'none.tar')], { SECRET_KEY })).toContain('cannot be read')
      expect(await expectRejected([folder], { SECRET_KEY })).toContain('it is not a file')
      expect(readdirSync(target)).toEqual([])
      expect(await expectRejected([file], {}, folder)).toContain('Stop it first.')
      await server.stop()
      expect(await expectRejected([file], {}, folder)).toContain('is not empty')
      createOrphanBlob(target, makeBlobId())
      expect(await expectRejected([file], { SECRET_KEY })).toContain('contains files')
    })
  })

  it('that was changed without the secret key is not restored, and nothing is written', async () => {
    await withTempFolder(async (folder) => {
      const file = join(folder, 'backup.tar')
      {
        await using server = await openServer(folder)
        await server.put('a.bin', randomBytes(3000))
        expect((await makeCommand(folder)('backup', file)).code).toBe(0)
      }
      const SECRET_KEY = readFileSync(join(folder, 'data/secret.key'), 'utf8').trim()
      const target = join(folder, 'there')
      mkdirSync(target)
      const original = readFileSync(file)
      const isRowFile = (name: string) => name.startsWith('rows/')
      const pickRowFiles = (entries: ArchiveEntry[]) => entries.filter(({ name }) => isRowFile(name))
      /** Updates counts and hashes, as an attacker who knows the program would. */
      const withUpdatedHash = (entries: ArchiveEntry[]) => {
        const hash = createHash('sha256')
        for (const { name, bytes } of pickRowFiles(entries)) hash.update(`${name} ${bytes.length}\n`).update(bytes)
        return editEntry(entries, 'end.json', (text) =>
          text.replace(/"rows_sha256":"\w+"/, `"rows_sha256":"${hash.digest('hex')}"`),
        )
      }
      expect(buildTar(withUpdatedHash(parseTar(original)))).toEqual(original)
      const changes: Record<string, (entries: ArchiveEntry[]) => ArchiveEntry[]> = {
        'a role': (entries) =>
          withUpdatedHash(editEntry(entries, 'rows/user/0.jsonl', (text) => text.replace('NEPTUNE_ADMIN', 'NEPTUNE_OTHER'))),
        'a missing table': (entries) => withUpdatedHash(entries.filter(({ name }) => name !== 'rows/audit/0.jsonl')),
        'the date': (entries) =>
          editEntry(entries, 'manifest.json', (text) => text.replace(/"created_at":"2/, '"created_at":"1')),
        'the damaged files': (entries) =>
          editEntry(entries, 'end.json', (text) => text.replace('"damaged":[]', '"damaged":["x"]')),
        'its signature': (entries) => editEntry(entries, 'end.json', (text) => text.replace(/"mac":"[^"]*"/, '"mac":""')),
      }
      for (const [name, change] of Object.entries(changes)) {
        const changed = join(folder, 'changed.tar')
        writeFileSync(changed, buildTar(change(parseTar(original))))
        expect(readFileSync(changed).equals(original), name).toBe(false)
        const { code, err } = await makeCommand(target, { SECRET_KEY })('restore', changed)
        expect(err, name).toContain('was changed after it was created')
        expect(code, name).toBe(2)
        expect(readdirSync(target), name).toEqual([])
      }
      // The rows of one table under the name of another.
      const renamed = parseTar(original).map((entry) => ({ ...entry, name: entry.name.replace('rows/audit/', 'rows/mail/') }))
      writeFileSync(join(folder, 'renamed.tar'), buildTar(renamed))
      const { err } = await makeCommand(target, { SECRET_KEY })('restore', join(folder, 'renamed.tar'))
      expect(err).toContain('is damaged: its rows are not those that were backed up')
      expect(readdirSync(target)).toEqual([])
      expect((await makeCommand(target, { SECRET_KEY })('restore', file)).code).toBe(0)
    })
  })

  it('whose file another backup has replaced reports it, and keeps the other’s file', async () => {
    await withTempFolder(async (folder) => {
      const { file, part, running, release } = await startReplacedBackup(folder)
      release()
      const { code, out } = await running
      expect(out).toContain('another backup has replaced')
      expect(out).not.toContain('Backed up')
      expect(code).toBe(1)
      expect(existsSync(file)).toBe(false)
      expect(readFileSync(part, 'utf8')).toBe('half of another')
    })
  })

  it('that fails keeps the file of another backup', async () => {
    await withTempFolder(async (folder) => {
      const { part, running, release } = await startReplacedBackup(folder)
      expect((await running).code).toBe(2) // times out waiting for the database
      release()
      expect(readFileSync(part, 'utf8')).toBe('half of another')
    })
  })

  it('whose restore was interrupted can be restored again, and no server starts in between', async () => {
    await withTempFolder(async (folder) => {
      const file = join(folder, 'backup.tar')
      {
        await using server = await openServer(folder)
        await server.put('a.bin', randomBytes(3000))
        await makeCommand(folder)('backup', file)
      }
      const target = join(folder, 'there')
      const targetSettings = { SECRET_KEY: readFileSync(join(folder, 'data/secret.key'), 'utf8').trim() }
      mkdirSync(join(target, 'data'), { recursive: true })
      // Simulates the state after a restore that was killed while copying files.
      const marker = { database: join(target, 'data/neptune.db'), store: join(target, 'data'), id: makeBlobId() }
      writeFileSync(join(target, 'data/restore.unfinished'), JSON.stringify(marker))
      createOrphanBlob(target, makeBlobId())
      const { lines } = await tryToStart({ ...settings, ...targetSettings, DATA_DIR: join(target, 'data') })
      expect(lines).toEqual([expect.stringContaining('was not finished. Run it again')])
      const otherSettings = { ...targetSettings, DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/other' }
      const rejected = await makeCommand(target, otherSettings)('restore', file)
      expect([rejected.code, rejected.err]).toEqual([
        2,
        expect.stringContaining(`into ${marker.database} and ${marker.store} was`),
      ])
      expect((await makeCommand(target, targetSettings)('restore', file)).code).toBe(0)
      expect((await makeCommand(target, targetSettings)('fsck', '--scrub')).out).toContain('Nothing is wrong.')
      await using server = await openServer(target, targetSettings)
      expect(await server.list()).toHaveLength(1)
    })
  })

  it('reports files that were damaged before, and the restored copy never sends wrong bytes', async () => {
    await withTempFolder(async (folder) => {
      const file = join(folder, 'backup.tar')
      {
        await using server = await openServer(folder)
        for (const name of ['good', 'flipped', 'gone']) await server.put(`${name}.bin`, randomBytes(3000))
        for (const { id, file_name } of await server.list()) {
          if (file_name === 'flipped.bin') flipBit(blobPath(folder, id))
          if (file_name === 'gone.bin') rmSync(blobPath(folder, id))
        }
        const { code, out } = await makeCommand(folder)('backup', file)
        expect(code).toBe(1)
        for (const name of ['flipped.bin', 'gone.bin']) expect(out).toMatch(new RegExp(`damaged .*${name}`))
        expect(out).not.toContain('good.bin')
      }
      const target = join(folder, 'there')
      mkdirSync(target)
      const targetSettings = { SECRET_KEY: readFileSync(join(folder, 'data/secret.key'), 'utf8').trim() }
      expect((await makeCommand(target, targetSettings)('restore', file)).code).toBe(1)
      await using server = await openServer(target, targetSettings)
      for (const { file_name, damaged } of await server.list()) expect(damaged, file_name).toBe(file_name !== 'good.bin')
    })
  })
})

/** Starts a backup that creates its file and then waits for a locked database. Replaces the file, as a second backup would. */
async function startReplacedBackup(folder: string) {
  {
    await using server = await openServer(folder)
    await server.put('a.bin', randomBytes(3000))
  }
  const file = join(folder, 'backup.tar')
  const part = `${file}.part`
  const db = new DatabaseSync(join(folder, 'data/neptune.db'))
  db.exec('begin immediate')
  const running = makeCommand(folder)('backup', file)
  await expect.poll(() => existsSync(part), { timeout: 30_000, interval: 10 }).toBe(true)
  rmSync(part)
  writeFileSync(part, 'half of another')
  return { file, part, running, release: () => db.close() }
}
