import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authenticate, openClient } from '../support/client.ts'
import { fillTree } from '../support/load/fill-tree.ts'
import { admin, startNeptune } from '../support/start-neptune.ts'
import { benchSettings } from './busy-firm.ts'
import type { Case } from './case.ts'
import { measure, type Sample } from './measure.ts'

/** The share of a million files: `BENCH_TREE=0.01 npm run bench -- tree` uses 10,000 files. */
const share = Number(process.env['BENCH_TREE'] ?? 1)
const formatScaled = (files: number) => Math.round(files * share).toLocaleString('en')

/** Measures folders in a tree of a million files. */
export async function makeTreeCases(stack: AsyncDisposableStack): Promise<Case[]> {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-bench-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const all = { ...benchSettings, DATA_DIR: join(folder, 'data') }
  await (await startNeptune(all)).stop()
  const tree = fillTree(join(folder, 'data/neptune.db'), share)
  const neptune = stack.use(await startNeptune(all))
  const { headers } = await authenticate(neptune.url, admin)
  const client = stack.use(openClient(neptune.url, headers))
  const send = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const reply = await client.send(method, path, body)
    if (reply?.status !== 200) throw new Error(`${method} ${path} returned ${reply?.status}: ${reply?.text}`)
  }
  const time = (method: 'GET' | 'POST', path: string, body?: object): Promise<Sample> =>
    measure(
      [],
      () => send(method, path, body),
      () => 1,
    )
  const makeCase = (name: string, atMost: number, rounds: number, neptune: () => Promise<Sample>): Case => ({
    name: `tree of ${formatScaled(1_000_000)} files: ${name}`,
    unit: 'ms',
    atMost,
    rounds,
    measurements: { neptune },
  })
  const { root, branches, section, leaf, flat, empty } = tree
  const [branch, other] = branches
  const leafFiles = `/v1/file?directory=${leaf}&sort=name`
  let isMoved = false
  return [
    makeCase('files of a folder', 10, 60, () => time('GET', leafFiles)),
    makeCase('folders of a folder', 10, 60, () => time('GET', `/v1/directory?parent=${section}&sort=name`)),
    makeCase('search below a folder', 10, 60, () => time('GET', `/v1/file?directory=${branch}&search=report`)),
    makeCase('totals of a folder', 10, 60, () => time('GET', `/v1/directory/${branch}`)),
    {
      ...makeCase('files of a folder, relative to a directory without folders', 1.2, 60, async () => {
        const inTree = await time('GET', leafFiles)
        const ofFlat = await time('GET', `/v1/file?directory=${flat}&sort=name`)
        return { ...inTree, amount: inTree.seconds / ofFlat.seconds }
      }),
      unit: 'ratio',
    },
    makeCase(`move of a folder with ${formatScaled(100_000)} files`, 100, 20, () => {
      isMoved = !isMoved
      return time('POST', '/v1/move', { directories: [branch], to: isMoved ? other : root })
    }),
    // Also updates every folder below, because its top-level directory changes.
    makeCase(`move of a folder with ${formatScaled(100_000)} files to another directory`, 1000, 6, () => {
      isMoved = !isMoved
      return time('POST', '/v1/move', { directories: [branch], to: isMoved ? empty : root })
    }),
    makeCase(`copy of ${formatScaled(10_000)} files`, 10_000, 5, () =>
      time('POST', '/v1/copy', { directories: [section], to: empty }),
    ),
  ]
}
