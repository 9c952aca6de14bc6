import type { OpenApi, OpenApiOperation } from '../../api/openapi.ts'
import { t } from '../../i18n/t.ts'
import { type Field, formatType, listFields } from './schema-fields.ts'

/** An operation of the API, as the page shows it. */
export interface Operation {
  id: string
  group: string
  method: string
  path: string
  summary: string
  access: string
  parameters: (Field & { where: string })[]
  body: Field[]
  replies: { status: string; description: string; hasBody: boolean; fields: Field[] }[]
  errors: { status: string; code: string; message: string }[]
}

export function listOperations(document: OpenApi): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => toOperation(document, path, method.toUpperCase(), raw)),
  )
}

/** Returns whether every word occurs somewhere: “post session” finds the operation that restores a session. */
export function matchesFilter({ id, method, path, summary }: Operation, filter: string): boolean {
  const text = `${id} ${method} ${path} ${summary}`.toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function toOperation(document: OpenApi, path: string, method: string, raw: OpenApiOperation): Operation {
  const responses = Object.entries(raw.responses)
  return {
    id: raw.operationId,
    group: raw.tags?.[0] ?? 'other',
    method,
    path,
    summary: raw.summary ?? '',
    access: describeAccess(raw['x-access'] ?? (raw.security?.length ? 'staff' : 'public')),
    parameters: (raw.parameters ?? []).map(({ name, in: where, required = false, schema }) => ({
      name,
      where,
      required,
      type: formatType(document, schema),
    })),
    body: listFields(document, raw.requestBody?.content?.['application/json']?.schema),
    replies: responses.filter(isSuccess).map(([status, { description, content }]) => ({
      status,
      description,
      hasBody: content !== undefined,
      fields: listFields(document, content?.['application/json']?.schema),
    })),
    errors: responses
      .filter((entry) => !isSuccess(entry))
      .flatMap(([status, { description }]) => readErrors(status, description)),
  }
}

function describeAccess(access: string): string {
  if (access === 'public') return t('Anyone, signed in or not.')
  if (access === 'staff') return t('Signed-in staff: send the token as Authorization: Bearer.')
  if (access === 'admin') return t('Admins only: send the token as Authorization: Bearer.')
  if (access === 'link') return t('Recipients only: send the token of the recipient session as Authorization: Bearer.')
  return t('Staff and recipients: send the token as Authorization: Bearer.')
}

const isSuccess = ([status]: [string, unknown]) => status < '4'

/** Parses an error description: one line per error, the code in backticks, then its meaning. */
const readErrors = (status: string, description: string) =>
  description.split('\n').map((line) => {
    const [, code = '', message = line] = /^`(.+?)`: (.*)$/.exec(line) ?? []
    return { status, code, message }
  })
