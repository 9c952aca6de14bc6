import { type RawBuilder, sql } from 'kysely'
import { toNameKey } from '../../lib/names/name-key.ts'

/** Further words are ignored: each one is a condition on every row. */
const maxWords = 8

/** Splits a search into words. */
export const splitWords = (search: string): string[] => toNameKey(search).split(/\s+/u).filter(Boolean).slice(0, maxWords)

const umlauts = { ae: 'ä', oe: 'ö', ue: 'ü' } as const
const digraphs = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' } as const

/** Returns the ways to spell a word with and without German letters, because people type “Zahnaerzte” for “Zahnärzte”. */
export function listSpellings(word: string): string[] {
  // After a vowel or q, “ue” is not an umlaut: Steuer, Quelle.
  const withUmlauts = word.replaceAll(/ae|oe|(?<![aeiouqäöü])ue/g, (letters) => umlauts[letters as keyof typeof umlauts])
  const withSharpS = (text: string) => text.replaceAll('ss', 'ß')
  const plain = word.replaceAll(/[äöüß]/g, (letter) => digraphs[letter as keyof typeof digraphs])
  return [...new Set([word, withUmlauts, withSharpS(word), withSharpS(withUmlauts), plain])]
}

type Column = string | RawBuilder<string>

/** Matches rows whose column, a name key or an email, contains the text. Escapes wildcards in it. */
export function contains(column: Column, text: string) {
  const pattern = `%${toNameKey(text).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql<boolean>`${typeof column === 'string' ? sql.ref(column) : column} like ${pattern} escape '\\'`
}

const joinConditions = (conditions: RawBuilder<boolean>[], operator: 'and' | 'or') =>
  sql<boolean>`(${sql.join(conditions, sql` ${sql.raw(operator)} `)})`

/** Matches rows where one of the columns contains the word, in any spelling. */
export const containsWord = (columns: Column[], word: string) =>
  joinConditions(
    columns.flatMap((column) => listSpellings(word).map((spelling) => contains(column, spelling))),
    'or',
  )

/** Matches rows where each word of a search is in one of the columns. */
export function containsWords(columns: Column[], search: string) {
  const words = splitWords(search)
  return words.length === 0
    ? sql<boolean>`1 = 1`
    : joinConditions(
        words.map((word) => containsWord(columns, word)),
        'and',
      )
}

/**
 * Selects the name key of the company whose id is in `column`. A scalar subquery: a join would read all companies for every slice on PostgreSQL.
 */
export const selectCompanyNameKey = (column: string) =>
  sql<string>`(select named.name_key from company as named where named.id = ${sql.ref(column)})`

/**
 * Matches rows where each word of a search is in one of the columns or in the name of the row's company, whose id is in `company`, and at
 * least one is in the columns: the name of a company alone doesn't find all of its rows.
 */
export function containsWordsOrCompany(columns: Column[], company: string, search: string) {
  const words = splitWords(search)
  if (words.length < 2) return containsWords(columns, search)
  const isInRow = joinConditions(
    words.map((word) => containsWord(columns, word)),
    'or',
  )
  return joinConditions([isInRow, containsWords([...columns, selectCompanyNameKey(company)], search)], 'and')
}
