import type { ProviderRules } from '@neptune/contract'
import type { Page } from '@playwright/test'
import { clientSecret, signToken, startProvider } from '../../../server/src/features/provider/testing-provider.ts'
import { asAdmin, test as base, expect } from '../fixtures.ts'

type IdentityProvider = Awaited<ReturnType<typeof startProvider>>

/** Starts a real provider, which Neptune doesn’t know yet. Its host name differs from Neptune’s, so that it has its own cookies. */
export const test = base.extend<{ provider: IdentityProvider }>({
  provider: async ({ neptune }, use) => {
    const provider = await startProvider({ publicUrl: neptune.url, host: 'localhost' })
    await use(provider)
    await provider.stop()
  },
})

export const providerName = 'Acme login'

/** Returns rules that let everyone with an address at acme.example sign in, as users of the company. */
const makeOpenRules = (company: string): Partial<ProviderRules> => ({
  domains: ['acme.example'],
  create: { company, role: 'NEPTUNE_USER', access: 'own' },
})

/** Adds the provider to Neptune. `rules` is called with the id of the admin’s company. */
export async function addProvider(
  baseURL: string | undefined,
  { issuer }: Pick<IdentityProvider, 'issuer'>,
  rules: (company: string) => Partial<ProviderRules> = makeOpenRules,
): Promise<{ id: string; version: number }> {
  const call = asAdmin(baseURL)
  const { company } = (await call('GET', '/v1/identity')).data
  const none = { domains: [], trust_email: false, create: null, claim: null, second_factor: 'neptune' }
  const body = {
    name: providerName,
    issuer,
    client_id: 'neptune',
    client_secret: clientSecret,
    rules: { ...none, ...rules(company) },
  }
  return (await call('POST', '/v1/admin/provider', body)).data
}

/** Presses the button of the provider on the login page. */
export const signInAtProvider = (page: Page) => page.getByRole('button', { name: `Sign in with ${providerName}` }).click()

export const expectDashboard = (page: Page) => expect(page).toHaveURL(/\/dashboard$/)

/** Presses the button of the provider’s own page that signs people out. */
export const signOutThere = (page: Page) => page.getByRole('button', { name: 'Yes, sign me out' }).click()

/** Makes the provider report that the person signed in there 20 minutes ago, as with a session that was already open. */
export function pretendOpenSession(provider: IdentityProvider) {
  provider.tamper = (reply) => {
    const claims = JSON.parse(Buffer.from(reply.id_token.split('.')[1] ?? '', 'base64url').toString())
    return { ...reply, id_token: signToken({ ...claims, auth_time: claims.auth_time - 20 * 60 }) }
  }
}
