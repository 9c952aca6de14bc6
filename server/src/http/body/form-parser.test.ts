import { describe, expect, it } from 'vitest'
import { FormParser, parseParameters } from './form-parser.ts'

const boundary = 'x-boundary'
const head = '--x-boundary\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
const tail = '\r\n--x-boundary--\r\n'
const field = (name: string, value = 'v') => `--x-boundary\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

/** Returns the file in a form that arrives in chunks of this size. */
function fileIn(form: string | Buffer, pieces = Number.POSITIVE_INFINITY): string {
  const bytes = Buffer.from(form as string, 'latin1')
  const got: string[] = []
  const parser = new FormParser(boundary, {
    onStart: () => got.push('<'),
    onData: (bytes) => got.push(bytes.toString('latin1')),
    onEnd: () => got.push('>'),
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
  it.each(contents)('yields the same file for any chunk size: %j', (content) => {
    const before = `text before\r\n${field('note', 'a\r\nb')}`
    for (const around of [
      { before: '', after: '' },
      { before, after: 'text after' },
    ])
      for (let pieces = 1; pieces <= 80; pieces++)
        expect(fileIn(`${around.before}${head}${content}${tail}${around.after}`, pieces), `${pieces}`).toBe(`<${content}>`)
  })

  it('may have fields after the file, and spaces after a delimiter', () => {
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
  ])('recognizes its file by the headers %j', (headers) => {
    expect(fileIn(`--x-boundary\r\n${headers}\r\n\r\nhello${tail}`)).toBe('<hello>')
  })

  const whole = `${head}hello${tail}`
  it.each([
    ['is empty', ''],
    ['is not a form', 'no form at all'],
    ['has no file', `${field('file')}${tail.slice(2)}`],
    ['has its file in another field', whole.replace('"file"', '"other"')],
    ['has two files', `${head}a\r\n${head}b${tail}`],
    ['has a part without headers', '--x-boundary\r\n\r\n\r\n\r\nhello\r\n--x-boundary--'],
    ['has a part without a name', whole.replace(' name="file";', '')],
    ['has a part of another disposition', whole.replace('form-data', 'attachment')],
    ['has text after a delimiter', whole.replace('boundary\r', 'boundaryy\r')],
    ['has the boundary in its file', `${head}a\r\n--x-boundaryb${tail}`],
    ['has its end inside headers', `--x-boundary\r\nX: y\r\n--x-boundary--\r\n${head.slice(14)}hello${tail}`],
    ['has a part inside headers', `--x-boundary\r\nX: y\r\n${head}hello${tail}`],
    ['has an empty line before headers', whole.replace('boundary\r\n', 'boundary\r\n\r\n')],
    ['has a bare line feed in its headers', whole.replace('; filename', ';\n filename')],
    ['has a bare carriage return in its headers', whole.replace('; filename', ';\r filename')],
    ['has seven parts', `${field('a').repeat(6)}${whole}`],
    ['has too long headers', `${head.slice(0, -4)}; a=${'a'.repeat(9000)}`],
    ['has too many spaces after a delimiter', `--x-boundary${' '.repeat(9000)}\r\n`],
    ['has a too long field', `${field('a', 'a'.repeat(70_000))}${whole}`],
    ['has a too long preamble', `${'a'.repeat(70_000)}\r\n${whole}`],
    ['has a too long epilogue', `${whole}${'a'.repeat(70_000)}`],
  ])('is rejected when it %s', (_, form) => {
    for (const pieces of [1000, 50_000, Number.POSITIVE_INFINITY]) expect(() => fileIn(form, pieces)).toThrow()
  })

  it('is rejected when cut off at any byte', () => {
    for (let length = 0; length < whole.length - 3; length++) expect(() => fileIn(whole.slice(0, length)), `${length}`).toThrow()
  })

  it('passes on a large chunk without copying it', () => {
    const piece = Buffer.alloc(1 << 16, 'a')
    const got: Buffer[] = []
    const parser = new FormParser(boundary, { onStart() {}, onData: (bytes) => got.push(bytes), onEnd() {} })
    parser.add(Buffer.from(head))
    parser.add(piece)
    expect(got.map((bytes) => bytes.buffer === piece.buffer && bytes.length)).toEqual([1 << 16])
  })
})

it('parses header parameters with and without quotes, keeps the first of a name, and skips long spaces in linear time', () => {
  expect([...parseParameters('form-data; Name="a \\"b\\"" ; x=1; name=c; broken')]).toEqual([
    ['name', 'a "b"'],
    ['x', '1'],
  ])
  expect([...parseParameters(`form-data;${' '.repeat(100_000)}`)]).toEqual([])
  expect([...parseParameters('form-data')]).toEqual([])
})
