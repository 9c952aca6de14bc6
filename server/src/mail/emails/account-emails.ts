import { joinSentences, type WriteEmail } from './email-body.ts'

/** The emails about the account of a user. */
export const accountEmails = {
  /** `inviter` is undefined if the admin is no longer known. */
  invitation:
    ({ name, email, company, inviter, endsAt, url }: InvitationDetails): WriteEmail =>
    ({ t, formatTime, organisation }) => {
      const sender = inviter ?? t('An administrator')
      return {
        subject: t('{inviter} invited you to {organisation}', { inviter: sender, organisation }),
        readerName: name,
        paragraphs: [
          joinSentences(
            t('{inviter} created an account for you at {company}, so that you can share files securely.', {
              inviter: sender,
              company,
            }),
            t('Accept the invitation to get started:'),
          ),
        ],
        action: { label: t('Accept the invitation'), url },
        after: [
          joinSentences(
            t('Your account uses this email address: {email}.', { email }),
            t('The link works once and expires on {time}.', { time: formatTime(endsAt) }),
          ),
          t('If you didn’t expect this invitation, you can ignore this email.'),
        ],
      }
    },

  /** `sender` is the admin who created the link, if one did; null if they are no longer known. */
  passwordReset:
    ({ name, sender, url }: { name: string; sender?: string | null | undefined; url: string }): WriteEmail =>
    ({ t, organisation }) => ({
      subject: t('Choose a new password'),
      readerName: name,
      paragraphs: [
        sender === undefined
          ? joinSentences(
              t('Someone requested a new password for your account at {organisation}.', { organisation }),
              t('If it was you, choose one here:'),
            )
          : t('{sender} sent you this link to choose a new password for your account at {organisation}:', {
              sender: sender ?? t('An administrator'),
              organisation,
            }),
      ],
      action: { label: t('Choose a new password'), url },
      after: [
        t('The link works once and expires in an hour.'),
        joinSentences(
          sender === undefined
            ? t('If you didn’t request this, you can ignore this email.')
            : t('If you didn’t expect this, don’t use the link, and tell an administrator.'),
          t('Your password stays the same.'),
        ),
      ],
    }),

  passwordChanged:
    ({ name, url }: { name: string; url: string }): WriteEmail =>
    ({ t, organisation }) => ({
      subject: t('Your password was changed'),
      readerName: name,
      paragraphs: [
        t('The password of your account at {organisation} was just changed, and you were signed out everywhere else.', {
          organisation,
        }),
        joinSentences(
          t('If this was you, there’s nothing to do.'),
          t('If it wasn’t, choose a new password right away and tell an administrator.'),
        ),
      ],
      action: { label: t('This wasn’t me'), url },
    }),

  /** Sent to the new address of a user. */
  emailChangedForNewAddress:
    ({ name, email, url }: { name: string; email: string; url: string }): WriteEmail =>
    ({ t, organisation }) => ({
      subject: t('Your account at {organisation} now uses this email address', { organisation }),
      readerName: name,
      paragraphs: [
        joinSentences(
          t('The email address of your account at {organisation} was just changed to {email}.', { organisation, email }),
          t('If you sign in with a password, use this address from now on, with the same password.'),
        ),
        joinSentences(
          t('If you don’t have an account at {organisation}, you can ignore this email.', { organisation }),
          t('Someone probably mistyped their address.'),
        ),
      ],
      action: { label: t('Sign in'), url },
    }),

  /** Sent to the previous address of a user. It doesn't reveal the new one, because the previous one may have belonged to someone else. */
  emailChangedForOldAddress:
    ({ name }: { name: string }): WriteEmail =>
    ({ t, organisation }) => ({
      subject: t('Your email address was changed'),
      readerName: name,
      paragraphs: [
        joinSentences(
          t('The email address of your account at {organisation} was just changed, by you or by an administrator.', {
            organisation,
          }),
          t('You won’t get any more emails at this address, and password reset links in older emails no longer work.'),
        ),
        joinSentences(t('If you expected this, there’s nothing to do.'), t('If you didn’t, tell an administrator right away.')),
      ],
    }),
}

interface InvitationDetails {
  name: string
  email: string
  company: string
  inviter: string | undefined
  endsAt: string
  url: string
}
