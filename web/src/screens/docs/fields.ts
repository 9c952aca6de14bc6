import type { JsonSchema, OpenApi } from '../../api/openapi.ts'

/** A row of a field table: a value in a request or response, named as in code (`data[].name`). */
export interface Field {
  name: string
  type: string
  required: boolean
}

/** Lists every field of a schema, nested fields after their parent. */
export function fieldsOf(document: OpenApi, schema: JsonSchema | undefined, prefix = ''): Field[] {
  const { properties = {}, required = [] } = resolve(document, schema)
  return Object.entries(properties).flatMap(([key, raw]) => {
    const name = prefix + key
    const value = resolve(document, raw)
    const inner = value.items ? fieldsOf(document, value.items, `${name}[].`) : fieldsOf(document, value, `${name}.`)
    return [{ name, type: typeOf(document, value), required: required.includes(key) }, ...inner]
  })
}

export function typeOf(document: OpenApi, schema: JsonSchema | undefined): string {
  const value = resolve(document, schema)
  if (value.const !== undefined) return JSON.stringify(value.const)
  if (value.enum) return value.enum.map((choice) => JSON.stringify(choice)).join(' | ')
  if (value.anyOf) return value.anyOf.map((choice) => typeOf(document, choice)).join(' | ')
  if (value.items) return `list of ${typeOf(document, value.items)}`
  return [value.type ?? 'any'].flat().join(' | ')
}

/** Follows `$ref`. Neptune’s schemas are inline or refer to a shared one, and none is recursive. */
function resolve(document: OpenApi, schema: JsonSchema = {}): JsonSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (document.components?.schemas?.[name] ?? {})
}
