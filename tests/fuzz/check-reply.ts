import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { DeclaredResponse, Document, Operation, Schema } from './document.ts'
import type { FuzzRequest } from './generate-request.ts'
import type { FuzzReply } from './send-request.ts'

export type CheckReply = (operation: Operation, request: FuzzRequest, reply: FuzzReply) => string[]

/** Returns a check that lists where a reply does not match the document. */
export function makeReplyCheck(document: Document): CheckReply {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema({ $id: 'document', components: document.components })
  const compiled = new Map<Schema, ValidateFunction>()
  const findFault = (schema: Schema, value: unknown) => {
    const validate = compiled.get(schema) ?? ajv.compile(absolute(schema))
    compiled.set(schema, validate)
    return validate(value) ? undefined : ajv.errorsText(validate.errors)
  }

  return (operation, request, reply) => {
    const declared = operation.responses[reply.status]
    // 507 is a quota or a limit that the run itself can reach.
    const failed = reply.status >= 500 && reply.status !== 507 ? [`returned ${reply.status}: ${reply.body}`] : []
    if (!declared) return [...failed, `returned ${reply.status}, which is not declared`]
    return [
      ...failed,
      ...headerFaults(declared, reply),
      ...bodyFaults(declared, reply, findFault),
      ...acceptedFaults(operation, request, reply, findFault),
    ]
  }
}

const absolute = (schema: Schema): object => ('$ref' in schema ? { $ref: `document${schema.$ref}` } : schema)

const headerFaults = ({ headers = {} }: DeclaredResponse, reply: FuzzReply) =>
  Object.entries(headers).flatMap(([name, { required, schema }]) => {
    const value = reply.headers[name.toLowerCase()]
    if (value === undefined) return required ? [`lacks the header ${name}`] : []
    const isValid =
      schema.type === 'integer' ? /^\d+$/.test(String(value)) : new RegExp(schema.pattern ?? '', 'u').test(String(value))
    return isValid ? [] : [`has the header ${name}: ${value}, which its schema does not allow`]
  })

type FindFault = (schema: Schema, value: unknown) => string | undefined

function bodyFaults({ content, 'x-codes': codes }: DeclaredResponse, { status, headers, body }: FuzzReply, findFault: FindFault) {
  if (body.length === 0) return []
  const type = headers['content-type']?.split(';')[0] ?? ''
  const schema = content?.[type]?.schema
  if (!schema) return [`sent a body of type ${type}, which is not declared for ${status}`]
  if (schema.$ref?.endsWith('/Bytes')) return []
  const value = JSON.parse(body.toString())
  const fault = findFault(schema, value)
  const isDeclaredCode = !codes || codes.includes(value.code)
  return [
    ...(fault ? [`sent a body that its schema does not allow: ${fault}`] : []),
    ...(isDeclaredCode ? [] : [`returned ${status} ${value.code}, which is not declared`]),
  ]
}

/** Finds a JSON body that the document forbids but the server accepted. */
function acceptedFaults({ body }: Operation, { json }: FuzzRequest, { status }: FuzzReply, findFault: FindFault) {
  const fault = status < 300 && body && json !== undefined ? findFault(body.schema, json) : undefined
  return fault ? [`accepted a body that the document forbids: ${fault}`] : []
}
