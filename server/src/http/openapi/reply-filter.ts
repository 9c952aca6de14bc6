import type * as z from 'zod/mini'

type Filter = (value: unknown) => unknown

/**
 * Returns a function that copies only the fields in the contract, so that a password hash in a row never gets into a reply. Throws at start
 * for a schema type it does not support, so that no reply goes out unfiltered.
 */
export function createReplyFilter(schema: z.core.$ZodType): Filter {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return createObjectFilter(Object.entries(def.shape).map(([name, field]) => [name, createReplyFilter(field)]))
    case 'array':
      return createArrayFilter(createReplyFilter(def.element))
    case 'nullable':
    case 'optional':
      return createNullableFilter(createReplyFilter(def.innerType))
    case 'string':
    case 'number':
    case 'boolean':
    case 'enum':
    case 'literal':
      return passScalar
    default:
      throw new Error(`Replies cannot contain the type ${def.type} yet`)
  }
}

const createObjectFilter =
  (fields: [string, Filter][]): Filter =>
  (value) => {
    const copy: Record<string, unknown> = {}
    for (const [name, filter] of fields) {
      const part = (value as Record<string, unknown>)[name]
      if (part !== undefined) copy[name] = filter(part)
    }
    return copy
  }

const createArrayFilter =
  (filter: Filter): Filter =>
  (value) =>
    (value as unknown[]).map(filter)

const createNullableFilter =
  (filter: Filter): Filter =>
  (value) =>
    value === null ? null : filter(value)

const passScalar: Filter = (value) => {
  if (typeof value === 'object' && value !== null) throw new Error('A reply contains an object where the contract has a scalar')
  return value
}
