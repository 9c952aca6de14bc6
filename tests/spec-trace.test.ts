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

/** Parses a page into sections with rows: a quoted sentence, an optional departure, and the tests. */
function parseSections(page: string): [string, Row[]][] {
  const [, ...sections] = page.split(/^## /m)
  return sections.map((text) => [/^\w+/.exec(text)?.[0] ?? '', parseRows(text)])
}

function parseRows(text: string): Row[] {
  const lines = text.split('\n').filter((line) => /^\|/.test(line) && !/^\| the sentence |^\|---/.test(line))
  return lines.map((line) => {
    const [, sentence = '', departure = '', tests = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
    const citations = tests ? tests.split('<br>').map(parseCitation) : []
    return { sentence: /^“(.+)”$/.exec(sentence)?.[1]?.replaceAll('\\|', '|') ?? '', departure, tests: citations }
  })
}

/** Parses the citation of a test. A malformed one gets no file, so that its test counts as missing. */
function parseCitation(text: string) {
  const [, file = '', name = text] = /^`([^`]+)` › “(.+)”$/.exec(text) ?? []
  return { file, name }
}

/** Returns the titles of it('…'), test('…') and it.each(…)('…'), with or without describe. */
const findTitles = (source: string) =>
  [...source.matchAll(/(?:(?<![.\w])(?:it|test)|\))\(\s*(['"`])((?:(?!\1).)+)\1,/g)].map(([, , name = '']) => name)

/** Returns what is wrong with a row, if anything. */
function findFault({ sentence, departure, tests }: Row, readTitles: (file: string) => string[]): string | undefined {
  if (!sentence) return 'a row without a sentence'
  if (!departure && tests.length === 0) return `“${sentence}” has neither a test nor a departure`
  const missing = tests.find(({ file, name }) => !readTitles(file).includes(name))
  return missing && `“${sentence}” names “${missing.name}”, which is not in ${missing.file}`
}

const readTitles = (file: string) => (existsSync(join(import.meta.dirname, '..', file)) ? findTitles(read(file)) : [])
const pages = ['screens', 'state', 'calls'].map((page) => read(`docs/spec/${page}.md`))
const sections = Object.fromEntries(pages.flatMap(parseSections))
const rows = Object.values(sections).flat()

/** The number of sentences in each section and their hash. They are constant because the specification does not change. */
const checksums = {
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

it('every sentence cites an existing test or has a departure', () => {
  expect(rows.flatMap((row) => findFault(row, readTitles) ?? [])).toEqual([])
})

it('no sentence is missing, added or altered', () => {
  const computeChecksum = (section: Row[]) => {
    const sentences = section.map(({ sentence }) => sentence)
    return `${sentences.length} ${createHash('sha256').update(sentences.join('\n')).digest('hex').slice(0, 12)}`
  }
  expect(Object.fromEntries(Object.entries(sections).map(([name, section]) => [name, computeChecksum(section)]))).toEqual(
    checksums,
  )
})

it('every call of the specification is in the contract, and docs/spec.md lists every other call and screen', () => {
  const endpoints = Object.values(api).flatMap((group) => Object.values<Endpoint>(group))
  const calls = endpoints.map(({ method, path }) => `${method} ${path}`)
  const specified = rows.flatMap(({ sentence }) => /(?:^\| |path, )([A-Z]+ \/v1\/[^ ]+)/.exec(sentence)?.[1] ?? [])
  expect(specified).toHaveLength(20)
  expect(specified.filter((call) => !calls.includes(call))).toEqual([])
  const addedCalls = [...read('docs/spec.md').matchAll(/`([A-Z]+ \/v1\/[^`]+)`/g)].map(([, call = '']) => call)
  expect([...specified, ...addedCalls].toSorted()).toEqual(calls.toSorted())
  const routes = rows.flatMap(({ sentence }) => /^\| (\/[^ ]*) \|/.exec(sentence)?.[1] ?? [])
  const addedScreens = [...read('docs/spec.md').matchAll(/`(\/(?!v1)[^`]+)`/g)].map(([, screen = '']) => screen)
  expect([...routes, ...addedScreens].toSorted()).toEqual(Object.values(screens).toSorted())
})

it('no page is longer than 300 lines', () => {
  for (const page of pages) expect(page.split('\n').length).toBeLessThanOrEqual(300)
})

describe('a row', () => {
  const check = (line: string, source = "it('shows it', () => {})") =>
    findFault(parseRows(line)[0] as Row, () => findTitles(source))

  it.each([
    ['with neither a test nor a departure', '| “A.” | | |', /neither a test nor a departure/],
    ['with a missing test', '| “A.” | | `a.test.ts` › “shows nothing” |', /which is not in a\.test\.ts/],
    ['with one of two tests missing', '| “A.” | | `a.test.ts` › “shows it”<br>`a.test.ts` › “shows that” |', /“shows that”/],
    ['with a malformed citation', '| “A.” | | `a.test.ts` › “shows it”<br>a.test.ts: shows it |', /“a\.test\.ts: shows it”/],
    ['with part of a title', '| “A.” | | `a.test.ts` › “shows” |', /“shows”/],
    ['without a quoted sentence', '| A. | | `a.test.ts` › “shows it” |', /without a sentence/],
  ])('%s is invalid', (_, line, message) => {
    expect(check(line)).toMatch(message)
  })

  it('with existing tests or a departure is valid', () => {
    expect(check('| “A.” | | `a.test.ts` › “shows it” |')).toBeUndefined()
    expect(check('| “A \\| b.” | Another way. | |')).toBeUndefined()
    expect(
      check('| “A.” | | `a.test.ts` › “shows %s” |', "  it.each([\n    ['a', 1],\n  ])('shows %s', () => {})"),
    ).toBeUndefined()
  })
})
