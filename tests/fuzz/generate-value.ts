import type { Random } from '../faults/random.ts'
import type { Schema } from './document.ts'

/** Texts that have broken programs before. */
const awkwardTexts = [
  '',
  ' ',
  '0',
  'null',
  '../../etc/passwd',
  '..%2f',
  '%00',
  '\u0000',
  'a\r\nx-injected: 1',
  '\ud800',
  '\u202egnp.exe',
  '\u2028',
  "' or 1=1 --",
  '"); drop table user; --',
  '$(id)',
  '{{7*7}}',
  '<script>alert(1)</script>',
  'name%',
  '_%_%',
  '__proto__',
  'constructor',
  '🧜'.repeat(30),
  'ﷺ'.repeat(20),
  'é',
  'x'.repeat(70),
  'x'.repeat(3000),
  '9'.repeat(400),
  '-1',
  '1e309',
  '2026-02-30',
  '=cmd()',
  'CON',
  'a/b',
  'a\\b',
]

/** Texts that match the patterns in the document. */
const sampleTexts = [
  'kim@acme.example',
  '2027-06-30',
  '2026-02-28T10:00:00Z',
  '2030-01-01T00:00:00.123+02:00',
  '1.0.0',
  '1',
  'bytes=0-9',
  'sha256 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  'sha1 2jmj7l5rSw0yVb/vlWAYkK/YBwk=',
]

const letters = [...'abcdefghijklmnop QRSTUVWXYZ0123456789._-äöüßéØ漢字']

/** `prepared` means valid, with some of the values given. */
export type Mode = 'valid' | 'boundary' | 'invalid' | 'prepared'

/** Returns a value that a schema allows; in mode `boundary`, one at its limits. `generateNested` makes the values of fields and items. */
export function generateValue(
  schema: Schema,
  random: Random,
  mode: Mode,
  generateNested: (schema: Schema, name: string) => unknown,
): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  if (schema.anyOf) return generateValue(random.pick(schema.anyOf), random, mode, generateNested)
  switch (schema.type) {
    case 'integer':
    case 'number':
      return generateNumber(schema, random, mode)
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    case 'array': {
      const max = Math.min(schema.maxItems ?? 3, mode === 'boundary' ? 201 : 3)
      const length = mode === 'boundary' ? random.pick([schema.minItems ?? 0, max]) : random.between(schema.minItems ?? 0, max)
      return Array.from({ length }, () => generateNested(schema.items ?? {}, ''))
    }
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => schema.required?.includes(name) || random.chance(0.5))
          .map(([name, field]) => [name, generateNested(field, name)]),
      )
    default:
      return generateText(schema, random, mode)
  }
}

function generateNumber({ minimum = 0, maximum = 10_000 }: Schema, random: Random, mode: Mode) {
  const min = Math.max(minimum, -(2 ** 53) + 1)
  const max = Math.min(maximum, 2 ** 53 - 1)
  return mode === 'boundary' ? random.pick([min, max]) : random.between(min, Math.min(max, min + 10_000))
}

function generateText(schema: Schema, random: Random, mode: Mode): string {
  const { minLength = 0, maxLength = 200 } = schema
  const patterns = [schema, ...(schema.allOf ?? [])].flatMap(({ pattern }) => (pattern ? [new RegExp(pattern, 'u')] : []))
  const isAllowed = (text: string) =>
    text.length >= minLength && text.length <= maxLength && patterns.every((pattern) => pattern.test(text))
  const length =
    mode === 'boundary' ? random.pick([minLength, maxLength]) : random.between(minLength, Math.min(maxLength, minLength + 20))
  const generated = Array.from({ length }, () => random.pick(letters)).join('')
  if (isAllowed(generated) && random.chance(0.8)) return generated
  const candidates = [...awkwardTexts, ...sampleTexts].filter(isAllowed)
  return candidates.length > 0 ? random.pick(candidates) : generated
}

/** Returns a value that a schema forbids or barely allows. */
export function generateInvalid(schema: Schema, random: Random): unknown {
  const candidates: unknown[] = [
    null,
    true,
    -1,
    1.5,
    1e21,
    2 ** 53,
    '',
    [],
    {},
    [[[[]]]],
    { $ne: '' },
    ['x', 'x'],
    ...awkwardTexts,
  ]
  if (schema.maxLength !== undefined) candidates.push('x'.repeat(schema.maxLength + 1))
  if (schema.maximum !== undefined) candidates.push(schema.maximum + 1)
  if (schema.maxItems !== undefined && schema.maxItems < 1000)
    candidates.push(Array.from({ length: schema.maxItems + 1 }, () => 'x'))
  return random.pick(candidates)
}

export const generateAwkwardText = (random: Random) => random.pick(awkwardTexts)
