import type { api, Reply } from '@neptune/contract'

/** All settings of the installation, by section. */
export type AllSettings = Reply<typeof api.settings.read>['data']
