import type { Random } from '../faults/random.ts'
import type { Operation, Parameter, Schema } from './document.ts'
import { generateAwkwardText, generateInvalid, generateValue, type Mode } from './generate-value.ts'
import type { KnownValues } from './known-values.ts'

export interface FuzzRequest {
  method: string
  /** As it goes over the wire: percent-encoded, with the query. */
  target: string
  headers: Record<string, string>
  body: Buffer | undefined
  /** The parsed JSON body, if there is one, to check whether the server accepted an invalid one. */
  json?: unknown
}

/** Generates a call that is meant to succeed: with these values, and otherwise only required ones. */
export function prepareRequest(
  operation: Operation,
  values: Record<string, unknown>,
  known: KnownValues,
  random: Random,
): FuzzRequest {
  const isWanted = ({ name, required }: { name: string; required: boolean }) => required || name in values
  const parameters = operation.parameters
    .filter(isWanted)
    .map((parameter) => ({ ...parameter, required: true, ...(parameter.name in values && fixValue(values[parameter.name])) }))
  if (operation.body?.type !== 'application/json') return generateRequest({ ...operation, parameters }, 'prepared', known, random)
  const { properties = {}, required = [] } = operation.body.schema
  const fields = Object.keys(properties).filter((name) => isWanted({ name, required: required.includes(name) }))
  const schema = {
    ...operation.body.schema,
    required: fields,
    properties: Object.fromEntries(
      fields.map((name) => [name, name in values ? { const: values[name] } : (properties[name] ?? {})]),
    ),
  }
  return generateRequest({ ...operation, parameters, body: { ...operation.body, schema } }, 'prepared', known, random)
}

const fixValue = (value: unknown) => ({ schema: { const: value } })

/** Generates one call of an operation. In mode `invalid` one of its parts is wrong. */
export function generateRequest(operation: Operation, mode: Mode, known: KnownValues, random: Random): FuzzRequest {
  const parts = [...operation.parameters, ...(operation.body ? ['body' as const] : [])]
  const brokenPart = mode === 'invalid' && parts.length > 0 ? random.pick(parts) : undefined
  const generate = (parameter: Parameter) =>
    generateText(parameter, parameter === brokenPart ? 'invalid' : mode, operation, known, random)
  const parametersIn = (place: Parameter['in']) =>
    operation.parameters.filter((parameter) => parameter.in === place && (parameter.required || random.chance(0.4)))

  let target = operation.path
  for (const parameter of parametersIn('path'))
    target = target.replace(`{${parameter.name}}`, percentEncode(generate(parameter)) || 'x')
  const query = parametersIn('query').map((parameter) => `${parameter.name}=${percentEncode(generate(parameter))}`)
  if (brokenPart && random.chance(0.1)) query.push('company=a', 'company=b')
  if (query.length > 0) target += `?${query.join('&')}`
  const headers: Record<string, string> = {}
  for (const parameter of parametersIn('header')) {
    if (parameter !== brokenPart || random.chance(0.8)) headers[parameter.name] = toHeaderSafe(generate(parameter))
  }
  for (const parameter of parametersIn('cookie')) headers['cookie'] = `${parameter.name}=${toHeaderSafe(generate(parameter))}`
  const request = { method: operation.method, target, headers, body: undefined }
  if (!operation.body) return request
  return { ...request, ...generateBody(operation, headers, brokenPart === 'body' ? 'invalid' : mode, known, random) }
}

/** Percent-encodes a path segment or query value, including its dots. A lone surrogate becomes U+FFFD. */
const percentEncode = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll('.', '%2E')

/** Keeps only the characters that Node allows in a header. */
const toHeaderSafe = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '').trim()

function generateText({ name, schema }: Parameter, mode: Mode, { path }: Operation, known: KnownValues, random: Random): string {
  if (schema.const !== undefined) return String(schema.const)
  if (name === 'Upload-Metadata') return generateMetadata(known, random, path)
  if (name === 'Upload-Offset' && random.chance(0.7)) return '0'
  if (mode === 'invalid') return random.chance(0.3) ? (known.pickAny() ?? '') : String(generateInvalid(schema, random))
  if (mode === 'valid' && random.chance(0.85)) {
    const value = known.pick(name, path)
    if (value !== undefined) return value
  }
  return String(generateValue(schema, random, mode, () => ''))
}

