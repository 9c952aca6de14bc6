import { describe, expect, it } from 'vitest'
import { checkFileName, withNumber } from './file-name.ts'

describe('a file name', () => {
  it.each([
    'report.pdf',
    'Übergrößenträger & Söhne (final) [2].txt',
    '報告書.xlsx',
    'تقرير.docx',
    'می‌خواهم.txt',
    '👩‍👩‍👧.png',
    '.env',
    'Mr. Smith',
    ' starts with a space',
    '<img src=x onerror=alert(1)>{{7*7}}',
    '"; rm -rf ~',
    'CON',
    'aux.c',
    'C:report?.txt',
    '%2e%2e%2f',
    '__proto__',
  ])('stays unchanged: %s', (name) => {
    expect(checkFileName(name)).toEqual({ name })
  })

  it.each([
    ['a/b', 'slash'],
    ['..\\b', 'slash'],
    ['a\0b', 'control'],
    ['a\r\nb', 'control'],
    ['a\x7f', 'control'],
    ['a\x85', 'control'],
    ['a\u2028b', 'control'],
    ['gpj.\u202eexe', 'direction'],
    ['a\u2066b', 'direction'],
    ['a\u200bb', 'invisible'],
    ['a\u2060b', 'invisible'],
    ['\ufeffa', 'invisible'],
    ['a\ufeff', 'invisible'],
    ['a\n', 'control'],
    ['\ud800a', 'invalid'],
    ['', 'Enter a name'],
    ['.', 'only dots'],
    ['..', 'only dots'],
    ['. . \u3000', 'only dots'],
    ['ü'.repeat(128), 'too long'],
    ['x'.repeat(256), 'too long'],
    ['x'.repeat(100_000), 'too long'],
  ])('is rejected: %j', (name, reason) => {
    expect(checkFileName(name)).toEqual({ problem: expect.stringContaining(reason) })
  })

  it('loses trailing dots and spaces', () => {
    expect(checkFileName('report.pdf . .')).toEqual({ name: 'report.pdf' })
  })

  it('can have 255 bytes after normalization', () => {
    expect(checkFileName('x'.repeat(255))).toEqual({ name: 'x'.repeat(255) })
    expect(checkFileName(`${'u\u0308'.repeat(127)}x...`)).toEqual({ name: `${'ü'.repeat(127)}x` })
  })

  it('is normalized to NFC', () => {
    expect(checkFileName('u\u0308.txt')).toEqual({ name: 'ü.txt' })
  })
})

describe('a numbered name', () => {
  it.each([
    ['report.pdf', 'report (1).pdf'],
    ['README', 'README (1)'],
    ['.env', '.env (1)'],
    ['.env.local', '.env (1).local'],
    ['backup.tar.gz', 'backup (1).tar.gz'],
    ['Backup.TAR.XZ', 'Backup (1).TAR.XZ'],
    ['.tar.gz', '.tar (1).gz'],
    ['app.min.js', 'app.min (1).js'],
    ['Mr. Smith', 'Mr. Smith (1)'],
    ['report (1).pdf', 'report (1) (1).pdf'],
    ['報告.テキスト', '報告 (1).テキスト'],
  ])('has the number before the extension: %s becomes %s', (name, next) => {
    expect(withNumber(name, 1)).toBe(next)
  })

  it.each(['x'.repeat(251), 'ü'.repeat(125), '報'.repeat(83), '🎉'.repeat(62), `x${'🎉'.repeat(62)}`])(
    'stays within 255 bytes',
    (stem) => {
      for (const n of [1, 10, 123_456]) {
        const name = withNumber(`${stem}.txt`, n)
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
        expect(checkFileName(name)).toEqual({ name })
        expect(name).toMatch(new RegExp(`^.+ \\(${n}\\)\\.txt$`, 'u'))
      }
    },
  )
})
