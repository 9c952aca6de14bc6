import { expectClean, looks } from '../expect-clean.ts'
import { asAdmin, expect, openAsAdmin, signIn } from '../fixtures.ts'
import { addPasskey, Device, openSignIn, passkeyButton, saveCodes, test } from './passkey-steps.ts'

test.use({ hasServerClock: true })

test('completes a sign-in with a passkey after the password, also after switching to a recovery code and back', {
  tag: '@slow',
}, async ({ page }) => {
  const device = await Device.connect(page)
  await openAsAdmin(page, '/account')
  const codes = await addPasskey(page, 'Work laptop')
  await device.setAnswers(false)
  await openSignIn(page)
  await signIn(page)
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeFocused()
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click()
  await page.getByLabel('Recovery code').fill(codes[0] ?? '')
  await page.getByRole('button', { name: 'Use a passkey instead' }).click()
  await page.getByLabel('Trust this browser for 30 days').check()
  await device.setAnswers(true)
  await page.getByRole('button', { name: 'Use a passkey' }).dblclick()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto('/account')
  await expect(page.getByRole('row').filter({ hasText: 'This browser' })).toContainText('Password + passkey')
  await expect(page.getByText('In 1 browser, you sign in without your second factor.')).toBeVisible()
})

test('confirms who you are with a passkey', { tag: '@slow' }, async ({ page, serverClock }) => {
  const device = await Device.connect(page)
  await openAsAdmin(page, '/account')
  await addPasskey(page, 'Work laptop')
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Nightly backup')
  serverClock.setAhead(16 * 60_000)
  await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click()
  const confirmation = page.getByRole('dialog', { name: 'Confirm that it’s you' })
  await device.setUserVerified(false)
  await confirmation.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(confirmation.getByRole('button', { name: 'Use a passkey' })).toBeEnabled()
  await expect(confirmation.getByRole('alert')).toHaveCount(0)
  await device.setUserVerified(true)
  await confirmation.getByRole('button', { name: 'Use a passkey' }).dblclick()
  await expect(page.getByRole('dialog', { name: 'API token ready' })).toBeVisible()
  await page.goto('/activity')
  await expect(page.getByRole('row').filter({ hasText: 'Confirmed' }).first()).toContainText('Passkey')
})

/** Requires a second factor of everyone. */
async function requireSecondFactor(baseURL: string | undefined) {
  const call = asAdmin(baseURL)
  const { version } = (await call('GET', '/v1/admin/settings')).data.security
  await call('PATCH', '/v1/admin/settings/security', { version, values: { second_factor: 'everyone' } })
}

test('lets people who need a second factor add a passkey', { tag: '@slow' }, async ({ page, baseURL }) => {
  await requireSecondFactor(baseURL)
  await Device.connect(page)
  await openAsAdmin(page, '/links')
  await expect(page.getByRole('heading', { level: 1, name: 'Set up a second factor' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Set up an app' })).toBeVisible()
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await saveCodes(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()
})

for (const { colorScheme, width } of looks) {
  test(`passes axe where people use passkeys: ${colorScheme}, ${width} wide`, { tag: '@slow' }, async ({
    page,
    baseURL,
    serverClock,
  }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    const device = await Device.connect(page)
    await requireSecondFactor(baseURL)
    await openAsAdmin(page, '/account')
    await expect(page.getByRole('button', { name: 'Add passkey' })).toBeVisible()
    await expectClean(page, 'enrollment')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await expectClean(page, 'name')
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    await saveCodes(page)
    await expect(page.getByRole('button', { name: /^Remove Chrome on/ })).toBeVisible()
    await expectClean(page, 'account')
    serverClock.setAhead(16 * 60_000)
    await page.getByRole('button', { name: /^Remove Chrome on/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click()
    await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeVisible()
    await expectClean(page, 'confirmation')
    await device.setAnswers(false)
    await openSignIn(page)
    await expect(passkeyButton(page)).toBeVisible()
    await expectClean(page, 'sign-in')
    await signIn(page)
    await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeVisible()
    await expectClean(page, 'second step')
  })
}
