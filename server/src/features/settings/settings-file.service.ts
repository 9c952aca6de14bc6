import { type SectionName, type Settings, sectionChange } from '@neptune/contract'
import * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Entry, record } from '../audit/audit.service.ts'
import { applyChange } from './change-settings.service.ts'
import { clearSettingsCache, readSection, sectionNames } from './settings.service.ts'

/**
 * Returns the settings in effect, by section, as they can be imported elsewhere: without the password of the mail server, and without what
 * the environment sets.
 */
export async function exportSettings(deps: Deps): Promise<Partial<Settings>> {
  const sections = sectionNames.map(async (name) => {
    const { values, locked } = await readSection(deps, name)
    const fields = Object.entries(values).filter(([field]) => !(field in locked) && field !== 'smtp_password')
    return [name, Object.fromEntries(fields)]
  })
  return Object.fromEntries(await Promise.all(sections))
}

/** The format of a settings file. Sections and fields that are absent stay as they are. */
const SettingsFile = z
  .strictObject({
    organisation: sectionChange('organisation'),
    appearance: sectionChange('appearance'),
    links: sectionChange('links'),
    email: sectionChange('email'),
    security: sectionChange('security'),
    storage: sectionChange('storage'),
  })
  .partial()

/** Changes all settings in a file, or none. Returns the audit entries, which say what has changed. */
export async function importSettings(deps: Deps, file: unknown): Promise<Entry[]> {
  const { data, error } = z.safeParse(SettingsFile, file)
  if (error) throw new AppError('request.invalid', { fields: error.issues.flatMap(describeIssue) })
  const entries = await deps.db.transaction().execute(async (trx) => {
    const changes: Entry[] = []
    for (const name of sectionNames) {
      const change = applyChange(deps, trx, { kind: 'operator' }, { name, values: data[name] ?? {} })
      changes.push(...(await change.catch((error: unknown) => throwWithSection(error, name))))
    }
    await record(deps, trx, changes)
    return changes
  })
  clearSettingsCache(deps)
  return entries
}

function describeIssue(issue: z.core.$ZodIssue) {
  const path = issue.path.join('.')
  if (issue.code !== 'unrecognized_keys') return [{ field: path, message: issue.message }]
  return issue.keys.map((key) => ({ field: path ? `${path}.${key}` : key, message: 'There is no such setting.' }))
}

/** Throws an error again, with its fields named as in the file. */
function throwWithSection(error: unknown, name: SectionName): never {
  if (!(error instanceof AppError) || !error.fields) throw error
  const fields = error.fields.map(({ field, message }) => ({ field: field.replace(/^values/, name), message }))
  throw new AppError(error.code, { fields })
}
