import { describe, expect, it } from 'vitest'
import { FormParser, parametersOf } from './form-parser.ts'

const boundary = 'x-boundary'
const head = '--x-boundary\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
const tail = '\r\n--x-boundary--\r\n'
const field = (name: string, value = 'v') => `--x-boundary\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

/** The bytes of the file in a form that comes in pieces of this size. */
function fileIn(form: string | Buffer, pieces = Number.POSITIVE_INFINITY): string {
  const bytes = Buffer.from(form as string, 'latin1')
  const got: string[] = []
  const parser = new FormParser(boundary, {
    begins: () => got.push('<'),
    goesOn: (bytes) => got.push(bytes.toString('latin1')),
    ends: () => got.push('>'),
  })
  for (let at = 0; at < bytes.length; at += pieces) parser.add(bytes.subarray(at, at + pieces))
  parser.end()
  return got.join('')
}

describe('a form', () => {
  const contents = [
    '',
    'hello',
    '\r\n',
    '\r',
    'ends with a line\r\n',
    '\r\n--x-boundar',
    '\r\n-\r\n--\r\n--x\r\r\n--x-\r\n',
    '--x-boundary--',
    '\r\r\n\n--x-boundary',
    `${'\r\n--x-bound'.repeat(50)}\r`,
    '\0\xff'.repeat(1000),
  ]
  it.each(contents)('gives its file byte by byte, however it is cut: %j', (content) => {
    const before = `text before\r\n${field('note', 'a\r\nb')}`
    for (const around of [
      { before: '', after: '' },
      { before, after: 'text after' },
    ])
      for (let pieces = 1; pieces <= 80; pieces++)
        expect(fileIn(`${around.before}${head}${content}${tail}${around.after}`, pieces), `${pieces}`).toBe(`<${content}>`)
  })

  it('may have fields behind the file, and spaces behind a delimiter', () => {
    const form = `${head.replace('boundary\r', 'boundary \t\r')}hello\r\n${field('note')}--x-boundary--`
    for (let pieces = 1; pieces <= form.length; pieces++) expect(fileIn(form, pieces)).toBe('<hello>')
  })

  it.each([
    'Content-Disposition: form-data; name=file; filename=a',
    'content-disposition:form-data;name="file";filename="; name=\\"other\\""',
    'CONTENT-DISPOSITION: form-data; filename="a\\\\"; name="f\\ile"',
    'Content-Type: text/plain\r\nContent-Disposition: form-data; name="file"; filename*=UTF-8\'\'%c3%a4',
    'Content-Disposition: form-data;\r\n name="file";\r\n filename="a"',
    'Content-Disposition: form-data; name="file"\r\nContent-Type: application/octet-stream',
  ])('knows its file by the headers %j', (headers) => {
    expect(fileIn(`--x-boundary\r\n${headers}\r\n\r\nhello${tail}`)).toBe('<hello>')
  })

  const whole = `${head}hello${tail}`
  it.each([
    ['is empty', ''],
    ['is none', 'no form at all'],
    ['has no file', `${field('file')}${tail.slice(2)}`],
    ['has its file in another field', whole.replace('"file"', '"other"')],
    ['has two files', `${head}a\r\n${head}b${tail}`],
    ['has a part without headers', '--x-boundary\r\n\r\n\r\n\r\nhello\r\n--x-boundary--'],
    ['has a part without a name', whole.replace(' name="file";', '')],
    ['has a part of another disposition', whole.replace('form-data', 'attachment')],
    ['has something behind a delimiter', whole.replace('boundary\r', 'boundaryy\r')],
    ['has the boundary in its file', `${head}a\r\n--x-boundaryb${tail}`],
    ['hides its end among headers', `--x-boundary\r\nX: y\r\n--x-boundary--\r\n${head.slice(14)}hello${tail}`],
    ['hides a part among headers', `--x-boundary\r\nX: y\r\n${head}hello${tail}`],
    ['has an empty line before headers', whole.replace('boundary\r\n', 'boundary\r\n\r\n')],
    ['has half a line break in its headers', whole.replace('; filename', ';\n filename')],
    ['has the other half in its headers', whole.replace('; filename', ';\r filename')],
    ['has seven parts', `${field('a').repeat(6)}${whole}`],
    ['has endless headers', `${head.slice(0, -4)}; a=${'a'.repeat(9000)}`],
    ['has endless spaces behind a delimiter', `--x-boundary${' '.repeat(9000)}\r\n`],
    ['has an endless field', `${field('a', 'a'.repeat(70_000))}${whole}`],
    ['has endless text before', `${'a'.repeat(70_000)}\r\n${whole}`],
    ['has endless text behind', `${whole}${'a'.repeat(70_000)}`],
  ])('is refused when it %s', (_, form) => {
    for (const pieces of [1000, 50_000, Number.POSITIVE_INFINITY]) expect(() => fileIn(form, pieces)).toThrow()
  })

  it('is refused wherever it is cut off', () => {
    for (let length = 0; length < whole.length - 3; length++) expect(() => fileIn(whole.slice(0, length)), `${length}`).toThrow()
  })

  it('hands on a large piece as it came, without a copy', () => {
    const piece = Buffer.alloc(1 << 16, 'a')
    const got: Buffer[] = []
    const parser = new FormParser(boundary, { begins() {}, goesOn: (bytes) => got.push(bytes), ends() {} })
    parser.add(Buffer.from(head))
    parser.add(piece)
    expect(got.map((bytes) => bytes.buffer === piece.buffer && bytes.length)).toEqual([1 << 16])
  })
})

it('parameters of a header are read with and without quotes, the first of a name counts, and spaces without end take no time', () => {
  expect([...parametersOf('form-data; Name="a \\"b\\"" ; x=1; name=c; broken')]).toEqual([
    ['name', 'a "b"'],
    ['x', '1'],
  ])
  expect([...parametersOf(`form-data;${' '.repeat(100_000)}`)]).toEqual([])
  expect([...parametersOf('form-data')]).toEqual([])
})
