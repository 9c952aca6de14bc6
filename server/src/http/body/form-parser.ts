/** The maximum number of bytes in a form besides the file: headers, other fields, preamble and epilogue. */
const maxOverheadBytes = 64 * 1024
const maxHeaderBytes = 8 * 1024
const maxPadding = 100
const maxParts = 6
const empty = Buffer.alloc(0)

/** Receives the one file of a form. */
interface FileListener {
  onStart(): void
  onData(bytes: Buffer): void
  onEnd(): void
}

/**
 * Parses multipart/form-data (RFC 7578) in a stream, for one file in the field `file`. Skips all other fields. Throws on anything
 * malformed, because the end of a file must never be ambiguous.
 *
 * Used instead of a library, because it passes each chunk of the file on after one scan, without a copy.
 */
export class FormParser {
  readonly #delimiter: Buffer
  readonly #file: FileListener
  #step: (bytes: Buffer) => Buffer = this.#skip
  /** Bytes that cannot be parsed before more arrive. Starts with a line break, because the first delimiter may come without one. */
  #held: Buffer = Buffer.from('\r\n')
  #overhead = 0
  #parts = 0
  #hasFile = false

  constructor(boundary: string, file: FileListener) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
    this.#file = file
  }

  add(chunk: Buffer) {
    let rest = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk
    this.#held = empty
    while (rest.length > 0) rest = this.#step(rest)
  }

  /** Throws unless the form is complete and had a file. */
  end() {
    if (this.#step !== this.#skipEpilogue) throw new Error('The form is incomplete')
    if (!this.#hasFile) throw new Error('The form has no file')
  }

  #skip(bytes: Buffer): Buffer {
    const end = this.#findEnd(bytes)
    this.#addOverhead(end)
    return this.#endPart(bytes, end)
  }

  #readFile(bytes: Buffer): Buffer {
    const end = this.#findEnd(bytes)
    if (end > 0) this.#file.onData(bytes.subarray(0, end))
    const rest = this.#endPart(bytes, end)
    if (this.#step !== this.#readFile) this.#file.onEnd()
    return rest
  }

  /** Returns where the delimiter starts, or might start once more bytes arrive. It contains one line break, at its start. */
  #findEnd(bytes: Buffer): number {
    const at = bytes.indexOf(this.#delimiter)
    if (at >= 0) return at
    const tail = Math.max(0, bytes.length - this.#delimiter.length + 1)
    const start = bytes.subarray(tail).lastIndexOf(13)
    const isStart = start >= 0 && this.#delimiter.indexOf(bytes.subarray(tail + start)) === 0
    return isStart ? tail + start : bytes.length
  }

  #endPart(bytes: Buffer, end: number): Buffer {
    if (bytes.length - end < this.#delimiter.length) return this.#hold(bytes.subarray(end))
    this.#step = this.#readDelimiterEnd
    return bytes.subarray(end + this.#delimiter.length)
  }

  #readDelimiterEnd(bytes: Buffer): Buffer {
    if (bytes.length < 2) return this.#hold(bytes)
    // Two hyphens after the boundary end the form.
    if (bytes[0] === 45 && bytes[1] === 45) {
      this.#step = this.#skipEpilogue
      return bytes
    }
    const end = bytes.indexOf('\r\n')
    const padding = bytes.toString('latin1', 0, end < 0 ? bytes.length : end)
    if (!/^[ \t]*\r?$/.test(padding) || padding.length > maxPadding) throw new Error('A delimiter is followed by other text')
    if (end < 0) return this.#hold(bytes)
    this.#parts += 1
    if (this.#parts > maxParts) throw new Error('The form has too many parts')
    this.#step = this.#readHeaders
    return bytes.subarray(end + 2)
  }

  #readHeaders(bytes: Buffer): Buffer {
    const end = bytes.indexOf('\r\n\r\n')
    if ((end < 0 ? bytes.length : end) > maxHeaderBytes) throw new Error('The headers of a part are too long')
    if (end < 0) return this.#hold(bytes)
    this.#addOverhead(end)
    const block = bytes.subarray(0, end)
    if (block.includes(this.#delimiter)) throw new Error('The headers of a part contain a delimiter')
    const { name, isFile } = parsePartHeaders(block.toString('utf8'))
    if (isFile) this.#startFile(name)
    this.#step = isFile ? this.#readFile : this.#skip
    return bytes.subarray(end + 4)
  }

  #startFile(name: string) {
    if (name !== 'file') throw new Error('A file is in another field')
    if (this.#hasFile) throw new Error('The form has two files')
    this.#hasFile = true
    this.#file.onStart()
  }

  #skipEpilogue(bytes: Buffer): Buffer {
    this.#addOverhead(bytes.length)
    return empty
  }

  #hold(bytes: Buffer): Buffer {
    this.#held = bytes
    return empty
  }

  #addOverhead(length: number) {
    this.#overhead += length
    if (this.#overhead > maxOverheadBytes) throw new Error('The form contains too much besides its file')
  }
}

/** Parses the headers of a part. Old clients send no file name, but the type application/octet-stream. */
function parsePartHeaders(headers: string): { name: string; isFile: boolean } {
  // A proxy might split bare line breaks differently.
  if (/^\r\n|(?<!\r)\n|\r(?!\n)/.test(headers)) throw new Error('The headers of a part have invalid line breaks')
  const lines = headers.split(/\r\n(?![ \t])/)
  const readHeader = (header: string) =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${header}:`))
      ?.slice(header.length + 1)
      .trim() ?? ''
  const disposition = readHeader('content-disposition')
  const parameters = parseParameters(disposition)
  const name = parameters.get('name')
  if (!/^form-data\s*;/i.test(disposition) || name === undefined) throw new Error('A part has no name')
  const isOctetStream = /^application\/octet-stream\b/i.test(readHeader('content-type'))
  return { name, isFile: isOctetStream || parameters.has('filename') || parameters.has('filename*') }
}

/** Parses the parameters of a header such as `form-data; name="file"; filename="a.txt"`. Of repeated names, the first counts. */
export function parseParameters(header: string): Map<string, string> {
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
