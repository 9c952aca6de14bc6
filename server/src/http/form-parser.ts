/** What a form may hold beside the bytes of its file, in all: headers, other fields, text before and after. */
const maxAside = 64 * 1024
const maxHeaders = 8 * 1024
const maxPadding = 100
const maxParts = 6
const nothing = Buffer.alloc(0)

/** Hears of the one file of a form. */
interface FileListener {
  begins(): void
  goesOn(bytes: Buffer): void
  ends(): void
}

/**
 * Reads multipart/form-data (RFC 7578) as it comes, for one file in the field `file`. Anything else a form may hold is passed over, and
 * whatever is not as it should be throws: where a file ends must never be a guess.
 *
 * Our own, because a file goes through it in the pieces it came in: each is looked through once and handed on, not copied.
 */
export class FormParser {
  readonly #delimiter: Buffer
  readonly #file: FileListener
  #step: (bytes: Buffer) => Buffer = this.#skip
  /** What cannot be judged before more has come. At the start: the first delimiter needs no line before it. */
  #held: Buffer = Buffer.from('\r\n')
  #aside = 0
  #parts = 0
  #hasFile = false

  constructor(boundary: string, file: FileListener) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
    this.#file = file
  }

  add(chunk: Buffer) {
    let rest = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk
    this.#held = nothing
    while (rest.length > 0) rest = this.#step(rest)
  }

  /** Throws unless the form came to its proper end, and had its file. */
  end() {
    if (this.#step !== this.#afterwards) throw new Error('The form ends before its end')
    if (!this.#hasFile) throw new Error('The form has no file')
  }

  #skip(bytes: Buffer): Buffer {
    const end = this.#endOf(bytes)
    this.#putAside(end)
    return this.#pass(bytes, end)
  }

  #take(bytes: Buffer): Buffer {
    const end = this.#endOf(bytes)
    if (end > 0) this.#file.goesOn(bytes.subarray(0, end))
    const rest = this.#pass(bytes, end)
    if (this.#step !== this.#take) this.#file.ends()
    return rest
  }

  /** Where the delimiter begins, or might begin when more has come. A line break is in it once, at its start. */
  #endOf(bytes: Buffer): number {
    const at = bytes.indexOf(this.#delimiter)
    if (at >= 0) return at
    const tail = Math.max(0, bytes.length - this.#delimiter.length + 1)
    const start = bytes.subarray(tail).lastIndexOf(13)
    const isStart = start >= 0 && this.#delimiter.indexOf(bytes.subarray(tail + start)) === 0
    return isStart ? tail + start : bytes.length
  }

  #pass(bytes: Buffer, end: number): Buffer {
    if (bytes.length - end < this.#delimiter.length) return this.#hold(bytes.subarray(end))
    this.#step = this.#delimited
    return bytes.subarray(end + this.#delimiter.length)
  }

  #delimited(bytes: Buffer): Buffer {
    if (bytes.length < 2) return this.#hold(bytes)
    if (bytes[0] === 45 && bytes[1] === 45) {
      this.#step = this.#afterwards
      return bytes
    }
    const end = bytes.indexOf('\r\n')
    const padding = bytes.toString('latin1', 0, end < 0 ? bytes.length : end)
    if (!/^[ \t]*\r?$/.test(padding) || padding.length > maxPadding) throw new Error('Something stands behind a delimiter')
    if (end < 0) return this.#hold(bytes)
    this.#parts += 1
    if (this.#parts > maxParts) throw new Error('The form has too many parts')
    this.#step = this.#headers
    return bytes.subarray(end + 2)
  }

  #headers(bytes: Buffer): Buffer {
    const end = bytes.indexOf('\r\n\r\n')
    if ((end < 0 ? bytes.length : end) > maxHeaders) throw new Error('A part has too long headers')
    if (end < 0) return this.#hold(bytes)
    this.#putAside(end)
    const block = bytes.subarray(0, end)
    if (block.includes(this.#delimiter)) throw new Error('A delimiter stands in the headers of a part')
    const { name, isFile } = partOf(block.toString('utf8'))
    if (isFile) this.#beginFile(name)
    this.#step = isFile ? this.#take : this.#skip
    return bytes.subarray(end + 4)
  }

  #beginFile(name: string) {
    if (name !== 'file') throw new Error('A file is in another field')
    if (this.#hasFile) throw new Error('The form has two files')
    this.#hasFile = true
    this.#file.begins()
  }

  #afterwards(bytes: Buffer): Buffer {
    this.#putAside(bytes.length)
    return nothing
  }

  #hold(bytes: Buffer): Buffer {
    this.#held = bytes
    return nothing
  }

  #putAside(length: number) {
    this.#aside += length
    if (this.#aside > maxAside) throw new Error('The form has too much beside its file')
  }
}

/** What the headers of a part say of it. Old clients name no file but say that bytes come. */
function partOf(headers: string): { name: string; isFile: boolean } {
  // Another reader in between might see other lines.
  if (/^\r\n|(?<!\r)\n|\r(?!\n)/.test(headers)) throw new Error('The headers of a part have odd lines')
  const lines = headers.split(/\r\n(?![ \t])/)
  const headerOf = (header: string) =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${header}:`))
      ?.slice(header.length + 1)
      .trim() ?? ''
  const disposition = headerOf('content-disposition')
  const parameters = parametersOf(disposition)
  const name = parameters.get('name')
  if (!/^form-data\s*;/i.test(disposition) || name === undefined) throw new Error('A part has no name')
  const isBytes = /^application\/octet-stream\b/i.test(headerOf('content-type'))
  return { name, isFile: isBytes || parameters.has('filename') || parameters.has('filename*') }
}

/** `name` and `filename` of `form-data; name="file"; filename="a.txt"`. The first of a name counts. */
export function parametersOf(header: string): Map<string, string> {
  const found = new Map<string, string>()
  const parameter = /;\s*([^\s=;"]+)=(?:"((?:\\.|[^"\\])*)"|([^\s;"]*))\s*/y
  parameter.lastIndex = header.indexOf(';')
  for (let match = parameter.exec(header); match; match = parameter.exec(header)) {
    const [, name = '', quoted, plain = ''] = match
    const key = name.toLowerCase()
    if (!found.has(key)) found.set(key, quoted?.replaceAll(/\\(.)/g, '$1') ?? plain)
  }
  return found
}
