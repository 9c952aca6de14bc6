import { describe, expect, it } from 'vitest'
import { FormParser, parseParameters } from './form-parser.ts'

const boundary = 'x-boundary'
const head = '--x-boundary\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
const tail = '\r\n--x-boundary--\r\n'
const field = (name: string, value = 'v') => `--x-boundary\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

/** Parses a form that arrives in chunks of this size. Returns its file as `<content>`. */
function parseFile(form: string | Buffer, chunkSize = Number.POSITIVE_INFINITY): string {
  const bytes = Buffer.from(form as string, 'latin1')
  const events: string[] = []
  const parser = new FormParser(boundary, {
    onStart: () => events.push('<'),
    onData: (bytes) => events.push(bytes.toString('latin1')),
    onEnd: () => events.push('>'),
  })
  for (let at = 0; at < bytes.length; at += chunkSize) parser.add(bytes.subarray(at, at + chunkSize))
  parser.end()
  return events.join('')
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
      for (let chunkSize = 1; chunkSize <= 80; chunkSize++)
        expect(parseFile(`${around.before}${head}${content}${tail}${around.after}`, chunkSize), `${chunkSize}`).toBe(
          `<${content}>`,
        )
  })

  it('may have fields after the file, and spaces after a delimiter', () => {
    const form = `${head.replace('boundary\r', 'boundary \t\r')}hello\r\n${field('note')}--x-boundary--`
    for (let chunkSize = 1; chunkSize <= form.length; chunkSize++) expect(parseFile(form, chunkSize)).toBe('<hello>')
  })

  it.each([
    'Content-Disposition: form-data; name=file; filename=a',
    'content-disposition:form-data;name="file";filename="; name=\\"other\\""',
    'CONTENT-DISPOSITION: form-data; filename="a\\\\"; name="f\\ile"',
    'Content-Type: text/plain\r\nContent-Disposition: form-data; name="file"; filename*=UTF-8\'\'%c3%a4',
    'Content-Disposition: form-data;\r\n name="file";\r\n filename="a"',
    'Content-Disposition: form-data; name="file"\r\nContent-Type: application/octet-stream',
  ])('recognizes its file by the headers %j', (headers) => {
    expect(parseFile(`--x-boundary\r\n${headers}\r\n\r\nhello${tail}`)).toBe('<hello>')
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
    ['has headers that are too long', `${head.slice(0, -4)}; a=${'a'.repeat(9000)}`],
    ['has too many spaces after a delimiter', `--x-boundary${' '.repeat(9000)}\r\n`],
    ['has a field that is too long', `${field('a', 'a'.repeat(70_000))}${whole}`],
    ['has a preamble that is too long', `${'a'.repeat(70_000)}\r\n${whole}`],
    ['has an epilogue that is too long', `${whole}${'a'.repeat(70_000)}`],
  ])('is rejected when it %s', (_, form) => {
    for (const chunkSize of [1000, 50_000, Number.POSITIVE_INFINITY]) expect(() => parseFile(form, chunkSize)).toThrow()
  })

  it('is rejected when cut off at any byte', () => {
    for (let length = 0; length < whole.length - 3; length++)
      expect(() => parseFile(whole.slice(0, length)), `${length}`).toThrow()
  })

  it('passes on a large chunk without copying it', () => {
    const piece = Buffer.alloc(1 << 16, 'a')
    const chunks: Buffer[] = []
    const parser = new FormParser(boundary, { onStart() {}, onData: (bytes) => chunks.push(bytes), onEnd() {} })
    parser.add(Buffer.from(head))
    parser.add(piece)
    expect(chunks.map((bytes) => bytes.buffer === piece.buffer && bytes.length)).toEqual([1 << 16])
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
