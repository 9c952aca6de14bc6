import { readEmailTo } from '../../support/read-emails.ts'
import { addCompanyWithUser, admin, asAdmin, expect, kim, openAsAdmin, signIn, signOut } from '../fixtures.ts'
import { addPasskey, Device, hideSuggestions, openSignIn, passkeyButton, saveCodes, test } from './passkey-steps.ts'

test.use({ hasServerClock: true })

const wrongPasskey = 'This passkey can’t be used here. Use another passkey, or a different method.'

test('adds a passkey, saves the recovery codes, and signs in without typing anything', async ({ page }) => {
  await Device.connect(page)
  await hideSuggestions(page)
  await openAsAdmin(page, '/account')
  const section = page.getByRole('region', { name: 'Passkeys' })
  await section.getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await expect(dialog.getByLabel('Name')).toHaveValue(/^Chrome on \w+$/)
  await dialog.getByLabel('Name').fill('Work laptop')
  await page.keyboard.press('Enter')
  expect(await saveCodes(page)).toHaveLength(10)
  await expect(section.getByRole('listitem')).toContainText(/Work laptop.*Never used\./)
  await expect(page.getByText('10 codes left.')).toBeVisible()

  await signOut(page)
  await expect(page.getByLabel('E-mail address')).toBeFocused()
  await passkeyButton(page).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto('/account')
  await expect(section.getByRole('listitem')).toContainText(/Last used .+\./)
  const session = page.getByRole('row').filter({ hasText: 'This browser' })
  await expect(session.getByRole('cell').nth(1)).toHaveText('Passkey')
})

test('signs in with a passkey that the browser suggests', { tag: '@slow' }, async ({ page, context }) => {
  await Device.connect(page)
  await openAsAdmin(page, '/account')
  await addPasskey(page, 'Work laptop')
  await openSignIn(page) // the owner chooses the only suggestion at once
  await expect(page).toHaveURL(/\/dashboard$/)
  expect((await context.cookies()).find(({ name }) => name === '_auth')?.expires).toBe(-1)
})

test('remembers the session of a passkey with Remember me', { tag: '@slow' }, async ({ page, context }) => {
  await Device.connect(page)
  await hideSuggestions(page)
  await openAsAdmin(page, '/account')
  await addPasskey(page, 'Work laptop')
  await openSignIn(page)
  await page.getByLabel('Remember me').check()
  await passkeyButton(page).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  expect((await context.cookies()).find(({ name }) => name === '_auth')?.expires).toBeGreaterThan(Date.now() / 1000)
})

declare global {
  interface Window {
    passkeyRequests?: string[]
  }
}

test('ends the suggestions when the button is pressed', { tag: '@slow' }, async ({ page }) => {
  const device = await Device.connect(page)
  await device.setAnswers(false)
  await page.addInitScript(() => {
    const requests: string[] = []
    window.passkeyRequests = requests
    const get = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = (options) => {
      const { mediation = 'dialog', signal } = options ?? {}
      requests.push(mediation)
      signal?.addEventListener('abort', () => requests.push(`end ${mediation}`))
      return get(options)
    }
  })
  await page.goto('/login')
  await expect(page.getByLabel('E-mail address')).toHaveAttribute('autocomplete', 'username webauthn')
  const readRequests = () => page.evaluate(() => window.passkeyRequests)
  await expect.poll(readRequests).toEqual(['conditional'])
  await passkeyButton(page).dblclick()
  await expect.poll(readRequests).toEqual(['conditional', 'end conditional', 'dialog'])
  await expect(passkeyButton(page)).toHaveAttribute('aria-busy', 'true')
})

