import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Headers } from '../support/client.ts'
import type { Case, GroupOptions } from './case.ts'
import { measure, quantile } from './measure.ts'
import { openPeers } from './peers.ts'

const folder = 'names'

/** Measures how fast a script reads the names of all files, and how long other requests take meanwhile. */
export async function makeNamesCases(
  stack: AsyncDisposableStack,
  options: GroupOptions,
  { url, headers }: { url: string; headers: Headers },
  files: number,
): Promise<Case[]> {
  const peers = await openPeers(options)
  for (const peer of peers) {
    stack.use(peer)
    mkdirSync(join(peer.folder, folder))
    for (let i = 0; i < files; i++) writeFileSync(join(peer.folder, folder, `a file with a longer name ${i}.txt`), '')
  }
  const readAll = async (target: string, headers: Headers, expected: number, separator: string) => {
    const reply = await fetch(target, { headers })
    const found = (await reply.text()).split(separator).length - 1
    // File Browser repeats each name in a path.
    if (found !== expected && found !== 2 * expected) throw new Error(`${target} returned ${found} of ${expected} files`)
  }
  const readFromNeptune = () => readAll(`${url}/v1/export/file`, headers, files, '\n')
  const measureOne = (work: () => Promise<unknown>) => measure([], work, () => 1)
  return [
    {
      name: `list of ${files.toLocaleString('en')}: all names, for a script`,
      unit: 'ms',
      rounds: 10,
      measurements: {
        neptune: () => measureOne(readFromNeptune),
        ...Object.fromEntries(
          peers.map((peer) => {
            const { url, path, headers } = peer.list(folder)
            return [peer.name, () => measureOne(() => readAll(url + path, headers, files, 'a file with a longer name'))]
          }),
        ),
      },
    },
    {
      name: `list of ${files.toLocaleString('en')}: p99 of other requests while a script reads all names`,
      unit: 'ms',
      atMost: 50,
      rounds: 3,
      measurements: { neptune: () => measureOthers(readFromNeptune, () => fetch(`${url}/v1/identity`, { headers })) },
    },
  ]
}

/** Sends requests one after the other while `work` runs. The time of the sample is their 99th percentile. */
async function measureOthers(work: () => Promise<unknown>, sendOther: () => Promise<Response>) {
  const times: number[] = []
  let isDone = false
  const working = work().finally(() => {
    isDone = true
  })
  while (!isDone) {
    const startedAt = performance.now()
    const reply = await sendOther()
    await reply.arrayBuffer()
    times.push(performance.now() - startedAt)
  }
  await working
  return { cpu: 0, seconds: quantile(times, 0.99) / 1000, amount: 1 }
}
