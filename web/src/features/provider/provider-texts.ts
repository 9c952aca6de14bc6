import type { ProviderFault, ProviderRules } from '@neptune/contract'
import { ApiError } from '../../api/api-error.ts'
import { type Text, t } from '../../i18n/t.ts'
import type { ProviderDraft } from './provider-draft.ts'

/** The labels of the fields of a provider. */
export const providerLabels = {
  name: 'Name',
  issuer: 'Issuer',
  client_id: 'Client ID',
  client_secret: 'Client secret',
  domains: 'Email domains',
  trust_email: 'Trust addresses if the provider doesn’t say whether they’re verified',
  creates: 'People without an account here',
  create: 'Company, role and access of new users',
  claim: 'Claim',
  values: 'Values of the claim',
  second_factor: 'Second factor at the provider',
} as const satisfies Record<keyof ProviderDraft, Text>

export const secondFactorTexts = {
  neptune: 'Counts if the provider confirms it',
  provider: 'Always counts',
} as const satisfies Record<ProviderRules['second_factor'], Text>

/** What each finding of a test means, and what to do. */
export const faultTexts = {
  unreachable: 'The provider can’t be reached from this server. Check the issuer, and that the server may connect to it.',
  timeout: 'The provider didn’t answer within five seconds.',
  not_found: 'There is no provider configuration at this issuer. Check the address, and whether it must end in a slash.',
  not_discovery: 'The response from this issuer isn’t a provider configuration. Check the address.',
  wrong_issuer: 'The provider states a different issuer. Enter exactly that one.',
  insecure: 'The provider has an address that isn’t encrypted. All of them must start with https://.',
  no_code_flow: 'The provider doesn’t offer the authorization code flow, which Neptune needs.',
  no_pkce: 'The provider doesn’t say that it supports PKCE. Most support it anyway, such as Microsoft Entra ID.',
  no_scopes:
    'The provider doesn’t list all scopes that Neptune needs: openid and email. Allow both for this client at the provider.',
  no_keys: 'The keys of the provider can’t be read, so its replies can’t be checked.',
  wrong_client: 'The provider rejects the client ID or the client secret.',
  clock: 'The clocks of the provider and this server differ. Sign-ins are rejected until both are right.',
} as const satisfies Record<ProviderFault, Text>

/** Says why a provider can’t be disabled or deleted while passwords are turned off. Returns other errors unchanged. */
export const explainLastWayIn = (error: Error): Error =>
  error instanceof ApiError && error.code === 'provider.last_admin'
    ? new ApiError(
        error.code,
        t('No administrator could sign in any more, because passwords are turned off. Turn them on under Security first.'),
      )
    : error
