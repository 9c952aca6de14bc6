import { kim } from '../../../server/src/features/provider/testing-provider.ts'
import { measureShifts } from '../access/brand-steps.ts'
import { expectClean, looks } from '../expect-clean.ts'
import { admin, asAdmin, expect, openAsAdmin, signIn, signOut } from '../fixtures.ts'
import { addAppOf, noClock } from './factor-steps.ts'
import {
  addProvider,
  expectDashboard,
  pretendOpenSession,
  providerName,
  signInAtProvider,
  signOutThere,
  test,
} from './provider-steps.ts'

/** The admin’s account at the provider. */
const adminThere = { sub: 'admin', email: admin.email, email_verified: true, name: 'Admin' }

test('signs someone in for the first time, returns them to the page they wanted, and signs them out at the provider', async ({
  page,
  baseURL,
  provider,
}) => {
  await addProvider(baseURL, provider)
  await page.goto('/links')
  await signInAtProvider(page)
  await expect(page).toHaveURL(/\/links$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()
  await page.goto('/account')
  await expect(page.getByRole('row').filter({ hasText: 'This browser' })).toContainText('Single sign-on')
  await expect(page.getByRole('region', { name: 'Connected accounts' })).toContainText(
    /kim@acme\.example · Last used (just now|\d+ min ago)/,
  )

  await page.getByRole('button', { name: /Kim Doe/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/^http:\/\/localhost:.*\/session\/end/)
  await signOutThere(page)
  await expect(page).toHaveURL(/\/login/)
  await signInAtProvider(page)
  await expectDashboard(page)
})

test('asks before it connects an account to an existing user', { tag: '@slow' }, async ({ page, baseURL, provider }) => {
  await addProvider(baseURL, provider)
  provider.person = adminThere
  await page.goto('/links')
  await signInAtProvider(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Connect your account?' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(`You signed in at ${providerName} as ${admin.email}.`)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('E-mail address')).toBeVisible()
  await signInAtProvider(page)
  await page.getByRole('button', { name: 'Connect and sign in' }).dblclick()
  await expect(page).toHaveURL(/\/links$/)
  await signOut(page)
  await signOutThere(page)
  await signInAtProvider(page)
  await expectDashboard(page)
})

test('requires the password to connect an account whose domain the provider doesn’t manage', { tag: '@slow' }, async ({
  page,
  baseURL,
  provider,
}) => {
  await addProvider(baseURL, provider, () => ({}))
  provider.person = adminThere
  await page.goto('/links')
  await signInAtProvider(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in first' })).toBeVisible()
  await expect(page.getByLabel('E-mail address')).toHaveValue(admin.email)
  await signIn(page, { password: 'wrong' })
  await expect(page.getByRole('alert')).toBeVisible()
  await signIn(page)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page).toHaveURL(/\/links$/)
  await page.goto('/account')
  await expect(page.getByRole('region', { name: 'Connected accounts' })).toContainText(admin.email)
})

test('asks for the second factor, and remembers the page', { tag: '@slow' }, async ({ page, baseURL, provider }) => {
  await addProvider(baseURL, provider)
  provider.person = adminThere
  const { recoveryCodes } = await addAppOf(baseURL, admin, noClock)
  await page.goto('/links')
  await signInAtProvider(page)
  await page.getByRole('button', { name: 'Connect and sign in' }).click()
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click()
  await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/links$/)
  await signOut(page)
  await expect(page).toHaveURL(/\/session\/end/) // an earlier navigation would cancel the request that signs out
  await page.goto('/account')
  await signInAtProvider(page)
  await expect(page.getByLabel('Code', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click()
  await page.getByLabel('Recovery code').fill(recoveryCodes[1] ?? '')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/account$/)
})

test('says why someone can’t sign in, and lets them sign in a different way', { tag: '@slow' }, async ({
  page,
  baseURL,
  provider,
}) => {
  await addProvider(baseURL, provider)
  const expectOutcome = async (text: string) => {
    await signInAtProvider(page)
    await expect(page.getByRole('alert')).toContainText(text)
  }
  await page.goto('/links')
  provider.person = { ...kim, willCancel: true }
  await expectOutcome('Signing in was cancelled at the provider.')
  await expect(page.locator('body')).not.toContainText('The person') // part of the provider’s own message
  provider.person = { ...kim, email_verified: false }
  await expectOutcome('The provider doesn’t confirm your email address')
  provider.person = { ...kim, email: 'kim@elsewhere.example' }
  await expectOutcome('You can’t sign in here with this account.')
  provider.person = kim
  await signInAtProvider(page)
  await expect(page).toHaveURL(/\/links$/)
  const { data } = await asAdmin(baseURL)('GET', '/v1/admin/user?search=kim')
  await asAdmin(baseURL)('POST', `/v1/admin/user/${data[0].id}/suspend`)
  await page.goto('/login')
  await expectOutcome('You can’t sign in here with this account.')
})

test('offers the other ways to sign in while the provider is down', { tag: '@slow' }, async ({ page, baseURL, provider }) => {
  await addProvider(baseURL, provider)
  provider.intercept = (_, reply) => {
    reply.writeHead(503).end()
    return true
  }
  await page.goto('/links')
  await signInAtProvider(page)
  await expect(page.getByRole('alert')).toHaveText(/^The provider can’t be reached right now\./)
  await signIn(page)
  await expect(page).toHaveURL(/\/links$/)
})

test('adds the providers’ buttons without moving the form', { tag: '@slow' }, async ({ page, baseURL, provider }) => {
  await addProvider(baseURL, provider)
  const readShift = await measureShifts(page)
  await page.goto('/login')
  await expect(page.getByRole('button', { name: `Sign in with ${providerName}` })).toBeVisible()
  expect(await readShift()).toBeLessThan(0.02)
})

test('connects another account, and disconnects it unless it is the last way to sign in', { tag: '@slow' }, async ({
  page,
  baseURL,
  provider,
}) => {
  await addProvider(baseURL, provider)
  await openAsAdmin(page, '/account')
  const section = page.getByRole('region', { name: 'Connected accounts' })
  await expect(section).toContainText('None yet.')
  provider.person = { ...kim, willCancel: true }
  await section.getByRole('button', { name: `Connect ${providerName}` }).click()
  await expect(section.getByRole('alert')).toContainText('Signing in was cancelled at the provider.')
  provider.person = { sub: 'private', email: 'admin@home.example', email_verified: false }
  await section.getByRole('button', { name: `Connect ${providerName}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect your account?' })
  await expect(dialog).toContainText(`with admin@home.example at ${providerName}`)
  await dialog.getByRole('button', { name: 'Connect' }).dblclick()
  await expect(page.getByText(`Connected your account at ${providerName}.`)).toBeVisible()
  await expect(page).toHaveURL(/\/account$/)
  await section.getByRole('button', { name: /^Disconnect/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).dblclick()
  await expect(section).toContainText('None yet.')

  await page.context().clearCookies()
  await page.evaluate(() => sessionStorage.clear())
  provider.person = kim
  await page.goto('/account')
  await signInAtProvider(page)
  await section.getByRole('button', { name: /^Disconnect/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByRole('dialog').getByRole('group')).toHaveAccessibleName(
    'This is your only way to sign in. Add a passkey or connect another account first.',
  )
})

test('turns passwords off, even for invited people, but only once an admin has signed in with a provider', {
  tag: '@slow',
}, async ({ page, baseURL, provider }) => {
  const { id } = await addProvider(baseURL, provider)
  await openAsAdmin(page, '/settings/security')
  const setting = page.getByLabel('Signing in with a password', { exact: true })
  await setting.selectOption('Turned off')
  await expect(page.getByText('npx neptune sign-in-link')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(setting).toHaveAccessibleDescription(/no administrator has signed in with an enabled provider yet/)

  provider.person = adminThere
  await page.goto('/account')
  await page.getByRole('button', { name: `Connect ${providerName}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByText(`Connected your account at ${providerName}.`)).toBeVisible()
  await page.context().clearCookies()
  await page.evaluate(() => sessionStorage.clear())
  await page.goto('/settings/security')
  await signInAtProvider(page)
  await setting.selectOption('Turned off')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Your changes are saved and in effect.')).toBeVisible()
  await page.goto('/settings/single-sign-on')
  await page.getByRole('button', { name: `Actions for ${providerName}` }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await expect(page.getByText(/No administrator could sign in any more, because passwords are turned off\./)).toBeVisible()
  expect((await asAdmin(baseURL)('GET', '/v1/admin/provider')).data).toMatchObject([{ id, disabled_at: null }])

  await page.context().clearCookies()
  await page.evaluate(() => sessionStorage.clear())
  await page.goto('/login')
  await expect(page.getByText('Your organisation has turned off passwords. Choose a different way to sign in.')).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0)
  await page.goto('/forgot')
  await expect(page.getByText('Your organisation has turned off passwords.')).toBeVisible()
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await signInAtProvider(page)
  await expectDashboard(page)

  const call = asAdmin(baseURL)
  const { company } = (await call('GET', '/v1/identity')).data
  const invited = { name: kim.name, email: kim.email, company, role: 'NEPTUNE_USER', invite: true }
  const { link } = await call('POST', '/v1/admin/user', invited)
  await page.context().clearCookies()
  await page.evaluate(() => sessionStorage.clear())
  provider.person = kim
  await page.goto(link.url)
  await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0)
  await signInAtProvider(page)
  await expect(page.getByText('Connecting accepts the invitation')).toBeVisible()
  await page.getByRole('button', { name: 'Connect and sign in' }).click()
  await expectDashboard(page)
})

for (const { colorScheme, width } of looks) {
  test(`passes axe on the single sign-on screens: ${colorScheme}, ${width} wide`, { tag: '@slow' }, async ({
    page,
    baseURL,
    provider,
  }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    await addProvider(baseURL, provider)
    await page.goto('/login?sso=unreachable')
    await expect(page.getByRole('button', { name: `Sign in with ${providerName}` })).toBeVisible()
    await expectClean(page, 'login')
    provider.person = adminThere
    pretendOpenSession(provider)
    await signInAtProvider(page)
    await expect(page.getByRole('button', { name: 'Connect and sign in' })).toBeVisible()
    await expectClean(page, 'consent')
    await page.getByRole('button', { name: 'Connect and sign in' }).click()
    await expectDashboard(page)
    await page.goto('/account')
    await expect(page.getByRole('button', { name: /^Disconnect/ })).toBeVisible()
    await expectClean(page, 'account')
    await page.getByRole('button', { name: 'Set up an app' }).click()
    await expect(page.getByRole('button', { name: `Confirm with ${providerName}` })).toBeVisible()
    await expectClean(page, 'confirmation')
    await page.goto('/settings/single-sign-on')
    await expect(page.getByRole('button', { name: `Test: ${providerName}` })).toBeVisible()
    await expectClean(page, 'settings')
  })
}
