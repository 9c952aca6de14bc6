import { parseUserAgent } from '@neptune/contract'
import type { Localizer } from '../localizer.ts'
import { defuseAddresses } from '../plain-text.ts'
import { joinSentences, type WriteEmail } from './email-body.ts'

/** What has changed about how a user signs in. */
export type FactorChange =
  | 'totp_added'
  | 'totp_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'codes_renewed'
  | 'code_used'
  | 'provider_added'
  | 'provider_removed'
  | 'reset'

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
            t(
              'If it wasn’t, end the session on your account page, tell an administrator and, if you have a password, choose a new one.',
            ),
          ),
        ],
        action: { label: t('Open your account'), url },
      }
    },

  factorChanged:
    ({ name, change, url }: { name: string; change: FactorChange; url: string }): WriteEmail =>
    (localizer) => {
      const { t, organisation } = localizer
      return {
        subject:
          change === 'code_used'
            ? t('A recovery code was used for your account at {organisation}', { organisation })
            : t('How you sign in to {organisation} has changed', { organisation }),
        readerName: name,
        paragraphs: [
          describeChange(localizer)[change],
          joinSentences(
            t('If this was you, there’s nothing to do.'),
            t('If it wasn’t, tell an administrator right away and, if you have a password, choose a new one.'),
          ),
        ],
        action: { label: t('Open your account'), url },
      }
    },

  passkeyCopied:
    ({ name, passkey, url }: { name: string; passkey: string; url: string }): WriteEmail =>
    ({ t, organisation }) => ({
      subject: t('A passkey for your account at {organisation} was refused', { organisation }),
      readerName: name,
      paragraphs: [
        t('Someone used your passkey “{passkey}”. It was refused, because its counter shows that there may be a copy of it.', {
          passkey: defuseAddresses(passkey),
        }),
        joinSentences(
          t('If this was you, remove this passkey on your account page and add it again.'),
          t('If it wasn’t, remove it right away and tell an administrator.'),
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
          t('{sender} is removing the second factor of your account at {organisation}.', {
            sender: sender ?? t('An administrator'),
            organisation,
          }),
          t('It will be removed on {time}. You can also remove it now.', { time: formatTime(dueAt) }),
          t('You’ll then sign in without a second factor. Your passkeys will be removed, too.'),
        ),
        t('If you didn’t ask for this, cancel the removal now. Someone else may be trying to sign in as you.'),
      ],
      action: { label: t('Remove it now or cancel'), url },
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
  const name =
    browser && system
      ? t('{browser} on {system}', { browser, system })
      : (browser ?? defuseAddresses(agent.slice(0, maxAgentLength)))
  return [name || t('Unknown browser'), client, formatTime(at)].join(', ')
}

const describeChange = ({ t }: Localizer): Record<FactorChange, string> => ({
  totp_added: t('An authenticator app was added to your account. You can use its codes as a second factor.'),
  totp_removed: t('The authenticator app was removed from your account.'),
  passkey_added: t('A passkey was added to your account. You can sign in with it.'),
  passkey_removed: t('A passkey was removed from your account.'),
  codes_renewed: t('Your account has new recovery codes. The previous ones no longer work.'),
  code_used: t('A recovery code was used to sign in to your account. It can’t be used again.'),
  provider_added: t('An account at another service was connected to your account. You can sign in with it.'),
  provider_removed: t('An account at another service was disconnected from your account. You can no longer sign in with it.'),
  reset: t('Your second factors and passkeys were removed. You can now sign in without a second factor. Set up a new one soon.'),
})
