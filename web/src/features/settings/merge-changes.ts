import type { SectionName } from '@neptune/contract'
import { type Draft, findSettingChanges, listEntryNames, toSettingsDraft, type Values } from './section-draft.ts'
import type { Section } from './settings-queries.ts'

/** A field that another admin has changed, with the new value, and whether it was also changed here. */
export interface RemoteChange {
  field: string
  value: string | number | boolean | null
  isConflict: boolean
}

/**
 * Combines a draft with what another admin has saved since: fields that were changed here stay as entered, all others get the new values.
 * `remoteChanges` is undefined if nothing was changed here.
 */
export function mergeChanges(name: SectionName, base: Section, saved: Section, draft: Draft) {
  const own = Object.keys(findSettingChanges(name, base, draft))
  const initial = toSettingsDraft(name, saved)
  const keptEntries = own.flatMap((field) => listEntryNames(name, field)).map((entry) => [entry, draft[entry] ?? ''])
  const [before, after] = [base.values as Values, saved.values as Values]
  const toRemoteChange = (field: string): RemoteChange => ({
    field,
    value: after[field] ?? null,
    isConflict: own.includes(field),
  })
  const changed = Object.keys(after).filter((field) => after[field] !== before[field])
  return {
    initial,
    draft: { ...initial, ...Object.fromEntries(keptEntries) } as Draft,
    remoteChanges: own.length > 0 ? changed.map(toRemoteChange) : undefined,
  }
}
