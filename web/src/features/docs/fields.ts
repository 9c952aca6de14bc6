import type { JsonSchema, OpenApi } from '../../api/openapi.ts'

/** One line of a table: a value a caller sends or receives, named as it would be written in code (`data[].name`). */
export interface Field {
  name: string
  type: string
  required: boolean
}

/** Every value inside a schema, the inner ones after their parent. */
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

/** Neptune's schemas are inline, or name one of the shared ones; none contains itself. */
function resolve(document: OpenApi, schema: JsonSchema = {}): JsonSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (document.components?.schemas?.[name] ?? {})
}
