import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { countTotals } from '../support/load/count-totals.ts'
import { makeNameOrder } from '../support/load/name-order.ts'
import { runCommand } from '../support/run-command.ts'
import { tryToStart } from '../support/start-neptune.ts'
import { settings } from '../support/start-signed-in.ts'
import { withTempFolder } from '../support/temp-folder.ts'
import { expectNoViolations, type SentFile, UploadHistory } from './history.ts'
import { makeRandom } from './random.ts'
import { expectIntact, makeBody, openFaultServer } from './test-server.ts'

/**
 * Adds many directories, so that the backup takes long to read all rows and files are uploaded in the meantime. Their ids sort after the
 * directory of the uploads.
 */
function addDirectories(path: string, count: number) {
  using db = new DatabaseSync(path, { timeout: 5000 })
  const { id: company } = db.prepare('select id from company').get() as { id: string }
  const add = db.prepare(
    `insert into directory (id, root_id, company_id, name, name_key, name_order, created_at) values (?, ?, ?, ?, ?, ?, '2026-01-01')`,
  )
  db.exec('begin immediate')
  for (let i = 0; i < count; i++) add.run(`zzzzzz${i}`, `zzzzzz${i}`, company, `zz ${i}`, `zz ${i}`, makeNameOrder(`zz ${i}`))
  for (const statement of countTotals) db.exec(statement)
  db.exec('commit')
}

describe('a backup', () => {
  it('F19: restores consistently when made under twenty writers, with every file acknowledged before it started', async () => {
    const random = makeRandom('F19')
    await withTempFolder(async (folder) => {
      const archive = join(folder, 'backup.tar')
      const history = new UploadHistory()
      const acknowledgedBefore: SentFile[] = []
      const startedByEnd: SentFile[] = []
      {
        await using server = await openFaultServer()
        addDirectories(join(server.data, 'neptune.db'), 30_000)
        let isDone = false
        const work = async (client: number) => {
          const clientRandom = random.fork()
          for (let i = 0; !isDone; i++) {
            const { entry } = await server.upload(
              history,
              `${client}-${i}.bin`,
              makeBody(clientRandom, 1, 60_000),
              clientRandom.chance(0.3) ? 'tus' : 'put',
            )
            expect(entry.outcome).toBe('ok')
          }
        }
        const writers = Array.from({ length: 20 }, (_, client) => work(client))
        await expect.poll(() => history.count('ok'), { timeout: 60_000 }).toBeGreaterThan(60)
        acknowledgedBefore.push(...history.sent.filter(({ outcome }) => outcome === 'ok'))
        const backup = await runCommand(['backup', archive], { DATA_DIR: server.data })
        // Uploads started by now may be in the backup; later ones may not.
        startedByEnd.push(...history.sent)
        isDone = true
        expect(backup.err + backup.out).toContain('Backed up')
        expect(backup.code).toBe(0)
        await Promise.all(writers)
        mkdirSync(join(folder, 'data'), { mode: 0o700 })
        writeFileSync(join(folder, 'data/secret.key'), readFileSync(join(server.data, 'secret.key')), { mode: 0o600 })
      }
      const restored = await runCommand(['restore', archive], { DATA_DIR: join(folder, 'data') })
      expect(restored.err).toBe('')
      expect(restored.code).toBe(0)

      await using restoredServer = await openFaultServer({}, { folder })
      const found = await restoredServer.findFiles()
      const expectedHistory = new UploadHistory()
      expectedHistory.sent.push(
        ...startedByEnd.map((entry) => ({
          ...entry,
          outcome: acknowledgedBefore.includes(entry) ? ('ok' as const) : ('info' as const),
        })),
      )
      process.stdout.write(
        `F19: ${acknowledgedBefore.length} acknowledged before, ${found.length} restored, ${startedByEnd.length} started by its end\n`,
      )
      expectNoViolations(expectedHistory.findViolations(found))
      await restoredServer.expectConsistent(expectedHistory)
      await expectIntact(restoredServer)
    })
  })

  it('F20: is not restored, and a manual copy does not start, without the secret key or with a different one', async () => {
    const random = makeRandom('F20')
    await withTempFolder(async (folder) => {
      await using server = await openFaultServer()
      await server.upload(new UploadHistory(), 'a.bin', makeBody(random, 1, 1000))
      const archive = join(folder, 'backup.tar')
      expect((await runCommand(['backup', archive], { DATA_DIR: server.data })).code).toBe(0)
      await server.stop()
      const SECRET_KEY = 'tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9'
      const data = join(folder, 'data')
      for (const [more, sentence] of [
        [{}, 'The secret key of this backup is missing.'],
        [{ SECRET_KEY }, 'not the one of this backup'],
      ] as const) {
        const { code, err } = await runCommand(['restore', archive], { DATA_DIR: data, ...more })
        expect(code).toBe(2)
        expect(err.trim().split('\n')).toHaveLength(1)
        expect(err).toContain(sentence)
      }
      // Without its key, the data folder is like a manual copy of the database and the files.
      rmSync(join(server.data, 'secret.key'))
      for (const [more, sentence] of [
        [{}, 'The secret key of this database is missing. Restore it to'],
        [{ SECRET_KEY }, 'SECRET_KEY is not the secret key of this database. Restore the right one.'],
      ] as const) {
        const { code, lines } = await tryToStart({ ...settings, DATA_DIR: server.data, ...more })
        expect(code).toBe(1)
        expect(lines).toHaveLength(1)
        expect(lines[0]).toContain(sentence)
      }
      using db = new DatabaseSync(join(server.data, 'neptune.db'), { readOnly: true })
      expect(db.prepare('select count(*) as count from file').get()).toEqual({ count: 1 })
    })
  })
})
