import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
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
import { benchSettings } from './busy-firm.ts'
import type { Case } from './case.ts'
import { measure, readCpuSeconds } from './measure.ts'

interface Page {
  /** Returns the path that a user of this company requests. */
  getPath: (company: string) => string
  /** Whether the response time has a limit. If false, only the ratio has one. */
  hasLimit?: false
}

const pages: Record<string, Page> = {
  companies: { getPath: () => '/v1/company' },
  'companies by storage': { getPath: () => '/v1/company?sort=-bytes' },
  // A company that the user `selected` may see: see `benchUsers`.
  'search for a company': { getPath: () => `/v1/company?search=${encodeURIComponent(makeName(47_107).slice(7))}` },
  files: { getPath: () => '/v1/file' },
  'files by name': { getPath: () => '/v1/file?sort=name' },
  directories: { getPath: () => '/v1/directory' },
  links: { getPath: () => '/v1/link' },
  users: { getPath: () => '/v1/admin/user' },
  'search for a user': { getPath: () => '/v1/admin/user?search=user47107' },
  activity: { getPath: () => '/v1/activity' },
  totals: { getPath: () => '/v1/stats' },
  dashboard: { getPath: () => '/v1/dashboard', hasLimit: false },
  'a company': { getPath: (company) => `/v1/company/${company}` },
  'directories of a company': { getPath: (company) => `/v1/directory?company=${company}` },
  'users of a company': { getPath: (company) => `/v1/admin/user?company=${company}` },
  'links of a company': { getPath: (company) => `/v1/link?company=${company}` },
  'activity of a company': { getPath: (company) => `/v1/activity?company=${company}` },
}
const rounds = 60
const maxMs = 10
/** The largest ratio of the latency for a user with 5,000 selected companies to that for a user who sees all. */
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
  const all = { ...benchSettings, DATA_DIR: join(folder, 'data') }
  const more = await fill(async (more) => (await startNeptune({ ...all, ...more })).stop(), folder)
  const neptune = stack.use(await startNeptune({ ...all, ...more }))
  await waitUntilIdle(neptune.process.pid ?? 0)
  const openAs = async (email: string) => {
    const { headers } = await authenticate(neptune.url, { email, password: admin.password })
    const client = stack.use(openClient(neptune.url, headers))
    const get = async (path: string) => {
      const reply = await client.send('GET', path)
      if (reply?.status !== 200) throw new Error(`${path} returned ${reply?.status}`)
      return JSON.parse(reply.text)
    }
    return { get, company: (await get('/v1/identity')).data.company as string }
  }
  const users = {
    admin: await openAs(admin.email),
    all: await openAs(benchUsers.all.email),
    '5,000 selected': await openAs(benchUsers.selected.email),
    '2 selected': await openAs(benchUsers.two.email),
    'one company': await openAs(benchUsers.own.email),
  }
  const prefix = `lists of ${companyCount.toLocaleString('en')} companies, ${database}`
  const measureOnce = (work: () => Promise<unknown>) => measure([], work, () => 1)
  return Object.entries(pages).flatMap(([page, { getPath, hasLimit = true }]): Case[] => [
    ...Object.entries(users).map(([user, { get, company }]) => ({
      name: `${prefix}: ${page}, ${user}`,
      unit: 'ms' as const,
      ...(hasLimit && { atMost: maxMs }),
      rounds,
      measurements: { neptune: () => measureOnce(() => get(getPath(company))) },
    })),
    {
      name: `${prefix}: ${page}, 5,000 selected to all`,
      unit: 'ratio',
      atMost: maxRatio,
      rounds,
      measurements: {
        neptune: async () => {
          const { '5,000 selected': selected, all } = users
          const ofSelected = await measureOnce(() => selected.get(getPath(selected.company)))
          const sample = await measureOnce(() => all.get(getPath(all.company)))
          return { ...sample, amount: ofSelected.seconds / sample.seconds }
        },
      },
    },
  ])
}

/** Waits until the server is idle. After its start it refreshes the states of all links, which slows down its responses. */
async function waitUntilIdle(pid: number) {
  const maxSeconds = 60
  for (let second = 0, idleSeconds = 0; second < maxSeconds && idleSeconds < 3; second++) {
    const before = readCpuSeconds(pid)
    await wait(1000)
    idleSeconds = readCpuSeconds(pid) - before < 0.2 ? idleSeconds + 1 : 0
  }
}
