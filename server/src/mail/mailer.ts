import type { Language } from '@neptune/contract'
import type { MailServer } from '../lib/net/mail-server.ts'

/** Subject and body of an email, without its addresses. */
export interface EmailContent {
  language: Language
  subject: string
  text: string
  html: string
}

/** A person or an organisation, with one validated address. */
export interface Address {
  name: string
  address: string
}

export interface Message extends EmailContent {
  /** Used as the Message-ID. It is the same for every attempt, so that mail servers and clients can detect duplicates. */
  id: string
  from: Address
  /** Where replies go, if not to the sender. */
  replyTo?: Address | undefined
  /** Exactly one address, validated by the contract. */
  to: string
  date: Date
}

/** Returns whether this process may still send the message. */
export type ConfirmClaim = () => Promise<boolean>

/** Sends messages. */
export interface Mailer {
  /**
   * Sends a message through a mail server, or saves it as a file without one. Resolves when the other side has accepted the message. Calls
   * `confirmClaim` at the last moment before it sends the message, and sends it only if that returns true. A failure after that
   * without a response is `unconfirmed`: the message may have arrived.
   */
  send(message: Message, server: MailServer | undefined, confirmClaim: ConfirmClaim): Promise<void>
}

/**
 * `unreachable`: no message can be sent now. `deferred`: the server rejected this message temporarily (4xx). `refused`: the server
 * rejected it permanently (5xx). `unconfirmed`: the message was sent, but the server hasn't replied. `withdrawn`: the message wasn't
 * sent, because `confirmClaim` returned false.
 */
export type MailFailure = 'unreachable' | 'deferred' | 'refused' | 'unconfirmed' | 'withdrawn'

export class MailError extends Error {
  override name = 'MailError'
  readonly failure: MailFailure

  constructor(failure: MailFailure, reason: string) {
    super(reason)
    this.failure = failure
  }
}
