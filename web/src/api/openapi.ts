import { createNetworkError, createReplyError } from './api-error.ts'
import { apiUrl } from './client.ts'

/** The subset of OpenAPI 3.1 that the server writes and the documentation page shows. */
export interface OpenApi {
  paths: Record<string, Record<string, OpenApiOperation>>
  components?: { schemas?: Record<string, JsonSchema> }
}

export interface OpenApiOperation {
  operationId: string
  summary?: string
  tags?: string[]
  security?: object[]
  'x-access'?: string
  parameters?: { name: string; in: string; required?: boolean; schema?: JsonSchema }[]
  requestBody?: Content
  responses: Record<string, Content & { description: string }>
}

interface Content {
  content?: Record<string, { schema: JsonSchema }>
}

export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
}

export const openApiUrl = `${apiUrl}/openapi.json`

export async function fetchOpenApi(): Promise<OpenApi> {
  const response = await fetch(openApiUrl).catch(() => {
    throw createNetworkError()
  })
  const document: OpenApi | undefined = response.ok ? await response.json().catch(() => undefined) : undefined
  if (!document?.paths) throw createReplyError(response.status)
  return document
}
