import type * as z from 'zod/mini'

type Shape = (value: unknown) => unknown

/**
 * Copies of a reply what the contract names, and nothing else: a hash that a row happens to hold cannot leave. Knows the kinds that replies
 * are made of; another one stops the server from starting, so that nobody takes it for checked.
 */
export function shapeOf(schema: z.core.$ZodType): Shape {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return object(Object.entries(def.shape).map(([name, field]) => [name, shapeOf(field)]))
    case 'array':
      return array(shapeOf(def.element))
    case 'nullable':
    case 'optional':
      return orNothing(shapeOf(def.innerType))
    case 'string':
    case 'number':
    case 'boolean':
    case 'enum':
    case 'literal':
      return scalar
    default:
      throw new Error(`A reply cannot hold a ${def.type} yet`)
  }
}

const object =
  (fields: [string, Shape][]): Shape =>
  (value) => {
    const copy: Record<string, unknown> = {}
    for (const [name, shape] of fields) {
      const part = (value as Record<string, unknown>)[name]
      if (part !== undefined) copy[name] = shape(part)
    }
    return copy
  }

const array =
  (item: Shape): Shape =>
  (value) =>
    (value as unknown[]).map(item)

const orNothing =
  (shape: Shape): Shape =>
  (value) =>
    value === null ? null : shape(value)

const scalar: Shape = (value) => {
  if (typeof value === 'object' && value !== null) throw new Error('A reply holds more than the contract names')
  return value
}
