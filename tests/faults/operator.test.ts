import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import {
  blobPath,
  commandIn,
  flip,
  freshId,
  inFolder,
  openOffice,
  plantBlob,
  type Row,
  settings,
} from '../support/operator-office.ts'
import { failToStart } from '../support/start-neptune.ts'
import { startPostgres } from '../support/start-postgres.ts'

describe('fsck', () => {
  it('counts again what is counted wrong', async () => {
    await inFolder(async (folder) => {
      await using office = await openOffice(folder)
      await office.put('a.bin', randomBytes(1000))
      const db = new DatabaseSync(join(folder, 'data/neptune.db'))
      db.exec('update directory set files = 7, bytes = 1; update company set bytes = 5')
      db.close()
      const { code, out } = await commandIn(folder)('fsck', '--repair')
      expect(code).toBe(1)
      expect(out).toMatch(/counter .*directory "Plans".*7 files, 1 bytes; there are 1 files, 1000 bytes → counted again/)
      expect(out).toMatch(/counter .*company .*5 bytes; there are 1000 bytes/)
      expect(await office.directories()).toMatchObject([{ files: 1, size: 1000 }])
      expect((await commandIn(folder)('fsck')).code).toBe(0)
    })
  })
})

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
      expect(readdirSync(there)).toEqual([])
      expect(await refusal([file], {}, folder)).toContain('Stop it first.')
      await office.stop()
      expect(await refusal([file], {}, folder)).toContain('is not empty')
      plantBlob(there, freshId())
      expect(await refusal([file], { SECRET_KEY })).toContain('holds files')
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
      writeFileSync(join(there, 'data/restore.unfinished'), '')
      plantBlob(there, freshId())
      const { lines } = await failToStart({ ...settings, ...settingsThere, DATA_DIR: join(there, 'data') })
      expect(lines).toEqual([expect.stringContaining('was not finished. Run it again')])
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
