import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { inFolder } from '../support/operator-office.ts'
import { runCommand } from '../support/run-command.ts'
import { settings } from '../support/signed-in.ts'
import { failToStart } from '../support/start-neptune.ts'
import { expectNone, type Sent, SetHistory } from './history.ts'
import { body, expectClean, openHouse } from './house.ts'
import { randomOf } from './random.ts'

/** Behind the one that is written to, and before the files: so reading all rows takes long enough for writers to come in between. */
function addDirectories(path: string, count: number) {
  using db = new DatabaseSync(path, { timeout: 5000 })
  const { id: company } = db.prepare('select id from company').get() as { id: string }
  const add = db.prepare(`insert into directory (id, company_id, name, name_key, created_at) values (?, ?, ?, ?, '2026-01-01')`)
  db.exec('begin immediate')
  for (let i = 0; i < count; i++) add.run(`zzzzzz${i}`, company, `zz ${i}`, `zz ${i}`)
  db.exec('commit')
}

describe('a backup', () => {
  it('F19: made under twenty writers is whole elsewhere, and has every file that was acknowledged before it began', async () => {
    const random = randomOf('F19')
    await inFolder(async (folder) => {
      const archive = join(folder, 'backup.tar')
      const history = new SetHistory()
      const before: Sent[] = []
      const during: Sent[] = []
      {
        await using house = await openHouse()
        addDirectories(join(house.data, 'neptune.db'), 30_000)
        let isDone = false
        const work = async (client: number) => {
          const chance = random.fork()
          for (let i = 0; !isDone; i++) {
            const { entry } = await house.upload(
              history,
              `${client}-${i}.bin`,
              body(chance, 1, 60_000),
              chance.chance(0.3) ? 'tus' : 'put',
            )
            expect(entry.outcome).toBe('ok')
          }
        }
        const writers = Array.from({ length: 20 }, (_, client) => work(client))
        await expect.poll(() => history.count('ok'), { timeout: 60_000 }).toBeGreaterThan(60)
        before.push(...history.sent.filter(({ outcome }) => outcome === 'ok'))
        const made = await runCommand(['backup', archive], { DATA_DIR: house.data })
        // Whatever was begun by now may be in it; what is begun later may not.
        during.push(...history.sent)
        isDone = true
        expect(made.err + made.out).toContain('Backed up')
        expect(made.code).toBe(0)
        await Promise.all(writers)
        mkdirSync(join(folder, 'data'), { mode: 0o700 })
        writeFileSync(join(folder, 'data/secret.key'), readFileSync(join(house.data, 'secret.key')), { mode: 0o600 })
      }
      const restored = await runCommand(['restore', archive], { DATA_DIR: join(folder, 'data') })
      expect(restored.err).toBe('')
      expect(restored.code).toBe(0)

      await using there = await openHouse({}, { folder })
      const found = await there.found()
      const acknowledged = new SetHistory()
      acknowledged.sent.push(
        ...during.map((entry) => ({ ...entry, outcome: before.includes(entry) ? ('ok' as const) : ('info' as const) })),
      )
      process.stdout.write(
        `F19: ${before.length} acknowledged before, ${found.length} restored, ${during.length} begun by its end\n`,
      )
      expectNone(acknowledged.violations(found))
      await there.expectWhole(acknowledged)
      await expectClean(there)
    })
  })

  it('F20: is not restored, and what was restored by hand does not start, without the secret key or with another', async () => {
    const random = randomOf('F20')
    await inFolder(async (folder) => {
      await using house = await openHouse()
      await house.upload(new SetHistory(), 'a.bin', body(random, 1, 1000))
      const archive = join(folder, 'backup.tar')
      expect((await runCommand(['backup', archive], { DATA_DIR: house.data })).code).toBe(0)
      await house.stop()
      const SECRET_KEY = 'tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9'
      const data = join(folder, 'data')
      for (const [more, sentence] of [
        [{}, 'The secret key of this backup is missing.'],
        [{ SECRET_KEY }, 'not the one this backup was made with'],
      ] as const) {
        const { code, err } = await runCommand(['restore', archive], { DATA_DIR: data, ...more })
        expect(code).toBe(2)
        expect(err.trim().split('\n')).toHaveLength(1)
        expect(err).toContain(sentence)
      }
      // By hand: the database and the bytes, as some copy them.
      rmSync(join(house.data, 'secret.key'))
      for (const [more, sentence] of [
        [{}, 'The secret key of this database is missing. Restore it to'],
        [{ SECRET_KEY }, 'SECRET_KEY is not the secret key of this database. Restore the right one.'],
      ] as const) {
        const { code, lines } = await failToStart({ ...settings, DATA_DIR: house.data, ...more })
        expect(code).toBe(1)
        expect(lines).toHaveLength(1)
        expect(lines[0]).toContain(sentence)
      }
      using db = new DatabaseSync(join(house.data, 'neptune.db'), { readOnly: true })
      expect(db.prepare('select count(*) as count from file').get()).toEqual({ count: 1 })
    })
  })
})
