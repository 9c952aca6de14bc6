import { clientSecret } from '../../../server/src/features/provider/testing-provider.ts'
import { addProvider, providerName, test } from '../account/provider-steps.ts'
import { asAdmin, expect, openAsAdmin } from '../fixtures.ts'

test('tests a provider, and offers it for sign-in once it is added', { tag: '@slow' }, async ({
  page,
  baseURL,
  provider,
  neptune,
}) => {
  await openAsAdmin(page, '/settings/security')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Single sign-on' }).click()
  await expect(page).toHaveTitle('Single sign-on · Settings · Neptune')
  await expect(page.getByLabel('Redirect URI', { exact: true })).toHaveValue(`${neptune.url}/v1/identity/provider/callback`)
  await page.getByRole('button', { name: 'Add provider' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a provider' })
  await dialog.getByLabel('Name').fill(providerName)
  await dialog.getByLabel('Issuer').fill(`${provider.issuer}/realms/acme`)
  await dialog.getByLabel('Client ID').fill('neptune')
  await dialog.getByLabel('Client secret', { exact: true }).fill('wrong')
  await dialog.getByRole('button', { name: 'Test' }).click()
  await expect(dialog.getByText('Error: There is no provider configuration at this issuer.')).toBeVisible()
  await dialog.getByLabel('Issuer').fill(provider.issuer)
  await expect(dialog.getByText('There is no provider configuration at this issuer.')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Test' }).click()
  await expect(dialog.getByText('The provider rejects the client ID or the client secret.')).toHaveText(/^Error: /)
  await dialog.getByLabel('Client secret', { exact: true }).fill(clientSecret)
  await dialog.getByRole('button', { name: 'Test' }).click()
  await expect(dialog.getByText('No problems found.')).toBeVisible()

  await dialog.getByLabel('Email domains').fill('acme')
  await dialog.getByLabel('People without an account here').selectOption({ index: 1 })
  await dialog.getByRole('button', { name: 'Add provider' }).click()
  await expect(dialog.getByLabel('Email domains')).toHaveAccessibleDescription(/“acme” isn’t a domain/)
  await expect(dialog.getByLabel('Company')).toHaveAccessibleDescription('Choose a company.')
  await dialog.getByLabel('Email domains').fill('@acme.example, acme.test')
  await dialog.getByLabel('Company').selectOption({ label: 'New company…' })
  const company = page.getByRole('dialog', { name: 'Create company' })
  await company.getByLabel('Name').fill('Acme staff')
  await company.getByRole('button', { name: 'Create company' }).click()
  await expect(dialog.getByLabel('Company').locator('option:checked')).toHaveText('Acme staff')
  await dialog.getByRole('button', { name: 'Add provider' }).dblclick()
  await expect(page.getByText(`Added ${providerName}.`)).toBeVisible()
  const item = page.getByRole('listitem', { name: providerName })
  await expect(item).toContainText('Nobody has signed in with it yet.')
  await expect(item.getByLabel('Back-channel logout URI', { exact: true })).toHaveValue(
    /\/v1\/identity\/provider\/[\w-]+\/logout$/,
  )
  const { data } = await asAdmin(baseURL)('GET', '/v1/admin/provider')
  expect(data).toMatchObject([
    {
      rules: { domains: ['acme.example', 'acme.test'], create: { role: 'NEPTUNE_USER', access: 'own' } },
      client_secret: '••••••••',
    },
  ])
  const { providers } = (await asAdmin(baseURL)('GET', '/v1/identity/provider')).data
  expect(providers).toMatchObject([{ name: providerName }])
})

test('keeps the edits of two admins, and the saved secret', { tag: '@slow' }, async ({ page, baseURL, provider }) => {
  const { id } = await addProvider(baseURL, provider)
  const call = asAdmin(baseURL)
  await openAsAdmin(page, '/settings/single-sign-on')
  await page.getByRole('button', { name: `Edit: ${providerName}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email domains').fill('acme.example\nacme.test')
  await call('PATCH', `/v1/admin/provider/${id}`, { version: 1, name: 'Acme accounts' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Someone else has changed these settings in the meantime.')
  await expect(dialog.getByLabel('Name')).toHaveValue('Acme accounts')
  await expect(dialog.getByLabel('Email domains')).toHaveValue('acme.example\nacme.test')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved the changes to Acme accounts.')).toBeVisible()
  const { data } = await call('GET', '/v1/admin/provider')
  expect(data).toMatchObject([{ name: 'Acme accounts', rules: { domains: ['acme.example', 'acme.test'] }, version: 3 }])
  await page.getByRole('button', { name: 'Test: Acme accounts' }).click()
  await expect(page.getByText('No problems found.')).toBeVisible() // the secret is still there
})

test('assigns rights by group', { tag: '@slow' }, async ({ page, baseURL, provider }) => {
  await addProvider(baseURL, provider, () => ({}))
  await openAsAdmin(page, '/settings/single-sign-on')
  await page.getByRole('button', { name: `Edit: ${providerName}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Rights by group' }).click()
  await dialog.getByLabel('Claim').fill('groups')
  await dialog.getByRole('button', { name: 'Add value' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByLabel('Value', { exact: true })).toHaveAccessibleDescription('Enter a value.')
  await dialog.getByLabel('Value', { exact: true }).fill('admins')
  await dialog.getByLabel('Company').selectOption({ index: 1 })
  await dialog.getByLabel('Role').selectOption('Admin')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`Saved the changes to ${providerName}.`)).toBeVisible()
  provider.person = { sub: 'ada', email: 'ada@elsewhere.example', email_verified: true, name: 'Ada', groups: ['admins'] }
  await page.context().clearCookies()
  await page.evaluate(() => sessionStorage.clear())
  await page.goto('/settings/single-sign-on')
  await page.getByRole('button', { name: `Sign in with ${providerName}` }).click()
  await expect(page.getByRole('listitem', { name: providerName })).toContainText(/Last used (just now|\d+ min ago)/)
})

test('disables, enables and deletes a provider', { tag: '@slow' }, async ({ page, baseURL, provider }) => {
  await addProvider(baseURL, provider)
  await openAsAdmin(page, '/settings/single-sign-on')
  const item = page.getByRole('listitem', { name: providerName })
  const choose = async (name: string) => {
    await item.getByRole('button', { name: `Actions for ${providerName}` }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Disable')
  await expect(item.getByText('Disabled')).toBeVisible()
  expect((await asAdmin(baseURL)('GET', '/v1/identity/provider')).data.providers).toEqual([])
  await choose('Enable')
  await expect(item.getByText('Enabled')).toBeVisible()
  await choose('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete provider' }).dblclick()
  await expect(page.getByText(`Deleted ${providerName}.`)).toBeVisible()
  await expect(page.getByText('No provider yet.')).toBeVisible()
})

test.describe('a provider in the environment', () => {
  const rules = { domains: ['acme.example'] }
  const acme = { id: 'acme', name: 'Acme', issuer: 'https://id.acme.example', client_id: 'neptune', client_secret: 'x', rules }
  test.use({ settings: { OIDC_PROVIDERS: JSON.stringify([acme]) } })

  test('is shown with its variable, and can’t be changed', { tag: '@slow' }, async ({ page }) => {
    await openAsAdmin(page, '/settings/single-sign-on')
    const item = page.getByRole('listitem', { name: 'Acme' })
    await expect(item).toContainText('Set by the operator (OIDC_PROVIDERS).')
    await expect(item.getByRole('button', { name: /^Edit/ })).toHaveCount(0)
    await expect(item.getByRole('button', { name: /^Actions/ })).toHaveCount(0)
  })
})
