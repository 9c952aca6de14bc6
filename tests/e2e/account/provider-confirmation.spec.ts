import { kim } from '../../../server/src/features/provider/testing-provider.ts'
import { asAdmin, expect } from '../fixtures.ts'
import { addProvider, expectDashboard, pretendOpenSession, providerName, signInAtProvider, test } from './provider-steps.ts'

test('confirms a sensitive action in another window, and keeps what was entered and “Remember me”', { tag: '@slow' }, async ({
  page,
  baseURL,
  provider,
  context,
}) => {
  await addProvider(baseURL, provider)
  pretendOpenSession(provider)
  const expectRemembered = async () => {
    const session = (await context.cookies()).find(({ name }) => name === '_auth')
    expect(session?.expires).toBeGreaterThan(Date.now() / 1000 + 24 * 60 * 60)
  }
  await page.goto('/account')
  await page.getByLabel('Remember me').check()
  await signInAtProvider(page)
  await page.getByRole('button', { name: 'Create token' }).click()
  await expectRemembered()
  const dialog = page.getByRole('dialog', { name: 'Create API token' })
  await dialog.getByLabel('Name').fill('Nightly backup')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const confirmation = page.getByRole('dialog', { name: 'Confirm that it’s you' })
  const confirm = async () => {
    const opening = page.waitForEvent('popup')
    await confirmation.getByRole('button', { name: `Confirm with ${providerName}` }).click()
    return opening
  }
  provider.tamper = undefined
  provider.person = { ...kim, willCancel: true }
  const failed = await confirm()
  await expect(confirmation.getByRole('alert')).toContainText('Signing in was cancelled at the provider.')
  await expect(failed.getByRole('heading', { level: 1, name: 'That didn’t work.' })).toBeVisible()
  await failed.close()
  provider.person = kim
  await confirm()
  await expect(page.getByRole('dialog', { name: 'API token ready' })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expectRemembered()
  await page.reload()
  await expect(page.getByRole('region', { name: 'Sessions' }).getByRole('row').filter({ hasText: 'Single sign-on' })).toHaveCount(
    1,
  )
})

test('rejects a confirmation with someone else’s account', { tag: '@slow' }, async ({ page, baseURL, provider, browser }) => {
  await addProvider(baseURL, provider)
  const other = await browser.newContext(baseURL ? { baseURL } : {})
  const otherPage = await other.newPage()
  provider.person = { sub: 'lee', email: 'lee@acme.example', email_verified: true, name: 'Lee' }
  await otherPage.goto('/login')
  await signInAtProvider(otherPage)
  await expectDashboard(otherPage)
  provider.person = kim
  pretendOpenSession(provider)
  await page.goto('/account')
  await signInAtProvider(page)
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Nightly backup')
  await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click()
  provider.tamper = undefined
  provider.person = { sub: 'lee', email: 'lee@acme.example', email_verified: true, name: 'Lee' }
  await page.getByRole('button', { name: `Confirm with ${providerName}` }).click()
  await expect(page.getByRole('alert')).toContainText('You signed in there as someone else.')
  const { data } = await asAdmin(baseURL)('GET', '/v1/admin/user?search=kim')
  expect((await asAdmin(baseURL)('GET', `/v1/activity?action=token.created&person=${data[0].id}`)).data).toEqual([])
})
