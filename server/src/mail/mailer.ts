/** A letter, whoever it goes to. */
export interface Letter {
  subject: string
  text: string
  html: string
}

interface Address {
  name: string
  address: string
}

export interface Message extends Letter {
  /** Stands in the Message-ID, the same at every try, so that a mail server or reader can tell a repetition. */
  id: string
  from: Address
  /** One address, checked by the contract. */
  to: string
  date: Date
}

/** How letters leave. */
export interface Mailer {
  way: 'smtp' | 'files'
  /**
   * Resolves when the other side has taken the message. `handOver` is called at the last moment at which it can still be kept back:
   * unless it answers true, nothing leaves. What fails after that with no answer is `unconfirmed`: it may have arrived.
   */
  send(message: Message, handOver: () => Promise<boolean>): Promise<void>
}

/**
 * `unreachable`: no mail gets through now. `deferred`: not this one, not now. `refused`: this one was said no to.
 * `unconfirmed`: handed over, and then no answer. `withdrawn`: kept back at the last moment.
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
