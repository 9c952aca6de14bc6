import { type ProgramUse, type SectionName, type Settings, settingsSections } from '@neptune/contract'
import { safeParse } from 'zod'
import type { Deps } from '../../deps.ts'
import { isUsable } from '../../media/drawing-kind.ts'
import { findPrograms } from '../../media/isolation/programs.ts'
import { findLogoIds, findLogos } from '../brand/brand.repo.ts'
import { hidePassword } from './mail-password.ts'
import { findSection, listSections, type SettingRow } from './settings.repo.ts'

/** What admins have set in a section. */
export type StoredValues = Readonly<Record<string, unknown>>

export const sectionNames = Object.keys(settingsSections) as SectionName[]

interface Snapshot {
  /** When it was read, by `performance.now()`. */
  readAt: number
  settings: Settings
  versions: Partial<Record<SectionName, number>>
}

interface Cache {
  latest?: Snapshot
  /** The read in progress, which other callers can wait for. */
  reading?: { startedAt: number; snapshot: Promise<Snapshot> } | undefined
}

/** The caches by configuration, which is the same object inside and outside of transactions. */
const caches = new WeakMap<Deps['config'], Cache>()

/**
 * Returns the settings in effect: what the environment sets, otherwise what admins have set, otherwise the defaults. They are at most half
 * a second old, so that a change takes effect on every node and in every worker within a second. Inside a transaction, pass
 * `{ ...deps, db: trx }`. Otherwise, this read would wait for the connection that the transaction holds.
 */
export const readSettings = async (deps: Deps): Promise<Settings> => (await readSnapshot(deps)).settings

/** Returns the version of a section: how often it was changed. May be up to half a second old. */
export const readVersion = async (deps: Deps, name: SectionName) => (await readSnapshot(deps)).versions[name] ?? 0

async function readSnapshot(deps: Deps): Promise<Snapshot> {
  const cache = caches.get(deps.config) ?? {}
  caches.set(deps.config, cache)
  const isRecent = (time: number) => performance.now() - time < deps.config.settingsMaxAgeMs
  if (cache.latest && isRecent(cache.latest.readAt)) return cache.latest
  // A transaction must not wait for a read outside of it, which may itself wait for the transaction.
  if (deps.db.isTransaction) return takeSnapshot(deps, cache)
  if (!cache.reading || !isRecent(cache.reading.startedAt)) {
    const snapshot = takeSnapshot(deps, cache)
    const reading = { startedAt: performance.now(), snapshot }
    cache.reading = reading
    const end = () => {
      if (cache.reading === reading) cache.reading = undefined
    }
    snapshot.then(end, end)
  }
  return cache.reading.snapshot
}

async function takeSnapshot(deps: Deps, cache: Cache): Promise<Snapshot> {
  const readAt = performance.now()
  const rows = await listSections(deps.db)
  const stored = Object.fromEntries(rows.map(({ section, value }) => [section, parseValues(value)]))
  const values = sectionNames.map((name) => [name, computeValues(deps, name, stored[name] ?? {})])
  const versions = Object.fromEntries(rows.map(({ section, version }) => [section, version]))
  const snapshot = { readAt, settings: Object.fromEntries(values) as Settings, versions }
  if (!cache.latest || cache.latest.readAt < readAt) cache.latest = snapshot
  return snapshot
}

/** Makes the next call of `readSettings` return what this process has just committed. */
export const clearSettingsCache = ({ config }: Deps) => caches.delete(config)

export const parseValues = (value: string | undefined): StoredValues => (value === undefined ? {} : JSON.parse(value))

/**
 * Returns the values in effect, given what admins have set. Ignores invalid values, such as those from a later version of Neptune. Hides
 * the password of the mail server.
 */
export function computeValues<S extends SectionName>({ config }: Deps, name: S, stored: StoredValues): Settings[S] {
  const { values, locked } = config.settings
  const shown = hidePassword(stored)
  const fields = Object.entries(settingsSections[name].shape).map(([field, schema]) => {
    const isSet = shown[field] !== undefined && !(field in locked[name])
    const set = isSet ? safeParse(schema, shown[field]).data : undefined
    return [field, set ?? values[name][field as keyof Settings[S]]]
  })
  return Object.fromEntries(fields) as Settings[S]
}

/** Returns the settings that all staff may know, because they work with them. */
export async function readCommonSettings(deps: Deps) {
  const { organisation, links } = await readSettings(deps)
  return { organisation, links } // http/serve.ts leaves out all fields that are not in the contract
}

/** Returns all sections for admins, as they are in the database. */
export async function readAllSettings(deps: Deps) {
  const rows = await listSections(deps.db)
  const describe = <S extends SectionName>(name: S) => describeSection(deps, name, rows)
  return {
    organisation: describe('organisation'),
    appearance: describe('appearance'),
    links: describe('links'),
    email: describe('email'),
    security: describe('security'),
    storage: describe('storage'),
    logos: await findLogos(deps.db, await findLogoIds(deps.db)),
    previews: await describePreviews(deps),
  }
}

/** Returns whether Neptune uses each of the programs for previews. */
async function describePreviews({ config }: Deps): Promise<Record<'office' | 'video', ProgramUse>> {
  if (!config.hasThumbnails) return { office: 'off', video: 'off' }
  const { office, video } = await findPrograms(config.programPath)
  return { office: isUsable(office) ? 'used' : office, video: isUsable(video) ? 'used' : video }
}

/** Returns a section for admins, as it is in the database. */
export async function readSection<S extends SectionName>(deps: Deps, name: S) {
  const row = await findSection(deps.db, name)
  return describeSection(deps, name, row ? [row] : [])
}

function describeSection<S extends SectionName>(deps: Deps, name: S, rows: SettingRow[]) {
  const { value, version = 0 } = rows.find(({ section }) => section === name) ?? {}
  const { values: defaults, locked } = deps.config.settings
  return { version, values: computeValues(deps, name, parseValues(value)), defaults: defaults[name], locked: locked[name] }
}
