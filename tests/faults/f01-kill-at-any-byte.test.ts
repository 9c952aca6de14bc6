import { expect, it } from 'vitest'
import { killAfterBytes } from './fault-injection.ts'
import { type SentFile, toOutcome, UploadHistory } from './history.ts'
import { makeRandom } from './random.ts'
import { expectIntact, makeBody, openFaultServer } from './test-server.ts'

// Thirty rounds in three parts, so that none of them times out on a slow machine.
it.each([1, 2, 3])(
  'F01: loses no file and shows no partial file after ten kills at a random byte of running uploads (%i of 3)',
  async (part) => {
    const random = makeRandom(`F01 ${part} of 3`)
    const history = new UploadHistory()
    await using server = await openFaultServer()
    for (let round = 0; round < 10; round++) {
      const clients = (['put', 'put', 'tus'] as const).map((method, client) => ({
        method,
        files: Array.from({ length: 3 }, (_, i) => ({
          name: `${round}-${client}-${i}.bin`,
          bytes: makeBody(random, 1, 300_000),
        })),
      }))
      const total = clients.flatMap(({ files }) => files).reduce((sum, { bytes }) => sum + bytes.length, 0)
      const onSent = killAfterBytes(server, random.between(1, total))
      const interrupted: { entry: SentFile; bytes: Buffer; path: string }[] = []
      await Promise.all(
        clients.map(async ({ method, files }) => {
          for (const { name, bytes } of files) {
            let path = ''
            const onCreated = (location: string) => {
              path = location
            }
            const { entry, status } = await server.upload(history, name, bytes, method, { onSent, onCreated })
            if (status !== undefined) continue
            if (path !== '') interrupted.push({ entry, bytes, path })
            return
          }
        }),
      )
      await server.kill()
      await server.start()
      // Some of the interrupted tus uploads are resumed; the rest stay unfinished.
      for (const { entry, bytes, path } of interrupted) {
        if (random.chance(0.7)) entry.outcome = toOutcome((await server.resume(path, bytes)).status)
      }
      await server.expectConsistent(history, { usesCachedHashes: true })
    }
    expect(history.count('ok'), 'some were acknowledged').toBeGreaterThan(3)
    expect(history.count('info'), 'some were interrupted').toBeGreaterThan(3)
    await server.expectConsistent(history)
    await expectIntact(server)
  },
)
