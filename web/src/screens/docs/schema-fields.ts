import type { JsonSchema, OpenApi } from '../../api/openapi.ts'

/** A row of a field table: a value in a request or response, named as in code (`data[].name`). */
export interface Field {
  name: string
  type: string
  required: boolean
}

/** Lists every field of a schema, nested fields after their parent. */
export function listFields(document: OpenApi, schema: JsonSchema | undefined, prefix = ''): Field[] {
  const { properties = {}, required = [] } = resolveRef(document, schema)
  return Object.entries(properties).flatMap(([key, raw]) => {
    const name = prefix + key
    const value = resolveRef(document, raw)
    const nested = value.items ? listFields(document, value.items, `${name}[].`) : listFields(document, value, `${name}.`)
    return [{ name, type: formatType(document, value), required: required.includes(key) }, ...nested]
  })
}

export function formatType(document: OpenApi, schema: JsonSchema | undefined): string {
  const value = resolveRef(document, schema)
  if (value.const !== undefined) return JSON.stringify(value.const)
  if (value.enum) return value.enum.map((choice) => JSON.stringify(choice)).join(' | ')
  if (value.anyOf) return value.anyOf.map((choice) => formatType(document, choice)).join(' | ')
  if (value.items) return `list of ${formatType(document, value.items)}`
  return [value.type ?? 'any'].flat().join(' | ')
}

/** Follows `$ref`. Neptune’s schemas are inline or refer to a shared one, and none is recursive. */
function resolveRef(document: OpenApi, schema: JsonSchema = {}): JsonSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (document.components?.schemas?.[name] ?? {})
}
