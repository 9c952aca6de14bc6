import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authenticate, openClient } from '../support/client.ts'
import {
  benchUsers,
  companyCount,
  fillCompaniesInPostgres,
  fillCompaniesInSqlite,
  makeName,
} from '../support/load/fill-companies.ts'
import { startPostgres } from '../support/services/start-postgres.ts'
import { admin, startNeptune } from '../support/start-neptune.ts'
import type { Case } from './case.ts'
import { measure } from './measure.ts'
import { settings } from './servers.ts'

const lists = {
  companies: '/v1/company',
  'companies by storage': '/v1/company?sort=-bytes',
  // Selected for the user with selected companies: see `benchUsers`.
  'search for a company': `/v1/company?search=${encodeURIComponent(makeName(47_107).slice(7))}`,
  files: '/v1/file',
  directories: '/v1/directory',
  links: '/v1/link',
  activity: '/v1/activity',
}
const rounds = 60
const maxMs = 10
/** How much longer a list may take someone with thousands of selected companies than someone who sees all. */
const maxRatio = 2

/** Measures the lists of a firm with many clients on both databases, for users who see one company, selected ones, or all. */
export async function makeCompanyListCases(stack: AsyncDisposableStack): Promise<Case[]> {
  return [
    ...(await makeCases(stack, 'SQLite', async (start, folder) => {
      await start({})
      fillCompaniesInSqlite(join(folder, 'data/neptune.db'))
      return {}
    })),
    ...(await makeCases(stack, 'PostgreSQL', async (start) => {
      const postgres = await startPostgres({ settings: ['shared_buffers=512MB'] })
      stack.defer(postgres.stop)
      await start({ DATABASE_URL: postgres.url })
      await fillCompaniesInPostgres(postgres.url)
      return { DATABASE_URL: postgres.url }
    })),
  ]
}

type Settings = Record<string, string>

async function makeCases(
  stack: AsyncDisposableStack,
  database: string,
  fill: (start: (settings: Settings) => Promise<void>, folder: string) => Promise<Settings>,
): Promise<Case[]> {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-bench-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const all = { ...settings, DATA_DIR: join(folder, 'data') }
  const more = await fill(async (more) => (await startNeptune({ ...all, ...more })).stop(), folder)
  const neptune = stack.use(await startNeptune({ ...all, ...more }))
  const openAs = async (user: keyof typeof benchUsers) => {
    const { headers } = await authenticate(neptune.url, { email: benchUsers[user].email, password: admin.password })
    const client = stack.use(openClient(neptune.url, headers))
    return async (path: string) => {
      const reply = await client.send('GET', path)
      if (reply?.status !== 200) throw new Error(`${path} returned ${reply?.status}`)
      return JSON.parse(reply.text)
    }
  }
  const users = { 'one company': await openAs('own'), '5,000 selected': await openAs('selected'), all: await openAs('all') }
  const prefix = `lists of ${companyCount.toLocaleString('en')} companies, ${database}`
  const measureOnce = (work: () => Promise<unknown>) => measure([], work, () => 1)
  const makeCase = (name: string, work: () => Promise<unknown>): Case => ({
    name: `${prefix}: ${name}`,
    unit: 'ms',
    atMost: maxMs,
    rounds,
    measurements: { neptune: () => measureOnce(work) },
  })
  const { id } = (await users['one company']('/v1/company')).data[0]
  return [
    ...Object.entries(lists).flatMap(([list, path]): Case[] => [
      ...Object.entries(users).map(([user, fetchJson]) => makeCase(`${list}, ${user}`, () => fetchJson(path))),
      {
        name: `${prefix}: ${list}, 5,000 selected to all`,
        unit: 'ratio',
        atMost: maxRatio,
        rounds,
        measurements: {
          neptune: async () => {
            const selected = await measureOnce(() => users['5,000 selected'](path))
            const sample = await measureOnce(() => users.all(path))
            return { ...sample, amount: selected.seconds / sample.seconds }
          },
        },
      },
    ]),
    makeCase('one company', () => users.all(`/v1/company/${id}`)),
  ]
}
