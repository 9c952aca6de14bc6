import { expect, it } from 'vitest'
import { parseStrictJson } from './strict-json.ts'

const parse = (text: string) => parseStrictJson(Buffer.from(text))

it.each([
  ['an object', '{"a":1,"b":{"a":[1,"x",null,true]}}'],
  ['the same key in two objects', '[{"a":1},{"a":2}]'],
  ['a string that looks like structure', '{"a":"{\\"a\\":1,\\"a\\":2}]]"}'],
  ['a value that repeats a key', '{"a":"a","b":"a"}'],
  ['escapes and every script', '{"n\\u0061me":"Grüße 世界 \\"\\\\"}'],
])('parses %s like JSON.parse', (_, text) => {
  expect(parse(text)).toEqual(JSON.parse(text))
})

it.each([
  ['a duplicate key', '{"role":"a","role":"b"}'],
  ['a duplicate key, once with an escape', '{"role":"a","r\\u006fle":"b"}'],
  ['a nested duplicate key', '{"a":[{"b":1,"c":{},"b":2}]}'],
  ['__proto__', '{"__proto__":{"isAdmin":true}}'],
  ['__proto__ with an escape', '{"__pr\\u006fto__":{"isAdmin":true}}'],
  ['a byte-order mark', '\ufeff{}'],
  ['deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['half a document', '{"a":'],
  ['an empty body', ''],
])('rejects %s', (_, text) => {
  expect(() => parse(text)).toThrow(SyntaxError)
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
})

it('rejects bytes that are not UTF-8', () => {
  expect(() => parseStrictJson(Uint8Array.from([0x22, 0xff, 0x22]))).toThrow(SyntaxError)
})
