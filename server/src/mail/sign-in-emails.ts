import { parseUserAgent } from '@neptune/contract'
import { joinSentences, type WriteEmail } from './email-body.ts'
import type { Localizer } from './localizer.ts'

/** The emails about how a user signs in. */
export const signInEmails = {
  newSignIn:
    ({ name, signIns, url }: { name: string; signIns: SignIn[]; url: string }): WriteEmail =>
    (localizer) => {
      const { t, organisation } = localizer
      return {
        subject: t('New sign-in to your account at {organisation}', { organisation }),
        readerName: name,
        paragraphs: [
          t('Someone signed in to your account with a browser that you haven’t used before:'),
          { list: signIns.map((signIn) => describeSignIn(localizer, signIn)) },
          joinSentences(
            t('If this was you, there’s nothing to do.'),
            t('If it wasn’t, end the session on your account page, choose a new password and tell an administrator.'),
          ),
        ],
        action: { label: t('Open your account'), url },
      }
    },

  factorChanged:
    ({ name, change, url }: { name: string; change: keyof typeof changeTexts; url: string }): WriteEmail =>
    ({ t, organisation }) => ({
      subject: t('How you sign in to {organisation} has changed', { organisation }),
      readerName: name,
      paragraphs: [
        t(changeTexts[change]),
        joinSentences(
          t('If this was you, there’s nothing to do.'),
          t('If it wasn’t, choose a new password right away and tell an administrator.'),
        ),
      ],
      action: { label: t('Open your account'), url },
    }),

  /** `sender` is the admin who requested it; undefined if they are no longer known. */
  factorReset:
    ({ name, sender, dueAt, url }: { name: string; sender: string | undefined; dueAt: string; url: string }): WriteEmail =>
    ({ t, organisation, formatTime }) => ({
      subject: t('Your second factor at {organisation} will be removed', { organisation }),
      readerName: name,
      paragraphs: [
        joinSentences(
          t(
            '{sender} is removing the second factor of your account at {organisation}, so that you can sign in with your password alone.',
            {
              sender: sender ?? t('An administrator'),
              organisation,
            },
          ),
          t('This takes effect on {time}, or at once if you agree.', { time: formatTime(dueAt) }),
        ),
        t('If you didn’t ask for this, prevent it now: someone else may have your password.'),
      ],
      action: { label: t('Agree or prevent it'), url },
    }),
}

interface SignIn {
  at: string
  client: string
  agent: string
}

const maxAgentLength = 60

function describeSignIn({ t, formatTime }: Localizer, { at, client, agent }: SignIn): string {
  const { browser, system } = parseUserAgent(agent)
  const name = browser && system ? t('{browser} on {system}', { browser, system }) : (browser ?? agent.slice(0, maxAgentLength))
  return [name || t('Unknown browser'), client, formatTime(at)].join(', ')
}

const changeTexts = {
  totp_added: 'An authenticator app was added to your account. You need a code from it to sign in.',
  totp_removed: 'The authenticator app was removed from your account.',
  passkey_added: 'A passkey was added to your account. You can sign in with it.',
  passkey_removed: 'A passkey was removed from your account.',
  codes_renewed: 'Your account has new recovery codes. The previous ones no longer work.',
  code_used: 'A recovery code was used to sign in to your account. It doesn’t work again.',
  reset: 'Your second factors were removed, so that you can sign in with your password alone. Set up a new one soon.',
} as const
