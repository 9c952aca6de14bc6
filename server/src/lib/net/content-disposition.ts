import { toSafeFileName } from '../zip/zip-names.ts'

/**
 * Formats the Content-Disposition header that makes the browser save a file instead of showing it. It contains the name twice (RFC 6266):
 * as safe ASCII for old clients, and in full for all others, which sanitize it for their system themselves. Nothing in a name can end the
 * value or the header.
 */
export const formatAttachmentHeader = (name: string) => `attachment; ${formatFilename(name)}`

/** Formats the header for a preview, which the browser shows, and saves under this name on request. */
export const formatInlineHeader = (name: string) => `inline; ${formatFilename(name)}`

const formatFilename = (name: string) => `filename="${toAscii(toSafeFileName(name))}"; filename*=UTF-8''${percentEncode(name)}`

/** Encodes a name for a header, which can contain only ASCII. `decodeURIComponent` decodes it. */
export const percentEncode = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Removes accents, and replaces what is not ASCII or has a meaning in the header. Some programs would decode a `%`. */
const toAscii = (name: string) =>
  name
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_')
