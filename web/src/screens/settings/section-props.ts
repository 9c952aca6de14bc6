import type { api, Reply } from '@neptune/contract'

/** The props of every section. When newer settings are loaded, the section’s form merges them with the unsaved changes. */
export interface SectionProps {
  settings: Reply<typeof api.settings.read>['data']
}
