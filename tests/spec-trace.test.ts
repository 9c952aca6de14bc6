import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { api, type Endpoint, screens } from '@neptune/contract'
import { describe, expect, it } from 'vitest'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

interface Row {
  sentence: string
  departure: string
  tests: { file: string; name: string }[]
}

/** The rows of the pages, by section: a sentence in quotes, a departure or none, the tests. */
function sectionsOf(page: string): [string, Row[]][] {
  const [, ...sections] = page.split(/^## /m)
  return sections.map((text) => [/^\w+/.exec(text)?.[0] ?? '', rowsOf(text)])
}

function rowsOf(text: string): Row[] {
  const lines = text.split('\n').filter((line) => /^\|/.test(line) && !/^\| the sentence |^\|---/.test(line))
  return lines.map((line) => {
    const [, sentence = '', departure = '', tests = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
    const named = tests ? tests.split('<br>').map(testOf) : []
    return { sentence: /^“(.+)”$/.exec(sentence)?.[1]?.replaceAll('\\|', '|') ?? '', departure, tests: named }
  })
}

/** What is written in another way is taken for a test that is nowhere. */
function testOf(text: string) {
  const [, file = '', name = text] = /^`([^`]+)` › “(.+)”$/.exec(text) ?? []
  return { file, name }
}

/** What it('…'), test('…') and it.each(…)('…') are called, alone or in a group. */
const namesIn = (source: string) =>
  [...source.matchAll(/(?:(?<![.\w])(?:it|test)|\))\(\s*(['"`])((?:(?!\1).)+)\1,/g)].map(([, , name = '']) => name)

/** What is said of a sentence that nobody shows, if anything. */
function fault({ sentence, departure, tests }: Row, namesOf: (file: string) => string[]): string | undefined {
  if (!sentence) return 'a row without a sentence'
  if (!departure && tests.length === 0) return `“${sentence}” has neither a test nor a departure`
  const absent = tests.find(({ file, name }) => !namesOf(file).includes(name))
  return absent && `“${sentence}” names “${absent.name}”, which is not in ${absent.file}`
}

const namesOf = (file: string) => (existsSync(join(import.meta.dirname, '..', file)) ? namesIn(read(file)) : [])
const pages = ['screens', 'state', 'calls'].map((page) => read(`docs/spec/${page}.md`))
const sections = Object.fromEntries(pages.flatMap(sectionsOf))
const rows = Object.values(sections).flat()

/** How many sentences each section has, and what they add up to: the specification does not change. */
const whole = {
  Introduction: '5 f72f59f1185f',
  1: '7 6726b5324242',
  2: '47 f125df2a1e07',
  3: '17 77a8ea7bd298',
  4: '14 424b9f803c88',
  5: '8 6facb9b982b4',
  6: '6 38545784e036',
  7: '26 0b5b108fcd3f',
  8: '3 2306762dd4f0',
  9: '10 06d82cbbbf17',
}

it('every sentence has a test that is there, or a departure', () => {
  expect(rows.flatMap((row) => fault(row, namesOf) ?? [])).toEqual([])
})

it('no sentence is missing, added or altered', () => {
  const sum = (section: Row[]) => {
    const sentences = section.map(({ sentence }) => sentence)
    return `${sentences.length} ${createHash('sha256').update(sentences.join('\n')).digest('hex').slice(0, 12)}`
  }
  expect(Object.fromEntries(Object.entries(sections).map(([name, section]) => [name, sum(section)]))).toEqual(whole)
})

it('every call of the specification is in the contract, and every other call and screen is named on these pages', () => {
  const endpoints = Object.values(api).flatMap((group) => Object.values<Endpoint>(group))
  const calls = endpoints.map(({ method, path }) => `${method} ${path}`)
  const specified = rows.flatMap(({ sentence }) => /(?:^\| |path, )([A-Z]+ \/v1\/[^ ]+)/.exec(sentence)?.[1] ?? [])
  expect(specified).toHaveLength(20)
  expect(specified.filter((call) => !calls.includes(call))).toEqual([])
  const added = [...read('docs/spec.md').matchAll(/`([A-Z]+ \/v1\/[^`]+)`/g)].map(([, call = '']) => call)
  expect([...specified, ...added].toSorted()).toEqual(calls.toSorted())
  const routes = rows.flatMap(({ sentence }) => /^\| (\/[^ ]*) \|/.exec(sentence)?.[1] ?? [])
  const more = [...read('docs/spec.md').matchAll(/`(\/(?!v1)[^`]+)`/g)].map(([, screen = '']) => screen)
  expect([...routes, ...more].toSorted()).toEqual(Object.values(screens).toSorted())
})

it('each page is short enough to be read', () => {
  for (const page of pages) expect(page.split('\n').length).toBeLessThanOrEqual(300)
})

describe('a planted fault is found', () => {
  const faultOf = (line: string, source = "it('shows it', () => {})") => fault(rowsOf(line)[0] as Row, () => namesIn(source))

  it.each([
    ['neither', '| “A.” | | |', /neither a test nor a departure/],
    ['a test that is not there', '| “A.” | | `a.test.ts` › “shows nothing” |', /which is not in a\.test\.ts/],
    ['one of two', '| “A.” | | `a.test.ts` › “shows it”<br>`a.test.ts` › “shows that” |', /“shows that”/],
    ['one that is not written so', '| “A.” | | `a.test.ts` › “shows it”<br>a.test.ts: shows it |', /“a\.test\.ts: shows it”/],
    ['half a name', '| “A.” | | `a.test.ts` › “shows” |', /“shows”/],
    ['no sentence', '| A. | | `a.test.ts` › “shows it” |', /without a sentence/],
  ])('%s', (_, line, says) => {
    expect(faultOf(line)).toMatch(says)
  })

  it('and what is none is not', () => {
    expect(faultOf('| “A.” | | `a.test.ts` › “shows it” |')).toBeUndefined()
    expect(faultOf('| “A \\| b.” | Another way. | |')).toBeUndefined()
    expect(
      faultOf('| “A.” | | `a.test.ts` › “shows %s” |', "  it.each([\n    ['a', 1],\n  ])('shows %s', () => {})"),
    ).toBeUndefined()
  })
})
