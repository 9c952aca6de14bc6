import { readEmailTo } from '../../support/read-emails.ts'
import { expectClean, looks } from '../expect-clean.ts'
import { addCompanyWithUser, admin, asAdmin, expect, kim, openAsAdmin, signIn, signOut, test } from '../fixtures.ts'
import { save } from '../settings/settings-steps.ts'
import { AuthenticatorApp, addAppOf, addAppOfAdmin, confirmIdentity, noClock, setUpApp } from './factor-steps.ts'

test.use({ hasServerClock: true })

/** Requires a second factor from the given group of people, at once. */
async function requireSecondFactor(baseURL: string | undefined, second_factor: string) {
  const call = asAdmin(baseURL)
  const { version } = (await call('GET', '/v1/admin/settings')).data.security
  await call('PATCH', '/v1/admin/settings/security', { version, values: { second_factor, second_factor_from: null } })
}

test('sets up an authenticator app, saves the recovery codes, and signs in with a code', async ({ page, serverClock }) => {
  const app = new AuthenticatorApp(serverClock)
  await openAsAdmin(page, '/account')
  const section = page.getByRole('region', { name: 'Second factor' })
  await section.getByRole('button', { name: 'Set up an app' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  await expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  await expect(dialog.getByLabel('Code from the app')).toBeFocused()
  await dialog.getByLabel('Code from the app').fill('000000')
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Code from the app')).toHaveAccessibleDescription(/That code doesn’t match/)
  await app.scan(page)
  await dialog.getByLabel('Code from the app').fill(app.nextCode())
  await page.keyboard.press('Enter')

  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' })
  await expect(codes.getByRole('listitem').filter({ hasText: /^\w{5}-\w{5}$/ })).toHaveCount(10)
  const download = page.waitForEvent('download')
  await codes.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('recovery-codes.txt')
  await page.keyboard.press('Escape')
  await expect(codes.getByRole('group', { name: 'The codes aren’t saved yet.' })).toBeFocused()
  await codes.getByLabel('I have saved them').check()
  await codes.getByRole('button', { name: 'Close' }).click()
  await expect(section).toContainText('10 codes left.')

  await signOut(page)
  await signIn(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Enter your code' })).toBeVisible()
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused()
  await page.keyboard.type('000000')
  await expect(page.getByLabel('Code', { exact: true })).toHaveAccessibleDescription(/This code is wrong or was already used\./)
  await page.keyboard.press('Enter') // some people press it, because they don’t expect the code to be submitted automatically
  await expect(page.getByLabel('Code', { exact: true })).toHaveAccessibleDescription(/This code is wrong or was already used\./)
  await expect(page.getByLabel('Code', { exact: true })).toHaveValue('')
  await page.keyboard.type(app.nextCode()) // six digits are submitted automatically
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto('/account')
  await expect(page.getByRole('row').filter({ hasText: 'This browser' })).toContainText('Password + code from an app')
})

test('shows the second factors once the passkeys above them have loaded or failed to load', { tag: '@slow' }, async ({
  page,
}) => {
  const answered = Promise.withResolvers<void>()
  await page.route('**/v1/identity/passkey', async (route) => {
    await answered.promise
    await route.fulfill({ status: 400, body: '' })
  })
  await openAsAdmin(page, '/account')
  await expect(page.getByRole('region', { name: 'Passkeys' })).toContainText('Loading')
  await expect(page.getByRole('region', { name: 'Second factor' })).toHaveCount(0)
  answered.resolve()
  await expect(page.getByText('The passkeys did not load.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Set up an app' })).toBeVisible()
})

test('signs in with a recovery code, and then without a code until the browser is no longer trusted', { tag: '@slow' }, async ({
  page,
  baseURL,
  serverClock,
}) => {
  const { recoveryCodes } = await addAppOfAdmin(baseURL, serverClock)
  await page.goto('/login')
  await signIn(page)
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click()
  await expect(page.getByLabel('Recovery code')).toBeFocused()
  await page.getByLabel('Recovery code').fill('aaaaa-aaaaa')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Recovery code')).toHaveAccessibleDescription('This recovery code is wrong or was already used.')
  await page.getByLabel('Recovery code').fill(recoveryCodes[0]?.toUpperCase().replace('-', ' ') ?? '')
  await page.getByLabel('Trust this browser for 30 days').check()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)

  await signOut(page)
  await signIn(page)
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto('/account')
  const section = page.getByRole('region', { name: 'Second factor' })
  await expect(section).toContainText('9 codes left.')
  await expect(page.getByRole('row').filter({ hasText: 'This browser' })).toContainText('Password + trusted browser')
  await section.getByRole('button', { name: 'Stop trusting them' }).click()
  await expect(section).toContainText('None. Every new sign-in needs your second factor.')
  await signOut(page)
  await signIn(page)
  await expect(page.getByLabel('Code', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Back to sign-in' }).click()
  await expect(page.getByLabel('E-mail address')).toHaveValue(admin.email)
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
})

test('returns to the first step if the second one takes too long', { tag: '@slow' }, async ({ page, baseURL, serverClock }) => {
  const { app } = await addAppOfAdmin(baseURL, serverClock)
  await page.goto('/login')
  await signIn(page)
  await expect(page.getByLabel('Code', { exact: true })).toBeVisible()
  app.wait(11 * 60_000)
  await page.getByLabel('Code', { exact: true }).fill(app.nextCode())
  await expect(page.getByRole('alert')).toHaveText('This sign-in took too long or is no longer valid. Sign in again.')
  await expect(page.getByLabel('E-mail address')).toHaveValue(admin.email)
})

test('asks for confirmation before a sensitive action, and keeps the input', { tag: '@slow' }, async ({ page, serverClock }) => {
  const replies: number[] = []
  page.on('response', (response) => response.url().endsWith('/v1/token') && replies.push(response.status()))
  await openAsAdmin(page, '/account')
  await page.getByRole('button', { name: 'Create token' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create API token' })
  await dialog.getByLabel('Name').fill('Nightly backup')
  serverClock.setAhead(16 * 60_000)
  await dialog.getByRole('button', { name: 'Create token' }).dblclick()
  const confirmation = page.getByRole('dialog', { name: 'Confirm that it’s you' })
  await expect(confirmation.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  expect(replies.filter((status) => status !== 200)).toEqual([403])
  await expect(dialog.getByRole('group')).toHaveAccessibleName('Nothing was changed, because you didn’t confirm that it’s you.')
  await expect(dialog.getByLabel('Name')).toHaveValue('Nightly backup')

  await dialog.getByRole('button', { name: 'Create token' }).click()
  await confirmIdentity(page, 'not the password')
  await expect(confirmation.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
    'That is not your current password.',
  )
  replies.length = 0
  await confirmIdentity(page)
  await expect(page.getByRole('dialog', { name: 'API token ready' })).toBeVisible()
  await expect.poll(() => replies).toEqual([200, 200]) // the token, and the list of tokens
})

test('confirms with a code from the app', { tag: '@slow' }, async ({ page, baseURL, serverClock }) => {
  const { app } = await addAppOfAdmin(baseURL, serverClock)
  await openAsAdmin(page, '/account')
  const section = page.getByRole('region', { name: 'Second factor' })
  app.wait(16 * 60_000)
  await section.getByRole('button', { name: 'Remove app' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove app' }).click()
  const confirmation = page.getByRole('dialog', { name: 'Confirm that it’s you' })
  await confirmation.getByRole('button', { name: 'Use a code from your app instead' }).click()
  await expect(confirmation.getByLabel('Code from your authenticator app')).toBeFocused()
  await confirmation.getByLabel('Code from your authenticator app').fill(app.nextCode())
  await page.keyboard.press('Enter')
  await expect(page.getByText('Removed your authenticator app.')).toBeVisible()
  await expect(section.getByRole('button', { name: 'Set up an app' })).toBeVisible()
})

test('makes people who need a second factor set one up, and then opens the page they wanted', async ({
  page,
  baseURL,
  serverClock,
}) => {
  await requireSecondFactor(baseURL, 'admins')
  const app = new AuthenticatorApp(serverClock)
  await openAsAdmin(page, '/links')
  await expect(page.getByRole('heading', { level: 1, name: 'Set up a second factor' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Set up an app' }).click()
  await setUpApp(page, app)
  await expect(page).toHaveURL(/\/links$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()
})

test('announces from which day a second factor is required, until the requirement is removed', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  await openAsAdmin(page, '/settings/security')
  await page.getByLabel('Who needs a second factor').selectOption('Everyone who signs in')
  await expect(page.getByText('You don’t have a second factor yourself.')).toBeVisible()
  await page.getByLabel('Required from').fill('2100-01-31')
  await save(page)
  await page.goto('/dashboard')
  const note = page.getByText('From 31 Jan 2100, your organisation requires a second factor.')
  await expect(note).toBeVisible()
  await page.getByRole('link', { name: 'Set one up' }).click()
  await expect(page).toHaveURL(/\/account$/)
  await expect(note).toBeVisible()
  await requireSecondFactor(baseURL, 'nobody')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Set up an app' })).toBeVisible()
  await expect(note).toHaveCount(0)
})

test('removes someone’s second factor once they agree, unless they or an admin cancel the removal', { tag: '@slow' }, async ({
  page,
  baseURL,
  neptune,
  browser,
}) => {
  const { id } = await addCompanyWithUser(baseURL, 'Globex', kim)
  await addAppOf(baseURL, kim, noClock)
  await openAsAdmin(page, `/users/${id}`)
  const section = page.getByRole('region', { name: 'Second factor' })
  const used: string[] = []
  /** Requests the removal, and returns the link in the email about it. */
  const requestRemoval = async () => {
    await section.getByRole('button', { name: 'Remove second factor' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove second factor' }).click()
    await expect(section).toContainText(/It will be removed on .+, or as soon as Kim Doe agrees\./)
    const unused = new RegExp(`/factor-reset/${used.map((token) => `(?!${token})`).join('')}([\\w-]+)`)
    const email = await readEmailTo(neptune.folder, kim.email, unused)
    const [, token = ''] = unused.exec(email?.text ?? '') ?? []
    used.push(token)
    return `/factor-reset/${token}`
  }
  const theirPage = await (await browser.newContext(baseURL ? { baseURL } : {})).newPage()

  await theirPage.goto(await requestRemoval())
  await theirPage.getByRole('button', { name: 'Cancel removal' }).click()
  await expect(theirPage.getByRole('heading', { level: 1, name: 'Removal cancelled' })).toBeVisible()
  await page.reload()
  await expect(section).toContainText('Kim Doe has set up a second factor.')

  const canceledLink = await requestRemoval()
  await section.getByRole('button', { name: 'Cancel removal' }).click()
  await expect(section).toContainText('Kim Doe has set up a second factor.')
  await theirPage.goto(canceledLink)
  await expect(theirPage.getByText('This link no longer works.')).toBeVisible()

  await theirPage.goto(await requestRemoval())
  await expect(theirPage.getByText(kim.email)).toBeVisible()
  await theirPage.getByRole('button', { name: 'Remove now' }).click()
  await expect(theirPage.getByRole('heading', { level: 1, name: 'Second factor removed' })).toBeVisible()
  await theirPage.getByRole('link', { name: 'Sign in' }).click()
  await signIn(theirPage, kim)
  await expect(theirPage).toHaveURL(/\/dashboard$/)
})

for (const { colorScheme, width } of looks) {
  test(`passes axe in the second step, the dialogs and the enrollment: ${colorScheme}, ${width} wide`, { tag: '@slow' }, async ({
    page,
    baseURL,
    serverClock,
  }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    await requireSecondFactor(baseURL, 'everyone')
    const app = new AuthenticatorApp(serverClock)
    await openAsAdmin(page, '/account')
    await expect(page.getByRole('button', { name: 'Set up an app' })).toBeVisible()
    await expectClean(page, 'enrollment')
    app.wait(16 * 60_000)
    await page.getByRole('button', { name: 'Set up an app' }).click()
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
    await expectClean(page, 'confirmation')
    await confirmIdentity(page)
    await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
    await expectClean(page, 'set-up')
    await app.scan(page)
    await page.getByLabel('Code from the app').fill(app.nextCode())
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('I have saved them')).toBeVisible()
    await expectClean(page, 'recovery codes')
    await page.getByLabel('I have saved them').check()
    await page.getByRole('button', { name: 'Close' }).click()
    await expect(page.getByText('10 codes left.')).toBeVisible()
    await expectClean(page, 'account')
    await page.context().clearCookies()
    await page.evaluate(() => sessionStorage.clear())
    await page.goto('/login')
    await signIn(page)
    await expect(page.getByLabel('Code', { exact: true })).toBeVisible()
    await expectClean(page, 'second step')
  })
}
