import type { Page } from '@playwright/test'
import { readLetters } from '../support/read-letters.ts'
import { expectClean, moreLooks } from './expect-clean.ts'
import { addUser, admin, expect, kim, openAsAdmin, signIn, test } from './fixtures.ts'

const another = 'one more long password'
const changed = 'Your password has been changed. Sign in with the new one.'

test('a forgotten password is replaced by the link of a mail, once', async ({ page, neptune }) => {
  await page.goto('/login')
  await page.getByLabel('E-mail address').fill(admin.email)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page).toHaveURL(/\/forgot$/)
  await expect(page).toHaveTitle('Forgot your password? · Neptune')
  await expect(page.getByLabel('E-mail address')).toHaveValue(admin.email)
  await page.getByRole('button', { name: 'Send mail' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'is on its way' })).toBeFocused()

  const [letter] = await readLetters(neptune.folder, 1)
  expect(letter).toMatchObject({ to: admin.email, subject: 'Choose a new password' })
  const link = linkIn(letter?.text)
  await page.goto(link)
  await expect(page).toHaveTitle('Choose a new password · Neptune')
  await expect(page.getByLabel('E-mail address')).toHaveValue(admin.email)
  const password = page.getByLabel('New password', { exact: true })
  const send = page.getByRole('button', { name: 'Set password' })
  await expect(password).toBeFocused()
  await password.fill('short')
  await send.click()
  await expect(password).toBeFocused()
  await expect(password).toHaveAttribute('aria-invalid', 'true')
  await expect(password).toHaveAccessibleDescription('At least 12 characters: 7 more.')
  await password.fill('administrator1')
  await expect(password).toHaveAccessibleDescription(
    'Long enough, as long as it isn’t easy to guess. Several unrelated words work best.',
  )
  await send.click()
  await expect(password).toHaveAttribute('aria-invalid', 'true')
  await expect(password).toBeFocused()
  await password.fill(another)
  await send.click()

  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('status').filter({ hasText: changed })).toBeVisible()
  await expect(page.getByLabel('E-mail address')).toHaveValue(admin.email)
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await signIn(page)
  await expect(page.getByRole('alert')).toHaveText(/^Incorrect email or password/)
  await signIn(page, { password: another })
  await expect(page).toHaveURL(/\/dashboard$/)
  expect((await readLetters(neptune.folder, 2))[1]).toMatchObject({ to: admin.email, subject: 'Your password was changed' })

  await page.goBack()
  await expect(page).not.toHaveURL(/\/reset\//)
  await page.goto(link)
  await expect(page.getByRole('status').filter({ hasText: 'This link has already been used' })).toBeVisible()
  await page.getByRole('link', { name: 'Request a new email' }).click()
  await expect(page).toHaveURL(/\/forgot$/)
})

