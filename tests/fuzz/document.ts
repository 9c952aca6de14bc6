/** The keywords of JSON Schema that the fuzzer reads. */
export interface Schema {
  $ref?: string
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  minLength?: number
  maxLength?: number
  pattern?: string
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  required: boolean
  schema: Schema
}

export interface DeclaredResponse {
  headers?: Record<string, { required: boolean; schema: Schema }>
  content?: Record<string, { schema: Schema }>
  'x-codes'?: string[]
}

export interface Operation {
  id: string
  method: string
  path: string
  access: 'public' | 'staff' | 'admin' | 'link' | 'shared'
  parameters: Parameter[]
  body: { type: string; schema: Schema } | undefined
  responses: Record<string, DeclaredResponse>
}

interface RawOperation {
  operationId: string
  'x-access': Operation['access']
  parameters: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, DeclaredResponse>
}

export interface Document {
  paths: Record<string, Record<string, RawOperation>>
  components: { schemas: Record<string, Schema> }
}

/** Returns the operations of a document, in the order in which it lists them. */
export function listOperations({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => {
      const [body] = Object.entries(raw.requestBody?.content ?? {})
      return {
        id: raw.operationId,
        method: method.toUpperCase(),
        path,
        access: raw['x-access'],
        parameters: raw.parameters,
        body: body && { type: body[0], schema: body[1].schema },
        responses: raw.responses,
      }
    }),
  )
}
