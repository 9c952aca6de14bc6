import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authenticate, openClient } from '../support/client.ts'
import { fillSqlite } from '../support/load/fill-sqlite.ts'
import { admin, startNeptune } from '../support/start-neptune.ts'
import { benchSettings } from './busy-firm.ts'
import type { Case, GroupOptions } from './case.ts'
import { measure } from './measure.ts'
import { makeNamesCases } from './names.ts'

export async function makeListCases(stack: AsyncDisposableStack, options: GroupOptions): Promise<Case[]> {
  const cases: Case[] = []
  for (const files of [1_000, 100_000, 1_000_000]) {
    const folder = mkdtempSync(join(tmpdir(), 'neptune-bench-'))
    stack.defer(() => rmSync(folder, { recursive: true, force: true }))
    const DATA_DIR = join(folder, 'data')
    {
      await using first = await startNeptune({ ...benchSettings, DATA_DIR })
      await first.stop()
    }
    fillSqlite(join(DATA_DIR, 'neptune.db'), { files })
    const neptune = stack.use(await startNeptune({ ...benchSettings, DATA_DIR }))
    const { headers } = await authenticate(neptune.url, admin)
    const client = stack.use(openClient(neptune.url, headers))
    const fetchPage = async (query: string) => {
      const reply = await client.send('GET', `/v1/file?${query}`)
      if (reply?.status !== 200) throw new Error(`a list returned ${reply?.status}`)
      return JSON.parse(reply.text) as { data: { file_name: string }[]; next: string | null }
    }
    let deepCursor = ''
    for (let n = 0, next: string | null = ''; n < 250 && next !== null; n++) {
      deepCursor = next
      next = (await fetchPage(`limit=200${next && `&cursor=${encodeURIComponent(next)}`}`)).next
    }
    const namePrefix = (await fetchPage('limit=1')).data[0]?.file_name.slice(0, 12) ?? ''
    const queries = {
      'first page': '',
      'deep page': `cursor=${encodeURIComponent(deepCursor)}`,
      'search for one': `search=${encodeURIComponent(namePrefix)}`,
      'search for many': 'search=report',
    }
    if (files === 100_000) cases.push(...(await makeNamesCases(stack, options, { url: neptune.url, headers }, files)))
    for (const [name, query] of Object.entries(queries))
      cases.push({
        name: `list of ${files.toLocaleString('en')}: ${name}`,
        unit: 'ms',
        atMost: 10,
        rounds: 60,
        measurements: {
          neptune: () =>
            measure(
              [],
              () => fetchPage(query),
              () => 1,
            ),
        },
      })
  }
  return cases
}
