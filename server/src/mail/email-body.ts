import type { Localizer } from './localizer.ts'

/** Text written by an unverified sender. It is set apart, and put on one line without links. */
export interface Quote {
  quote: string
}

/** A part of an email: a paragraph, a list, a quote, or a paragraph that ends with a link. */
export type Block = string | { list: string[] } | Quote | { text: string; url: string }

/** What an email says, with at most one action. All texts are plain text. */
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

/** Joins sentences to a paragraph. */
export const joinSentences = (...sentences: string[]) => sentences.join(' ')
