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

/** Texts to search for. The last one is only in records of other companies. */
const searches = ['a', 'acme txt', 'globex zebra']

/** The endpoints with which staff read rows, without an id in the path. */
export const readingEndpoints = Object.values(api)
  .flatMap((group) => Object.values<Endpoint>(group))
  .filter(({ method, access, path, reply }) => {
    return method === 'GET' && ['staff', 'shared'].includes(access) && !path.includes('{') && reply !== 'events'
  })

/** The lists that have pages. */
export const pagedEndpoints = readingEndpoints.filter((endpoint) => 'cursor' in getParameters(endpoint))

/** Returns a URL of an endpoint for every value of every parameter. `ids` has the values of filters by id. */
export function listVariants(endpoint: Endpoint, ids: FilterIds): string[] {
  return [endpoint.path, ...listQueries(endpoint, ids).map((query) => `${endpoint.path}?${query}`)]
}

/** Like `listVariants`, but also returns every combination of a sort order and another parameter, because each order reads another index. */
export function listCombinations(endpoint: Endpoint, ids: FilterIds): string[] {
  const queries = listQueries(endpoint, ids)
  const ascending = queries.filter((query) => /^sort=\w/.test(query))
  const others = queries.filter((query) => !/^(sort|action)=/.test(query))
  const combined = ascending.flatMap((sort) => others.map((other) => `${endpoint.path}?${sort}&${other}`))
  return [...listVariants(endpoint, ids), ...combined]
}

function listQueries(endpoint: Endpoint, ids: FilterIds): string[] {
  return Object.entries(getParameters(endpoint)).flatMap(([name, { _zod }]) =>
    listValues(name, _zod.def, ids).map((value) => `${name}=${encodeURIComponent(value)}`),
  )
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
  if (name === 'parent') return [ids.directory]
  if (name in ids) return [ids[name as keyof FilterIds]]
  throw new Error(`The filter ${name} needs values here`)
}
