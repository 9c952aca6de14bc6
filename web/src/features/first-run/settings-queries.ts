import { type Args, api } from '@neptune/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'

/** Loads all settings, with the versions that changes are based on. */
export const allSettingsQuery = () =>
  queryOptions({
    queryKey: ['settings', 'all'],
    queryFn: ({ signal }) => call(api.settings.read, {}, { signal }).then(({ data }) => data),
  })

export const changeOrganisation = (body: Args<typeof api.settings.organisation>['body']) =>
  call(api.settings.organisation, { body })

export const changeAppearance = (body: Args<typeof api.settings.appearance>['body']) => call(api.settings.appearance, { body })
