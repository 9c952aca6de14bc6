import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { DeclaredResponse, Document, Operation, Schema } from './document.ts'
import type { FuzzRequest } from './generate-request.ts'
import type { FuzzReply } from './send-request.ts'

export type CheckReply = (operation: Operation, request: FuzzRequest, reply: FuzzReply) => string[]

/** Returns a check that lists where a reply does not match the document. */
export function makeReplyCheck(document: Document): CheckReply {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema({ $id: 'document', components: document.components })
  const validators = new Map<Schema, ValidateFunction>()
  const findSchemaError = (schema: Schema, value: unknown) => {
    const validate = validators.get(schema) ?? ajv.compile(makeRefAbsolute(schema))
    validators.set(schema, validate)
    return validate(value) ? undefined : ajv.errorsText(validate.errors)
  }

  return (operation, request, reply) => {
    const declared = operation.responses[reply.status]
    // 507 is not a fault: the run itself can reach a quota or a limit.
    const serverErrors = reply.status >= 500 && reply.status !== 507 ? [`returned ${reply.status}: ${reply.body}`] : []
    if (!declared) return [...serverErrors, `returned ${reply.status}, which is not declared`]
    return [
      ...serverErrors,
      ...findHeaderFaults(declared, reply),
      ...findBodyFaults(declared, reply, findSchemaError),
      ...findWronglyAcceptedBody(operation, request, reply, findSchemaError),
    ]
  }
}

/** Makes a reference to a component resolve in the document that Ajv knows. */
const makeRefAbsolute = (schema: Schema): object => ('$ref' in schema ? { $ref: `document${schema.$ref}` } : schema)

const findHeaderFaults = ({ headers = {} }: DeclaredResponse, reply: FuzzReply) =>
  Object.entries(headers).flatMap(([name, { required, schema }]) => {
    const value = reply.headers[name.toLowerCase()]
    if (value === undefined) return required ? [`lacks the header ${name}`] : []
    const isValid =
      schema.type === 'integer' ? /^\d+$/.test(String(value)) : new RegExp(schema.pattern ?? '', 'u').test(String(value))
    return isValid ? [] : [`has the header ${name}: ${value}, which its schema does not allow`]
  })

type FindSchemaError = (schema: Schema, value: unknown) => string | undefined

function findBodyFaults(
  { content, 'x-codes': codes }: DeclaredResponse,
  { status, headers, body }: FuzzReply,
  findSchemaError: FindSchemaError,
) {
  if (body.length === 0) return []
  const type = headers['content-type']?.split(';')[0] ?? ''
  const schema = content?.[type]?.schema
  if (!schema) return [`sent a body of type ${type}, which is not declared for ${status}`]
  if (schema.$ref?.endsWith('/Bytes')) return []
  const value = type.endsWith('json') ? JSON.parse(body.toString()) : body.toString()
  const fault = findSchemaError(schema, value)
  const isDeclaredCode = !codes || codes.includes(value.code)
  return [
    ...(fault ? [`sent a body that its schema does not allow: ${fault}`] : []),
    ...(isDeclaredCode ? [] : [`returned ${status} ${value.code}, which is not declared`]),
  ]
}

/** Finds a JSON body that the document forbids but the server accepted. */
function findWronglyAcceptedBody(
  { body }: Operation,
  { json }: FuzzRequest,
  { status }: FuzzReply,
  findSchemaError: FindSchemaError,
) {
  const fault = status < 300 && body && json !== undefined ? findSchemaError(body.schema, json) : undefined
  return fault ? [`accepted a body that the document forbids: ${fault}`] : []
}
