import { describe, expect, it } from 'vitest'
import { seal } from '../secrets.ts'
import { toNameKey } from './name-key.ts'
import { toNameColumns, toNameOrder } from './name-order.ts'

/** Compares names as the databases do: by the bytes of their keys. */
const compare = (one: string, other: string) => Buffer.compare(Buffer.from(toNameOrder(one)), Buffer.from(toNameOrder(other)))

function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Returns the same names every time, of up to eight characters of an alphabet. */
function makeNames(alphabet: string, count: number): string[] {
  const characters = [...alphabet]
  const random = createRandom(7)
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + random(8) }, () => characters[random(characters.length)]).join(''),
  )
}

describe('sorts', () => {
  it.each([
    ['numbers by their value', ['2.pdf', '10.pdf', '100.pdf', 'plan 2', 'plan 10', 'plan 10a', 'plan 10b', 'plan 11']],
    ['every number of a name', ['v1.2.9', 'v1.2.10', 'v1.10.1', 'v2.0.0']],
    ['dates', ['2025-12-31', '2026-1-2', '2026-01-03', '2026-2-1', '2026-10-01']],
    ['zero before one', ['a0', 'a1', 'a10']],
    ['the same number with leading zeros right after it', ['1.jpg', '001.jpg', '01.jpg', '2.jpg', '0010.jpg']],
    [
      'numbers of any length',
      ['7', '99999999', '100000000', '999999999', '1000000000', `2${'0'.repeat(200)}`, `1${'0'.repeat(201)}`],
    ],
    ['a name before longer ones that begin the same', ['plan', 'plan 1', 'plan a', 'planet']],
    ['numbers before letters', ['1', '20', 'a', 'z']],
    ['letters without regard to case', ['Anna', 'bert', 'Carl']],
    ['letters with accents next to those without', ['Arzt', 'Ärztin', 'Azur', 'Zahn']],
    ['an accent as the last difference', ['apfel', 'äpfel', 'apfelmus', 'äpfelmus']],
    ['ß as ss', ['Masse', 'Maße', 'Mast']],
    ['letters that Unicode does not decompose', ['Ærø', 'Lukas', 'Łukasz', 'Lumen', 'Oregon', 'Øresund', 'Zoe']],
    ['the Turkish ı and İ with i', ['ılık', 'İstanbul', 'izmir', 'jazz']],
    ['Cyrillic with ё next to е and й after и', ['ежик', 'ёлка', 'етюд', 'игра', 'йод', 'ящик']],
    ['Ukrainian letters next to similar ones', ['гора', 'ґрунт', 'дім', 'зима', 'їжак', 'ім’я', 'якір']],
    ['Greek with and without accents', ['άλφα', 'βήτα', 'γάμμα']],
    ['Korean by syllables', ['가', '각', '나', '다']],
    ['Japanese with and without marks', ['か', 'が', 'き']],
    ['names with emoji', ['🎉 2', '🎉 10']],
    ['digits of every script by their value', ['ملف ٢', 'ملف 3', 'ملف ١٠', 'फ़ाइल २', 'फ़ाइल १०']],
    ['full-width characters as narrow ones', ['Ａ2', 'a10', 'Ｂ']],
    ['scripts one after the other', ['zebra', 'ωμέγα', 'яблоко', 'אבא', 'ملف', '文件']],
  ])('%s', (_, names) => {
    expect(names.toReversed().toSorted(compare)).toEqual(names)
  })
})

it('sorts names the same way in any Unicode form and case', () => {
  for (const [one, other] of [
    ['u\u0308ber', 'Über'],
    ['Plan A', 'plan a'],
    ['ΟΔΟΣ', 'οδος'],
  ] as const)
    expect(toNameOrder(one)).toBe(toNameOrder(other))
})

it('agrees with the English collator on simple names', () => {
  const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'accent' })
  const names = makeNames('abcABC019', 3000)
  for (const [i, one] of names.entries()) {
    const other = names[(i * 7919) % names.length] ?? ''
    // The collator treats numbers with and without leading zeros as equal.
    if (collator.compare(one, other) !== 0)
      expect([one, other, Math.sign(compare(one, other))]).toEqual([one, other, collator.compare(one, other)])
  }
})

it('agrees with the English collator on letters with accents, except for names that differ only in accents', () => {
  const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
  const names = makeNames('aäâbeéoöøsßñnç 019', 3000)
  for (const [i, one] of names.entries()) {
    const other = names[(i * 7919) % names.length] ?? ''
    const expected = collator.compare(one, other)
    if (expected !== 0) expect([one, other, Math.sign(compare(one, other))]).toEqual([one, other, expected])
  }
})

it('gives different sort keys to names with different name keys', () => {
  const names = makeNames('aäàA0019ßsїий가ガ🎉٣½ﬁ', 20_000)
  const keys = new Map<string, string>()
  for (const name of names) {
    const order = toNameOrder(name)
    expect(keys.get(order) ?? toNameKey(name)).toBe(toNameKey(name))
    keys.set(order, toNameKey(name))
  }
})

it('sorts a name before longer names that begin with it', () => {
  for (const name of makeNames('aä019ß. -й가', 3000)) expect(compare(name, `${name}x`)).toBe(-1)
})

it.each([
  ['accents', 'ä'.repeat(127)],
  ['quotation marks', `ä${'"'.repeat(253)}`],
  ['many numbers', '1a'.repeat(127)],
  ['characters that decompose into many', 'ﷺ'.repeat(85)],
  ['emoji', '🎉'.repeat(63)],
])('keeps the longest names with %s short enough for an index and a cursor', (_, name) => {
  const order = toNameOrder(name)
  expect(order.isWellFormed()).toBe(true)
  const cursor = JSON.stringify(['-name_order', order, 'x'.repeat(22)])
  const padded = cursor + ' '.repeat(64 - (Buffer.byteLength(cursor) % 64))
  expect(seal(Buffer.alloc(32), '', padded).length).toBeLessThanOrEqual(1000)
})

it('returns both keys of a name', () => {
  expect(toNameColumns('Café 12')).toEqual({ name_key: 'café 12', name_order: 'cafe 212\u0001é 12' })
})
