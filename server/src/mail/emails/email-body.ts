import type { Localizer } from '../localizer.ts'

/** Text written by an unverified sender. Shown as a block quote on one line, changed so that mail programs turn nothing in it into a link. */
export interface Quote {
  quote: string
}

/** Text written by a member of staff. Shown as a block quote with its line breaks. Its URLs aren't changed. */
export interface PersonalMessage {
  message: string
}

/** A part of an email: a paragraph, a list, a quote, a message, or a paragraph that ends with a link. */
export type Block = string | { list: string[] } | Quote | PersonalMessage | { text: string; url: string }

/** The contents of an email, with at most one action. All texts are plain text. */
export interface EmailBody {
  subject: string
  /** The name of the reader. Emails to people whose name is unknown have no greeting. */
  readerName?: string
  paragraphs: Block[]
  /** An access code, which is set apart. */
  secret?: { label: string; text: string }
  action?: { label: string; url: string }
  after?: Block[]
}

/** Writes an email for its reader. */
export type WriteEmail = (localizer: Localizer) => EmailBody

/** Joins sentences into a paragraph. */
export const joinSentences = (...sentences: string[]) => sentences.join(' ')