function generateMetadata(known: KnownValues, random: Random, path: string): string {
  const pairs: Record<string, string> = {
    filename: random.pick(['a.txt', 'b.pdf', generateAwkwardText(random)]),
    directory: known.pick('directory', path) ?? '',
    ...(random.chance(0.2) && { conflict: random.pick(['keep', 'replace', 'other']) }),
    ...(random.chance(0.2) && { company: known.pick('company', path) ?? '' }),
  }
  return Object.entries(pairs)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',')
}

function generateBody(
  operation: Operation,
  headers: Record<string, string>,
  mode: Mode,
  known: KnownValues,
  random: Random,
): Partial<FuzzRequest> {
  const { type, schema } = operation.body ?? { type: '', schema: {} }
  const withType = (type: string, body: Buffer, json?: unknown) => ({
    headers: { ...headers, 'content-type': type },
    body,
    ...(json !== undefined && { json }),
  })
  if (mode === 'invalid' && random.chance(0.15)) {
    const otherType = random.pick(['text/plain', 'application/xml', 'application/json', 'multipart/form-data', 'x'])
    return withType(
      otherType,
      Buffer.from(random.pick(['{}', '{"a":1,"a":2}', '{"__proto__":{}}', '[', '', '\u0000', '['.repeat(5000)])),
    )
  }
  if (type === 'multipart/form-data') return withType(`${type}; boundary=b`, generateForm(mode, random))
  if (type !== 'application/json') return withType(type, random.bytes(random.between(0, 40)))
  const json = mode === 'invalid' ? breakBody(schema, generateJson(mode), random) : generateJson(mode)
  return withType(type, Buffer.from(JSON.stringify(json) ?? ''), json)

  function generateJson(mode: Mode) {
    const generateField = (schema: Schema, name: string, parentName: string): unknown => {
      const value =
        mode !== 'boundary' && schema.const === undefined && random.chance(0.85)
          ? known.pick(name || parentName, operation.path)
          : undefined
      const isText = schema.type === 'string' && !schema.enum
      if (isText && value !== undefined) return value
      return generateValue(schema, random, mode, (inner, innerName) => generateField(inner, innerName, name || parentName))
    }
    const generated = generateField(schema, '', '') as Record<string, unknown>
    const codeOfLink = mode === 'valid' && 'accessCode' in generated && random.chance(0.7) ? known.pickCode() : undefined
    return codeOfLink
      ? { ...generated, ['accessKey' in generated ? 'accessKey' : 'key']: codeOfLink.key, accessCode: codeOfLink.code }
      : generated
  }
}

/** Removes or invalidates a field of a valid body, or replaces the whole body. */
function breakBody(schema: Schema, body: Record<string, unknown>, random: Random): unknown {
  const names = Object.keys(schema.properties ?? {})
  if (names.length === 0 || random.chance(0.1)) return random.pick([null, [], 'x', 1, { ...body, extra: 1 }])
  const name = random.pick(names)
  const { [name]: _, ...rest } = body
  if (random.chance(0.25)) return rest
  return { ...body, [name]: generateInvalid(schema.properties?.[name] ?? {}, random) }
}

function generateForm(mode: Mode, random: Random): Buffer {
  const head = (field: string) => `--b\r\ncontent-disposition: form-data; name="${field}"; filename="a"\r\n\r\n`
  const bytes = random.bytes(random.between(0, 200)).toString('base64')
  if (mode !== 'invalid') return Buffer.from(`${head('file')}${bytes}\r\n--b--\r\n`)
  const invalidForms = [
    `${head('other')}${bytes}\r\n--b--\r\n`,
    `${head('file')}${bytes}\r\n--b\r\n${head('file')}${bytes}\r\n--b--\r\n`,
    `${head('file')}${bytes}`,
    '--b--\r\n',
    bytes,
  ]
  return Buffer.from(random.pick(invalidForms))
}
