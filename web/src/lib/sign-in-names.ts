import type { SecondFactor, SignInMethod } from '@neptune/contract'
import { type Text, t, toInlineLabel } from '../i18n/t.ts'

const methodNames = {
  password: 'Password',
  passkey: 'Passkey',
  provider: 'Single sign-on',
  invitation: 'Invitation',
  operator: 'Link from the operator',
} as const satisfies Record<SignInMethod, Text>

const secondFactorNames = {
  totp: 'Code from an app',
  recovery_code: 'Recovery code',
  passkey: 'Passkey',
  trusted_browser: 'Trusted browser',
  provider: 'Second factor of the provider',
} as const satisfies Record<SecondFactor, Text>

export const isSignInMethod = (name: string): name is SignInMethod => Object.hasOwn(methodNames, name)

export const isSecondFactor = (name: string | null): name is SecondFactor =>
  name !== null && Object.hasOwn(secondFactorNames, name)

/** Formats how someone signed in, such as “Password + code from an app”. */
export function formatSignIn(method: SignInMethod, secondFactor: SecondFactor | null): string {
  const name = t(methodNames[method])
  return secondFactor === null ? name : `${name} + ${toInlineLabel(t(secondFactorNames[secondFactor]))}`
}
