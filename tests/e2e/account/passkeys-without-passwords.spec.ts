import { startProvider } from '../../../server/src/features/provider/testing-provider.ts'
import { asAdmin, expect } from '../fixtures.ts'
import { addPasskey, Device, hideSuggestions, openSignIn, passkeyButton, test } from './passkey-steps.ts'
import { addProvider, expectDashboard, signInAtProvider } from './provider-steps.ts'

test('remembers the session of a passkey with Remember me, even while passwords are turned off', { tag: '@slow' }, async ({
  page,
  baseURL,
  context,
}) => {
  const provider = await startProvider({ publicUrl: baseURL ?? '' })
  await addProvider(baseURL, provider, (company) => ({
    domains: ['acme.example'],
    create: { company, role: 'NEPTUNE_ADMIN', access: 'own' },
  }))
  await Device.connect(page)
  await hideSuggestions(page)
  await page.goto('/login')
  await signInAtProvider(page)
  await expectDashboard(page)
  await provider.stop()
  await page.goto('/account')
  await addPasskey(page, 'Work laptop')
  const call = asAdmin(baseURL)
  const { version } = (await call('GET', '/v1/admin/settings')).data.security
  await call('PATCH', '/v1/admin/settings/security', { version, values: { password_sign_in: false } })

  await openSignIn(page)
  await page.getByLabel('Remember me').check()
  await passkeyButton(page).click()
  await expectDashboard(page)
  expect((await context.cookies()).find(({ name }) => name === '_auth')?.expires).toBeGreaterThan(Date.now() / 1000)
})
