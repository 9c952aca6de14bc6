import { safeFileName } from './zip-names.ts'

/**
 * Returns the Content-Disposition header of a download, which the browser saves and never shows. It contains the name twice (RFC 6266):
 * as safe ASCII for old clients, and in full for all others, which sanitize it for their system themselves. Nothing in a name can end the
 * value or the header.
 */
export const attachmentHeader = (name: string) => `attachment; ${named(name)}`

/** The same for what is looked at, and saved under its name from there. */
export const inlineHeader = (name: string) => `inline; ${named(name)}`

const named = (name: string) => `filename="${inAscii(safeFileName(name))}"; filename*=UTF-8''${percentEncode(name)}`

/** For headers, which carry ASCII alone. `decodeURIComponent` gives the name back. */
export const percentEncode = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Letters lose their accents; what has no ASCII, or a meaning in the header, becomes a line. Some programs would decode a `%`. */
const inAscii = (name: string) =>
  name
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_')
