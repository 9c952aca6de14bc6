import { expect, it } from 'vitest'
import { mergeChanges } from './merge-changes.ts'
import { toSettingsDraft } from './section-draft.ts'
import type { Section } from './settings-queries.ts'

const versions = { versions_kept: 20, version_days: 365 }
const values = { max_upload_bytes: 1e9, company_quota_bytes: null, trash_days: 30, ...versions, activity_days: null }
const base: Section<'storage'> = { version: 1, values, defaults: values, locked: {} }
const draft = { ...toSettingsDraft('storage', base), trash_days: '14' }

const merge = (entered: typeof draft, changes: Partial<typeof values>) =>
  mergeChanges('storage', base, { ...base, version: 2, values: { ...values, ...changes } }, entered)

it('keeps the fields that were changed here, and takes over all others', () => {
  const merged = merge(draft, { trash_days: 60, max_upload_bytes: 5e9 })
  expect(merged.draft).toMatchObject({ trash_days: '14', max_upload_bytes: '5', 'max_upload_bytes.unit': 'GB' })
  expect(merged.initial).toMatchObject({ trash_days: '60' })
  expect(merged.remoteChanges).toEqual([
    { field: 'max_upload_bytes', value: 5e9, isConflict: false },
    { field: 'trash_days', value: 60, isConflict: true },
  ])
})

it('takes over all saved values if nothing was changed here', () => {
  const merged = merge({ ...toSettingsDraft('storage', base), trash_days: '30.0' }, { trash_days: 60 })
  expect(merged).toMatchObject({ draft: { trash_days: '60' }, remoteChanges: undefined })
})
