import { type Args, api, type Reply, type SectionName, type Settings } from '@neptune/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/client.ts'
import { useAction } from '../../components/form/use-action.ts'
import type { PageTheme } from '../../components/logo-sample.tsx'

/** All settings of the installation, by section. */
export type AllSettings = Reply<typeof api.settings.read>['data']

/** A section with its version, the values in effect, the defaults, and the variables that lock fields. */
export type Section<S extends SectionName = SectionName> = AllSettings[S]

/** The logos of the organisation. */
export type Logos = AllSettings['logos']

/** Loads all settings, for admins. */
export const settingsQuery = () =>
  queryOptions({
    queryKey: settingsKey,
    queryFn: ({ signal }) => call(api.settings.read, {}, { signal }).then(({ data }) => data),
  })

interface Change<S extends SectionName> {
  /** The version that the change is based on. */
  version: number
  values: Partial<Settings[S]>
}

/** Saves a section. Then refetches everything, because many pages depend on the settings. */
export function useSaveSection<S extends SectionName>(name: S) {
  const client = useQueryClient()
  const save = async (body: Change<S>): Promise<Section<S>> => {
    // All sections are changed in the same way. The type of the body depends on the section.
    const endpoint = api.settings[name] as typeof api.settings.links
    const { data } = await call(endpoint, { body: body as Change<'links'> }).catch(rejectWithFieldNames)
    return data as Section<S>
  }
  return useAction(save, {
    isRepeatable: true,
    onSuccess: (section) =>
      client.setQueryData(settingsKey, (all: AllSettings | undefined) => all && { ...all, [name]: section }),
    refresh: () => client.invalidateQueries(),
  })
}

export const changeOrganisation = (body: Args<typeof api.settings.organisation>['body']) =>
  call(api.settings.organisation, { body })

export const changeAppearance = (body: Args<typeof api.settings.appearance>['body']) => call(api.settings.appearance, { body })

/** The server names fields by their path in the request, such as `values.max_days`. */
function rejectWithFieldNames(error: unknown): never {
  if (!(error instanceof ApiError) || error.errors.length === 0) throw error
  const errors = error.errors.map(({ field, message }) => ({ field: field.replace(/^values\./, ''), message }))
  throw new ApiError(error.code, error.message, { ...error, errors })
}

export const useSetLogo = () =>
  useLogoChange(({ theme, file }: { theme: PageTheme; file: Blob }) => call(api.brand.setLogo, { params: { theme } }, { file }))

export const useRemoveLogo = () => useLogoChange((theme: PageTheme) => call(api.brand.removeLogo, { params: { theme } }))

function useLogoChange<Input>(act: (input: Input) => Promise<{ data: Logos }>) {
  const client = useQueryClient()
  return useAction(act, {
    isRepeatable: true,
    onSuccess: ({ data: logos }) => client.setQueryData(settingsKey, (all: AllSettings | undefined) => all && { ...all, logos }),
  })
}

const settingsKey = ['settings']