test('renews its suggestions before they expire, and ends them once the password is accepted', { tag: '@slow' }, async ({
  page,
  serverClock,
}) => {
  const device = await Device.connect(page)
  await openAsAdmin(page, '/account')
  await addPasskey(page, 'Work laptop')
  await device.setAnswers(false)
  await page.clock.install()
  const options = page.waitForResponse('**/v1/identity/passkey/options')
  await openSignIn(page)
  await (await options).finished()
  await page.route('**/v1/identity/passkey/options', async (route) => {
    serverClock.setAhead(11 * 60_000)
    await device.setAnswers(true)
    await route.continue()
  })
  // The timer starts shortly after the reply, so the clock may have to move more than once.
  await expect(async () => {
    await page.clock.fastForward(9 * 60_000)
    await expect(page).toHaveURL(/\/dashboard$/, { timeout: 1000 })
  }).toPass()

  await page.unrouteAll()
  await device.setAnswers(false)
  await openSignIn(page)
  await signIn(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Use your passkey' })).toBeVisible()
  await device.setAnswers(true)
  await page.getByRole('button', { name: 'Use a passkey' }).click() // would fail if the request for suggestions were still pending
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('adds a passkey on a second device, renames it, and signs in with it, but not with the first one, which was removed', {
  tag: '@slow',
}, async ({ page }) => {
  const laptop = await Device.connect(page)
  await hideSuggestions(page)
  await openAsAdmin(page, '/account')
  await addPasskey(page, 'Laptop')
  const section = page.getByRole('region', { name: 'Passkeys' })
  await section.getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('group')).toHaveAccessibleName(
    'This device already has a passkey for your account. Use that one, or store the new one elsewhere.',
  )
  const laptopPasskey = await laptop.read()
  await laptop.disconnect()
  const phone = await Device.connect(page, 'usb')
  await dialog.getByRole('button', { name: 'Continue' }).dblclick()
  await expect(dialog).toHaveCount(0)
  await expect(section.getByRole('listitem')).toHaveCount(2)

  await section.getByRole('button', { name: /^Rename Chrome on/ }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Phone')
  await page.keyboard.press('Enter')
  await expect(section.getByRole('listitem').first()).toContainText('Phone')
  await section.getByRole('button', { name: 'Remove Laptop' }).click()
  const removal = page.getByRole('dialog', { name: 'Remove the passkey “Laptop”?' })
  await expect(removal).toHaveAccessibleDescription(/^You won’t be able to sign in with it\./)
  await removal.getByRole('button', { name: 'Remove passkey' }).click()
  await expect(section.getByRole('listitem')).toHaveCount(1)

  await openSignIn(page)
  await passkeyButton(page).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await phone.disconnect()
  const oldLaptop = await Device.connect(page)
  await oldLaptop.store(laptopPasskey)
  await openSignIn(page)
  await passkeyButton(page).click()
  await expect(page.getByRole('alert')).toHaveText(wrongPasskey)
})

test('says what removing the last second factor means', { tag: '@slow' }, async ({ page }) => {
  await Device.connect(page)
  await openAsAdmin(page, '/account')
  await addPasskey(page, 'Laptop')
  await page.getByRole('button', { name: 'Remove Laptop' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove the passkey “Laptop”?' })
  await expect(dialog).toHaveAccessibleDescription(/It is your last second factor: .+ your recovery codes stop working\./)
  await dialog.getByRole('button', { name: 'Remove passkey' }).click()
  await expect(page.getByText('Removed the passkey “Laptop”.')).toBeVisible()
  await expect(page.getByText('10 codes left.')).toHaveCount(0)
})

test('refuses a copied passkey, and notifies its owner', { tag: '@slow' }, async ({ page, neptune }) => {
  const device = await Device.connect(page)
  await hideSuggestions(page)
  await openAsAdmin(page, '/account')
  await addPasskey(page, 'Work laptop')
  const copy = await device.read()
  await openSignIn(page)
  await passkeyButton(page).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await device.store(copy) // resets its signature counter
  await openSignIn(page)
  await passkeyButton(page).click()
  await expect(page.getByRole('alert')).toHaveText(wrongPasskey)
  await readEmailTo(neptune.folder, admin.email, /Work laptop/)

  await openAsAdmin(page, '/activity')
  const entry = page.getByRole('row').filter({ hasText: 'Refused a passkey that may be a copy' })
  await expect(entry).toContainText('Passkey “Work laptop”')
  await expect(page.getByRole('row').filter({ hasText: 'Added a second factor' })).toContainText('Passkey “Work laptop”')
})

test('shows no error if someone cancels, and refuses the passkey of someone who was suspended', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const { id } = await addCompanyWithUser(baseURL, 'Globex', kim)
  const device = await Device.connect(page)
  await hideSuggestions(page)
  await page.goto('/login')
  await signIn(page, kim)
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto('/account')
  await device.setUserVerified(false)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill('Phone')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('button', { name: 'Continue' })).toBeEnabled()
  await expect(dialog.getByRole('group')).toHaveCount(0)
  await expect(dialog.getByLabel('Name')).toHaveValue('Phone')
  await device.setUserVerified(true)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await saveCodes(page)

  await openSignIn(page)
  await device.setUserVerified(false)
  await passkeyButton(page).click()
  await expect(passkeyButton(page)).toBeEnabled()
  await expect(page.getByRole('alert')).toHaveCount(0)

  await asAdmin(baseURL)('POST', `/v1/admin/user/${id}/suspend`, {})
  await device.setUserVerified(true)
  await passkeyButton(page).click()
  await expect(page.getByRole('alert')).toHaveText(wrongPasskey)
})

test('reports a sign-in that took too long', { tag: '@slow' }, async ({ page, serverClock }) => {
  await Device.connect(page)
  await hideSuggestions(page)
  await openAsAdmin(page, '/account')
  await addPasskey(page, 'Work laptop')
  await openSignIn(page)
  await page.route('**/v1/identity/passkey/sign-in', (route) => {
    serverClock.setAhead(11 * 60_000)
    return route.continue()
  })
  await passkeyButton(page).click()
  await expect(page.getByRole('alert')).toHaveText('This sign-in took too long or is no longer valid. Sign in again.')
})
