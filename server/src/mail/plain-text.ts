import type { PersonalMessage, Quote } from './emails/email-body.ts'

/** Puts a text on one line, so that no name can add a header or a line, or reverse the text after it. */
export const toLine = (text: string) =>
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')

const maxQuoteLength = 200

/**
 * Changes a quoted text so that mail programs don't turn parts of it into links, and removes invisible and direction-changing
 * characters.
 */
export const defuseLinks = ({ quote }: Quote) =>
  [...quote.replaceAll(/[\s\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim()]
    .slice(0, maxQuoteLength)
    .join('')
    .replaceAll(/:(?=\/\/)/g, '[:]')
    .replaceAll(/(?<=[\p{L}\p{N}])[.。．｡](?=[\p{L}\p{N}])/gu, '[.]')

/**
 * Changes addresses in a text that a stranger may have chosen, such as the name of a browser, so that mail programs don't turn them into
 * links. Version numbers stay as they are.
 */
export const defuseAddresses = (text: string) =>
  text.replaceAll(/:(?=\/\/)/g, '[:]').replaceAll(/(?<=[\p{L}\p{N}])[.。．｡](?=\p{L})/gu, '[.]')

/** Returns the lines of a message, without empty ones at its ends and with at most one between two others. */
export const splitMessage = ({ message }: PersonalMessage): string[] =>
  message
    .trim()
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => toLine(line).trimEnd())
    .filter((line, index, all) => line !== '' || all[index - 1] !== '')

/** Wraps lines at 72 characters, so that they need no encoding with soft line breaks. Never breaks a URL, nor at a no-break space. */
export const wrap = (text: string) =>
  toLine(text)
    .replaceAll(/(.{1,72})(?:[^\S\u00a0\u202f]+|$)/g, '$1\n')
    .trimEnd()
