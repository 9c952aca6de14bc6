import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import {
  blobPath,
  commandIn,
  type Entry,
  edited,
  entriesOf,
  flip,
  freshId,
  inFolder,
  openOffice,
  plantBlob,
  tarOf,
} from '../support/operator-office.ts'
import { type Row, settings } from '../support/signed-in.ts'
import { failToStart } from '../support/start-neptune.ts'
import { startPostgres } from '../support/start-postgres.ts'

describe('a backup', () => {
  it('of SQLite restores into PostgreSQL, and back', async () => {
    await inFolder(async (folder) => {
      const postgres = await startPostgres()
      try {
        let sums: Record<string, string>
        {
          await using office = await openOffice(folder)
          for (const name of ['a.bin', 'b.bin', 'c.txt']) await office.put(name, randomBytes(3000))
          sums = await office.sums()
          expect((await commandIn(folder)('backup', join(folder, '1.tar'))).code).toBe(0)
        }
        const SECRET_KEY = readFileSync(join(folder, 'data/secret.key'), 'utf8').trim()
        const onPostgres = { SECRET_KEY, DATABASE_URL: postgres.url }
        const second = join(folder, 'second')
        mkdirSync(second)
        expect(await commandIn(second, onPostgres)('restore', join(folder, '1.tar'))).toMatchObject({ code: 0 })
        {
          await using office = await openOffice(second, onPostgres)
          expect(await office.sums()).toEqual(sums)
          await office.put('d.txt', Buffer.from('made on PostgreSQL'))
          sums = await office.sums()
          expect((await commandIn(second, onPostgres)('backup', join(folder, '2.tar'))).code).toBe(0)
          expect((await commandIn(second, onPostgres)('fsck', '--scrub', '--repair')).code).toBe(0)
          expect((await commandIn(second, onPostgres)('audit', 'verify')).code).toBe(0)
          expect((await commandIn(second, onPostgres)('gc')).code).toBe(0)
        }
        const third = join(folder, 'third')
        mkdirSync(third)
        expect((await commandIn(third, { SECRET_KEY })('restore', join(folder, '2.tar'))).code).toBe(0)
        await using office = await openOffice(third, { SECRET_KEY })
        expect(await office.sums()).toEqual(sums)
        const found = (await (await office.get('/v1/file?search=d.txt')).json()).data as Row[]
        expect(found).toHaveLength(1)
        expect((await office.put('e.txt', randomBytes(10))).status).toBe(200)
      } finally {
        await postgres.stop()
      }
    })
  })

  it('restores nowhere but into an empty place with the right key and no server, and says why in a line', async () => {
    await inFolder(async (folder) => {
      await using office = await openOffice(folder)
      await office.put('a.bin', randomBytes(3000))
      const file = join(folder, 'backup.tar')
      await commandIn(folder)('backup', file)
      const SECRET_KEY = readFileSync(join(folder, 'data/secret.key'), 'utf8').trim()
      const there = join(folder, 'there')
      mkdirSync(there)
      const refusal = async (words: string[], more: Record<string, string>, from = there) => {
        const { code, err } = await commandIn(from, more)('restore', ...words)
        expect(code).toBe(2)
        expect(err.trim().split('\n')).toHaveLength(1)
        return err
      }
      expect(await refusal([file], {})).toContain('The secret key of this backup is missing.')
      const other = { SECRET_KEY: 'tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9' }
      expect(await refusal([file], other)).toContain('not the one this backup was made with')
      const bytes = readFileSync(file)
      writeFileSync(join(folder, 'cut.tar'), bytes.subarray(0, bytes.length - 2048))
      expect(await refusal([join(folder, 'cut.tar')], { SECRET_KEY })).toMatch(/not a whole backup|has no end/)
      bytes[bytes.indexOf('"a.bin"') + 1] = 0x62
      writeFileSync(join(folder, 'changed.tar'), bytes)
      expect(await refusal([join(folder, 'changed.tar')], { SECRET_KEY })).toContain('is damaged')
      expect(await refusal([join(folder, 'none.tar')], { SECRET_KEY })).toContain('cannot be read')
      expect(await refusal([folder], { SECRET_KEY })).toContain('it is not a file')
      expect(readdirSync(there)).toEqual([])
      expect(await refusal([file], {}, folder)).toContain('Stop it first.')
      await office.stop()
      expect(await refusal([file], {}, folder)).toContain('is not empty')
      plantBlob(there, freshId())
      expect(await refusal([file], { SECRET_KEY })).toContain('holds files')
    })
  })

  it('that was changed by somebody without the secret key is not restored, and nothing is written', async () => {
    await inFolder(async (folder) => {
      const file = join(folder, 'backup.tar')
      {
        await using office = await openOffice(folder)
        await office.put('a.bin', randomBytes(3000))
        expect((await commandIn(folder)('backup', file)).code).toBe(0)
      }
      const SECRET_KEY = readFileSync(join(folder, 'data/secret.key'), 'utf8').trim()
      const there = join(folder, 'there')
      mkdirSync(there)
      const made = readFileSync(file)
      const isRows = (name: string) => name.startsWith('rows/')
      const rowsOf = (entries: Entry[]) => entries.filter(({ name }) => isRows(name))
      /** As whoever knows the program would: what it can count or hash again fits. */
      const settled = (entries: Entry[]) => {
        const hash = createHash('sha256')
        for (const { name, bytes } of rowsOf(entries)) hash.update(`${name} ${bytes.length}\n`).update(bytes)
        return edited(entries, 'end.json', (text) => text.replace(/"rows_sha256":"\w+"/, `"rows_sha256":"${hash.digest('hex')}"`))
      }
      expect(tarOf(settled(entriesOf(made)))).toEqual(made)
      const changes: Record<string, (entries: Entry[]) => Entry[]> = {
        'a role': (entries) =>
          settled(edited(entries, 'rows/user/0.jsonl', (text) => text.replace('NEPTUNE_ADMIN', 'NEPTUNE_OTHER'))),
        'a row less': (entries) => settled(entries.filter(({ name }) => name !== 'rows/audit/0.jsonl')),
        'the date': (entries) => edited(entries, 'manifest.json', (text) => text.replace(/"created_at":"2/, '"created_at":"1')),
        'what was damaged': (entries) => edited(entries, 'end.json', (text) => text.replace('"damaged":[]', '"damaged":["x"]')),
        'its signature': (entries) => edited(entries, 'end.json', (text) => text.replace(/"mac":"[^"]*"/, '"mac":""')),
      }
      for (const [what, change] of Object.entries(changes)) {
        const changed = join(folder, 'changed.tar')
        writeFileSync(changed, tarOf(change(entriesOf(made))))
        expect(readFileSync(changed).equals(made), what).toBe(false)
        const { code, err } = await commandIn(there, { SECRET_KEY })('restore', changed)
        expect(err, what).toContain('was changed after it was made')
        expect(code, what).toBe(2)
        expect(readdirSync(there), what).toEqual([])
      }
      // The rows of one table, said to be those of another.
      const renamed = entriesOf(made).map((entry) => ({ ...entry, name: entry.name.replace('rows/audit/', 'rows/mail/') }))
      writeFileSync(join(folder, 'renamed.tar'), tarOf(renamed))
      const { err } = await commandIn(there, { SECRET_KEY })('restore', join(folder, 'renamed.tar'))
      expect(err).toContain('is damaged: its rows are not those that were backed up')
      expect(readdirSync(there)).toEqual([])
      expect((await commandIn(there, { SECRET_KEY })('restore', file)).code).toBe(0)
    })
  })

  it('that another one takes the place of says so, and leaves the other alone', async () => {
    await inFolder(async (folder) => {
      const { file, part, running, release } = await beginInTheWay(folder)
      release()
      const { code, out } = await running
      expect(out).toContain('another backup has taken its place')
      expect(out).not.toContain('Backed up')
      expect(code).toBe(1)
      expect(existsSync(file)).toBe(false)
      expect(readFileSync(part, 'utf8')).toBe('half of another')
    })
  })

  it('that fails leaves the file of another one alone', async () => {
    await inFolder(async (folder) => {
      const { part, running, release } = await beginInTheWay(folder)
      expect((await running).code).toBe(2) // it has waited long enough, and gives up
      release()
      expect(readFileSync(part, 'utf8')).toBe('half of another')
    })
  })

  it('that is broken off while it is restored can be restored again, and nothing starts in between', async () => {
    await inFolder(async (folder) => {
      const file = join(folder, 'backup.tar')
      {
        await using office = await openOffice(folder)
        await office.put('a.bin', randomBytes(3000))
        await commandIn(folder)('backup', file)
      }
      const there = join(folder, 'there')
      const settingsThere = { SECRET_KEY: readFileSync(join(folder, 'data/secret.key'), 'utf8').trim() }
      mkdirSync(join(there, 'data'), { recursive: true })
      // What a restore leaves that was killed among the bytes.
      const place = { database: join(there, 'data/neptune.db'), store: join(there, 'data'), id: freshId() }
      writeFileSync(join(there, 'data/restore.unfinished'), JSON.stringify(place))
      plantBlob(there, freshId())
      const { lines } = await failToStart({ ...settings, ...settingsThere, DATA_DIR: join(there, 'data') })
      expect(lines).toEqual([expect.stringContaining('was not finished. Run it again')])
      const elsewhere = { ...settingsThere, DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/other' }
      const refused = await commandIn(there, elsewhere)('restore', file)
      expect([refused.code, refused.err]).toEqual([2, expect.stringContaining(`into ${place.database} and ${place.store} was`)])
      expect((await commandIn(there, settingsThere)('restore', file)).code).toBe(0)
      expect((await commandIn(there, settingsThere)('fsck', '--scrub')).out).toContain('Nothing is wrong.')
      await using office = await openOffice(there, settingsThere)
      expect(await office.list()).toHaveLength(1)
    })
  })

  it('names what was damaged already, and the restored copy sends nobody wrong bytes', async () => {
    await inFolder(async (folder) => {
      const file = join(folder, 'backup.tar')
      {
        await using office = await openOffice(folder)
        for (const name of ['good', 'flipped', 'gone']) await office.put(`${name}.bin`, randomBytes(3000))
        for (const { id, file_name } of await office.list()) {
          if (file_name === 'flipped.bin') flip(blobPath(folder, id))
          if (file_name === 'gone.bin') rmSync(blobPath(folder, id))
        }
        const { code, out } = await commandIn(folder)('backup', file)
        expect(code).toBe(1)
        for (const name of ['flipped.bin', 'gone.bin']) expect(out).toMatch(new RegExp(`damaged .*${name}`))
        expect(out).not.toContain('good.bin')
      }
      const there = join(folder, 'there')
      mkdirSync(there)
      const settingsThere = { SECRET_KEY: readFileSync(join(folder, 'data/secret.key'), 'utf8').trim() }
      expect((await commandIn(there, settingsThere)('restore', file)).code).toBe(1)
      await using office = await openOffice(there, settingsThere)
      for (const { file_name, damaged } of await office.list()) expect(damaged, file_name).toBe(file_name !== 'good.bin')
    })
  })
})

/** A backup that waits for the database after it has made its file, which another one has taken the place of as it does when it begins. */
async function beginInTheWay(folder: string) {
  {
    await using office = await openOffice(folder)
    await office.put('a.bin', randomBytes(3000))
  }
  const file = join(folder, 'backup.tar')
  const part = `${file}.part`
  const db = new DatabaseSync(join(folder, 'data/neptune.db'))
  db.exec('begin immediate')
  const running = commandIn(folder)('backup', file)
  await expect.poll(() => existsSync(part), { timeout: 30_000, interval: 10 }).toBe(true)
  rmSync(part)
  writeFileSync(part, 'half of another')
  return { file, part, running, release: () => db.close() }
}
