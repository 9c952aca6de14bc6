import type { api, Reply } from '@neptune/contract'

/** The props of every section. Its form is based on the settings that were loaded first, and takes over newer ones by itself. */
export interface SectionProps {
  settings: Reply<typeof api.settings.read>['data']
}
