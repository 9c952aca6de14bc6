import { api, type Endpoint } from '@neptune/contract'

/** The part of a schema that these tests read. */
interface Definition {
  type: string
  innerType?: { _zod: { def: Definition } }
  entries?: Record<string, string>
  shape?: Record<string, { _zod: { def: Definition } }>
}

/** Ids for the filters of lists, by the name of the parameter. */
export type FilterIds = Record<'company' | 'directory' | 'file' | 'owner' | 'person' | 'user' | 'link', string>

/** Texts to search for. Only the last three are in records of other companies. */
const searches = ['a', 'txt', 'plans', 'acme', 'acme txt', 'zebra', 'globex', 'globex zebra']

/** Every call of staff that reads rows and needs no id in its path. */
export const readingEndpoints = Object.values(api)
  .flatMap((group) => Object.values<Endpoint>(group))
  .filter(({ method, access, path, reply }) => {
    return method === 'GET' && ['staff', 'shared'].includes(access) && !path.includes('{') && typeof reply !== 'string'
  })

/** The lists that have pages. */
export const pagedEndpoints = readingEndpoints.filter((endpoint) => 'cursor' in getParameters(endpoint))

/** Returns a URL of an endpoint for every value of every parameter, with each of these ids in the filters for them. */
export function listVariants(endpoint: Endpoint, ids: FilterIds): string[] {
  const parameters = Object.entries(getParameters(endpoint)).flatMap(([name, { _zod }]) =>
    listValues(name, _zod.def, ids).map((value) => `${name}=${encodeURIComponent(value)}`),
  )
  const sorts = parameters.filter((parameter) => parameter.startsWith('sort='))
  const others = parameters.filter((parameter) => !parameter.startsWith('sort='))
  // Sort orders and filters are also combined, because each order reads another index.
  const combined = sorts.flatMap((sort) =>
    others.filter((other) => !other.startsWith('action=')).map((other) => `${sort}&${other}`),
  )
  return [endpoint.path, ...[...parameters, ...combined].map((query) => `${endpoint.path}?${query}`)]
}

function getParameters({ query }: Endpoint) {
  return (query?._zod.def as unknown as Definition | undefined)?.shape ?? {}
}

function listValues(name: string, { type, innerType, entries }: Definition, ids: FilterIds): string[] {
  if (name === 'search') return searches
  if (name === 'limit') return ['1', '200']
  if (name === 'cursor') return []
  if (name === 'from') return ['2026-01-01T00:00:00Z']
  if (name === 'to') return ['2027-01-01T00:00:00Z']
  if (entries) return Object.values(entries)
  if (type === 'optional' && innerType?._zod.def.entries) return Object.values(innerType._zod.def.entries)
  if (name === 'guests_of') return [ids.company]
  if (name in ids) return [ids[name as keyof FilterIds]]
  throw new Error(`The filter ${name} needs values here`)
}