test('a link that is no good leads to sign-in, too', async ({ page }) => {
  await page.goto('/reset/half-a-link')
  await expect(page.getByText('This link has already been used, is more than an hour old, or is incomplete.')).toBeVisible()
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('an address nobody has gets the same screen, and another can be tried', async ({ page }) => {
  await page.goto('/forgot')
  const askFor = async (email: string) => {
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Send mail' }).click()
    await expect(page.getByText(email)).toBeVisible()
    return (await page.getByRole('main').innerText()).replace(email, '…')
  }
  const known = await askFor(admin.email)
  await page.getByRole('button', { name: 'Use a different address' }).click()
  await expect(page.getByLabel('E-mail address')).toBeFocused()
  await expect(page.getByLabel('E-mail address')).toHaveValue(admin.email)
  expect(await askFor('nobody@acme.example')).toBe(known)
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('what is wrong with the address stands under it, and too many tries say when to try again', async ({ page, request }) => {
  await page.goto('/forgot')
  let calls = 0
  page.on('request', (sent) => sent.method() === 'POST' && calls++)
  const email = page.getByLabel('E-mail address')
  const send = page.getByRole('button', { name: 'Send mail' })
  await send.click()
  await expect(email).toHaveAccessibleDescription('Enter your e-mail address.')
  await expect(email).toBeFocused()
  expect(calls).toBe(0)
  await email.fill('Kim <kim@acme.example>')
  await send.click()
  await expect(email).toHaveAccessibleDescription(/must be an e-mail address/)

  let refused = false
  for (let i = 0; i < 50 && !refused; i++) {
    refused = (await request.post('/v1/identity/forgot', { data: { email: admin.email } })).status() === 429
  }
  await email.fill(admin.email)
  await send.click()
  await expect(page.getByRole('alert')).toHaveText(/Too many attempts\. Try again in \d+ (minute|second)s?\./)
})

test('a new password ends the session this browser holds', async ({ page, neptune }) => {
  await openAsAdmin(page, '/links')
  await expect(page.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()
  await page.goto(await askForLink(page, neptune.folder))
  await setPassword(page)
  await expect(page.getByText(changed)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

for (const where of ['this tab', 'another tab'] as const) {
  test(`a new password leaves somebody else signed in who uses the browser in ${where}, and says so`, async ({
    page,
    context,
    neptune,
    baseURL,
  }) => {
    await addUser(baseURL, 'Globex', kim)
    await page.goto('/login')
    await signIn(page, kim)
    await expect(page).toHaveURL(/\/dashboard$/)
    const tab = where === 'this tab' ? page : await context.newPage()
    await tab.goto(await askForLink(tab, neptune.folder))
    await setPassword(tab)
    const note = tab.getByRole('status').filter({ hasText: `The password for ${admin.email} has been changed.` })
    await expect(note).toBeFocused()
    await expect(note).toContainText(`This browser is still signed in as ${kim.name}, ${kim.email}.`)
    await expect(tab.getByRole('heading', { level: 1, name: 'Password changed' })).toBeVisible()
    await expectClean(tab, 'the password is changed, and somebody else is signed in')
    await tab.getByRole('link', { name: 'Go to the dashboard' }).click()
    await expect(tab).toHaveURL(/\/dashboard$/)
    await expect(tab.getByRole('button', { name: 'Account of Kim Doe' })).toBeVisible()
  })
}

test('a link that is used elsewhere while it is open says so, and so does half a link', async ({ page, neptune }) => {
  const link = await askForLink(page, neptune.folder)
  await page.goto(link)
  await expect(page.getByLabel('New password', { exact: true })).toBeVisible()
  const other = await page.context().newPage()
  await other.goto(link)
  await setPassword(other)
  await expect(other).toHaveURL(/\/login$/)
  await page.getByLabel('New password', { exact: true }).fill('yet another long password')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'This link has already been used' })).toBeFocused()
  for (const wrong of [link.slice(0, -5), `/reset/${'x'.repeat(200)}`]) {
    await page.goto(wrong)
    await expect(page.getByRole('link', { name: 'Request a new email' })).toBeVisible()
  }
})

test('a server that is away is said so, and the link is checked when tried again', async ({ page, neptune }) => {
  const link = await askForLink(page, neptune.folder)
  await page.route('**/v1/identity/reset/check', (route) => route.abort())
  await page.goto(link)
  await expect(page.getByRole('alert')).toContainText('The link could not be checked.')
  await page.unroute('**/v1/identity/reset/check')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused()
  await page.route('**/v1/identity/reset', (route) => route.abort())
  await setPassword(page)
  await expect(page.getByRole('alert')).toContainText('cannot be reached')
  await page.unroute('**/v1/identity/reset')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/login$/)
})

test('by keyboard alone: from the sign-in screen to a new password', async ({ page, neptune }) => {
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot your password?' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('E-mail address')).toBeFocused()
  await page.keyboard.type(admin.email)
  await page.keyboard.press('Enter')
  await expect(page.getByText('is on its way')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Use a different address' })).toBeFocused()
  const [letter] = await readLetters(neptune.folder, 1)
  await page.goto(linkIn(letter?.text))
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused()
  await page.keyboard.type(another)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.type(another)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard$/)
})

for (const { colorScheme, width } of moreLooks) {
  test.describe(`${colorScheme}, ${width} wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 844 } })

    test('axe finds nothing on the way to a new password, and nothing scrolls sideways', async ({ page, neptune }) => {
      await page.goto('/forgot')
      await page.getByRole('button', { name: 'Send mail' }).click()
      await expectClean(page, 'no address')
      const link = await askForLink(page, neptune.folder)
      await expectClean(page, 'the mail is sent')
      await page.goto(link)
      await page.getByRole('button', { name: 'Set password' }).click()
      await expect(page.getByText('At least 12 characters.')).toBeVisible()
      await expectClean(page, 'a password that is too short')
      await setPassword(page)
      await expect(page.getByText(changed)).toBeVisible()
      await expectClean(page, 'the password is changed')
    })
  })
}

/** The path alone: this Neptune's port was not known when it was told its public address. */
const linkIn = (text = '') => /\/reset\/[\w-]+/.exec(text)?.[0] ?? 'no link'

async function askForLink(page: Page, folder: string) {
  await page.goto('/forgot')
  await page.getByLabel('E-mail address').fill(admin.email)
  await page.getByRole('button', { name: 'Send mail' }).click()
  await expect(page.getByText('is on its way')).toBeVisible()
  const [letter] = await readLetters(folder, 1)
  return linkIn(letter?.text)
}

async function setPassword(page: Page) {
  await page.getByLabel('New password', { exact: true }).fill(another)
  await page.getByRole('button', { name: 'Set password' }).click()
}
