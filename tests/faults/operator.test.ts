import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { blobPath } from '../support/blob-files.ts'
import { digest } from '../support/client.ts'
import { writeSettings } from '../support/migration-steps.ts'
import { makeCommand, openServer } from '../support/operator-server.ts'
import { tryToStart } from '../support/start-neptune.ts'
import { settings } from '../support/start-signed-in.ts'
import { withTempFolder } from '../support/temp-folder.ts'

describe('fsck', () => {
  it('corrects wrong counters', async () => {
    await withTempFolder(async (folder) => {
      await using server = await openServer(folder)
      await server.put('a.bin', randomBytes(1000))
      const db = new DatabaseSync(join(folder, 'data/neptune.db'))
      db.exec('update directory set files = 7, bytes = 1; update company set bytes = 5')
      db.close()
      const { code, out } = await makeCommand(folder)('fsck', '--repair')
      expect(code).toBe(1)
      expect(out).toMatch(/counter .*directory "Plans".*7 files, 1 bytes; there are 1 files, 1000 bytes → counted again/)
      expect(out).toMatch(/counter .*company .*5 bytes; there are 1000 bytes/)
      expect(await server.directories()).toMatchObject([{ files: 1, size: 1000 }])
      expect((await makeCommand(folder)('fsck')).code).toBe(0)
    })
  })

  it('keeps a symlink to a folder on another disk, and finds the files in it', async () => {
    await withTempFolder(async (folder) => {
      const bytes = randomBytes(1000)
      let id: string
      {
        await using server = await openServer(folder)
        id = (await server.put('a.bin', bytes)).id
      }
      const shard = dirname(dirname(blobPath(folder, id)))
      const moved = join(folder, 'other-disk')
      cpSync(shard, moved, { recursive: true })
      rmSync(shard, { recursive: true })
      symlinkSync(moved, shard)
      const { code, out } = await makeCommand(folder)('fsck', '--scrub', '--repair')
      expect(out).toMatch(/stray .*is a symbolic link, so it is left alone/)
      expect(out).toContain('Nothing is wrong.')
      expect(code).toBe(0)
      expect(lstatSync(shard).isSymbolicLink()).toBe(true)
      await using server = await openServer(folder)
      expect(await server.downloadHashes()).toEqual({ 'a.bin': digest(bytes) })
    })
  })
})

it('gc reports what it would remove, then removes it', async () => {
  await withTempFolder(async (folder) => {
    const neptune = makeCommand(folder, { TRASH_DAYS: '30' })
    const server = await openServer(folder)
    const { id } = await server.put('old.bin', randomBytes(1000))
    await server.post('/v1/file/delete', { ids: [id] })
    await server.stop() // otherwise the server itself would remove the file within a minute
    const db = new DatabaseSync(join(folder, 'data/neptune.db'))
    db.exec("update file set deleted_at = '2020-01-01T00:00:00.000Z'")
    db.close()
    expect((await neptune('gc', '--dry-run')).out).toMatch(/would remove from the trash "old.bin".*\n1 item would be removed/)
    expect(existsSync(blobPath(folder, id))).toBe(true)
    expect((await neptune('gc')).code).toBe(0)
    expect(existsSync(blobPath(folder, id))).toBe(false)
    expect((await neptune('gc')).out).toContain('There is nothing to remove.')
    expect((await neptune('fsck')).code).toBe(0)
  })
})

it('refuses to start after a finished move to another place, until the move is undone', async () => {
  await withTempFolder(async (folder) => {
    const neptune = makeCommand(folder)
    const server = await openServer(folder)
    await server.put('a.bin', randomBytes(3000))
    await server.stop()
    const DATA_DIR = join(folder, 'data')
    const targetSettings = {
      DATA_DIR: join(folder, 'there/data'),
      SECRET_KEY: readFileSync(join(DATA_DIR, 'secret.key'), 'utf8').trim(),
    }
    const args = ['migrate-to', writeSettings(folder, 'there.env', targetSettings), '--finish']
    expect(await neptune(...args)).toMatchObject({ code: 0, err: '' })
    const moved = `Everything here was moved to ${join(targetSettings.DATA_DIR, 'neptune.db')} and ${targetSettings.DATA_DIR} on 20`
    const { code, lines } = await tryToStart({ ...settings, DATA_DIR })
    expect([code, lines]).toEqual([1, [expect.stringMatching(/^Neptune cannot start. .*run neptune migrate-to --undo\.$/)]])
    expect(lines[0]).toContain(moved)
    expect((await neptune(...args)).err).toContain(`Nothing was moved. ${moved}`)
    for (const args of [['fsck'], ['audit', 'verify'], ['backup', join(folder, 'old.tar')]])
      expect(await neptune(...args)).toMatchObject({ code: 0, err: '' })

    // The target and a restored backup do start.
    {
      await using _ = await openServer(join(folder, 'there'), targetSettings)
    }
    mkdirSync(join(folder, 'restored'))
    const restored = { ...targetSettings, DATA_DIR: join(folder, 'restored/data') }
    expect((await makeCommand(folder, restored)('restore', join(folder, 'old.tar'))).code).toBe(0)
    {
      await using _ = await openServer(folder, restored)
    }
    expect((await neptune('migrate-to', '--undo')).out).toBe('Neptune can start here again.\n')
    await using restarted = await openServer(folder)
    expect(await restarted.list()).toHaveLength(1)
    expect((await neptune('migrate-to', '--undo')).out).toBe('Nothing was moved from here.\n')
  })
})
