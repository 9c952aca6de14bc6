import { describe, expect, it } from 'vitest'
import { toNameKey } from '../names/name-key.ts'
import { createZipNames, toSafeFileName } from './zip-names.ts'

describe('a name in an archive', () => {
  it.each([
    ['C:x', 'C_x'],
    ['x::$DATA', 'x__$DATA'],
    ['CON', '_CON'],
    ['nul', '_nul'],
    ['aux.txt', '_aux.txt'],
    ['Prn .tar.gz', '_Prn .tar.gz'],
    ['COM1', '_COM1'],
    ['lpt³.log', '_lpt³.log'],
    ['CONIN$', '_CONIN$'],
    ['a.txt.', 'a.txt_'],
    ['a.txt. .', 'a.txt___'],
    ['..', '__'],
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['..\\a', '.._a'],
    ['/etc/passwd', '_etc_passwd'],
    ['<a>"b"|c?*', '_a__b__c__'],
    ['a\u0000b\u001fc\u007fd', 'a_b_c_d'],
    ['gpj\u202etxt.exe', 'gpj_txt.exe'],
    ['REPORT~1.PDF', 'REPORT_1.PDF'],
    ['._report.pdf', '__report.pdf'],
    [`CON.${'x'.repeat(251)}`, `_CON.${'x'.repeat(250)}`],
    [`CON.${'x'.repeat(249)}.!`, `_CON.${'x'.repeat(249)}_`],
    ['', '_'],
  ])('is made safe: %j → %j', (name, safe) => {
    expect(toSafeFileName(name)).toBe(safe)
    expect(toSafeFileName(safe)).toBe(safe)
  })

  it.each([
    'report.pdf',
    'Grüße 2026 (1).txt',
    'console.log',
    'com10.txt',
    'auxiliary',
    '.gitignore',
    '~$draft.docx',
    '報告書.txt',
    '👩‍👩‍👧.png',
    'a~b.txt',
    'contract (signed).pdf',
  ])('stays as it is: %s', (name) => {
    expect(toSafeFileName(name)).toBe(name)
    expect(createZipNames()({ id: 'x', name })).toBe(name)
  })
})

describe('the names in an archive', () => {
  const namesOf = (names: string[]) => {
    const nameOf = createZipNames()
    return names.map((name, i) => nameOf({ id: `id ${i}`, name }))
  }
  const keysOf = (names: string[]) => new Set(names.map(toNameKey))

  it('have no tag if no other file has that name', () => {
    expect(namesOf(['a:b.txt', 'CON', 'c.txt'])).toEqual(['a_b.txt', '_CON', 'c.txt'])
  })

  it('stay as they are in a large archive, even with letters that could collide', () => {
    const names = Array.from({ length: 20_000 }, (_, i) => (i % 2 === 0 ? `file ${i}.txt` : `👩\u200d👧 ${i}.txt`))
    expect(namesOf(names)).toEqual(names)
  })

  it('stay distinct in any order, even when case is ignored', () => {
    const names = ['a?b.txt', 'A*B.txt', 'a_b.txt', 'a|b.txt', '_con', 'CON', 'con.', 'x.', 'x_']
    for (const order of [names, names.toReversed()]) {
      const zipNames = namesOf(order)
      expect(keysOf(zipNames).size).toBe(names.length)
      expect(zipNames.every((name) => toSafeFileName(name) === name)).toBe(true)
    }
    expect(namesOf(['a_b.txt', 'a:b.txt'])[1]).toMatch(/^a_b \(~[0-9a-z]{10}\)\.txt$/)
  })

  it('stay distinct where a system compares them by full case folding', () => {
    const pairs = [
      ['straße.txt', 'STRASSE.txt'],
      ['STRASSE.txt', 'STRAẞE.txt'],
      ['a.txt', 'a\u200d.txt'],
      ['soft\u00adhyphen', 'softhyphen'],
    ]
    for (const order of pairs.flatMap((pair) => [pair, pair.toReversed()])) {
      const zipNames = namesOf(order)
      expect(zipNames[0]).toBe(order[0])
      expect(zipNames[1]).toMatch(/ \(~[0-9a-z]{10}\)/)
    }
  })

  it('stay distinct from a file that is named like another file with its tag', () => {
    const [, tagged = ''] = namesOf(['a_b.txt', 'a:b.txt'])
    for (const name of [tagged, tagged.toUpperCase(), tagged.replace(/s|$/, 'ſ'), tagged.replace(')', '\u200d)')]) {
      const nameOf = createZipNames()
      const zipNames = [
        nameOf({ id: 'x', name }),
        nameOf({ id: 'id 0', name: 'a_b.txt' }),
        nameOf({ id: 'id 1', name: 'a:b.txt' }),
      ]
      expect(keysOf(zipNames).size).toBe(3)
    }
  })

  it('stay distinct however many of them are changed, and fit into 255 bytes', () => {
    const long = 'ü'.repeat(120)
    const names = Array.from({ length: 12_000 }, (_, i) => `${long}${'?'.repeat(i % 3)}:${i % 4000}`)
    const zipNames = namesOf(names)
    expect(keysOf(zipNames).size).toBe(names.length)
    expect(zipNames.every((name) => Buffer.byteLength(name) <= 255)).toBe(true)
  })
})
