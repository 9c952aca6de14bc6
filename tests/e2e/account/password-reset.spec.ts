import type { Page } from '@playwright/test'
import { pretendMailServer } from '../../support/pretend-mail-server.ts'
import { readEmails, readEmailTo } from '../../support/read-emails.ts'
import { expectClean, extraLooks } from '../expect-clean.ts'
import { addCompanyWithUser, admin, expect, kim, openAsAdmin, signIn, test } from '../fixtures.ts'

const newPassword = 'one more long password'
const changedMessage = 'Your password has been changed. Sign in with the new one.'

test('says that no email can be sent without a mail server, and whom to ask', { tag: '@slow' }, async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  const note = page.getByRole('status').filter({ hasText: 'no email can be sent' })
  await expect(note).toContainText('Ask an administrator for a link to choose a new password.')
  await expect(page.getByRole('button', { name: 'Send email' })).toHaveCount(0)
  await expectClean(page, 'a forgotten password without a mail server')
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('resets a forgotten password with the link from an email, once', async ({ page, neptune }) => {
  await pretendMailServer(page)
  await page.goto('/login')
  await page.getByLabel('E-mail address').fill(admin.email)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page).toHaveURL(/\/forgot$/)
  await expect(page).toHaveTitle('Forgot your password? · Neptune')
  await expect(page.getByLabel('E-mail address')).toHaveValue(admin.email)
  await page.getByRole('button', { name: 'Send email' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'is on its way' })).toBeFocused()

  const [email] = await readEmails(neptune.folder, 1)
  expect(email).toMatchObject({ to: admin.email, subject: 'Choose a new password' })
  const link = findResetPath(email?.text)
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
    'That’s long enough, but it must not be easy to guess. Several unrelated words work best.',
  )
  await send.click()
  await expect(password).toHaveAttribute('aria-invalid', 'true')
  await expect(password).toBeFocused()
  await password.fill(newPassword)
  await send.click()

  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('status').filter({ hasText: changedMessage })).toBeVisible()
  await expect(page.getByLabel('E-mail address')).toHaveValue(admin.email)
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await signIn(page)
  await expect(page.getByRole('alert')).toHaveText(/^Incorrect email or password/)
  await signIn(page, { password: newPassword })
  await expect(page).toHaveURL(/\/dashboard$/)
  expect(await readEmailTo(neptune.folder, admin.email, /password .* changed/)).toMatchObject({
    subject: 'Your password was changed',
  })

  await page.goBack()
  await expect(page).not.toHaveURL(/\/reset\//)
  await page.goto(link)
  await expect(page.getByRole('status').filter({ hasText: 'This link no longer works or is incomplete.' })).toBeVisible()
  await page.getByRole('link', { name: 'Request a new email' }).click()
  await expect(page).toHaveURL(/\/forgot$/)
})

test('links back to sign-in from an invalid link', { tag: '@slow' }, async ({ page }) => {
  await page.goto('/reset/half-a-link')
  await expect(page.getByText('This link no longer works or is incomplete.')).toBeVisible()
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('shows the same screen for an unknown address, and lets the person try another', { tag: '@slow' }, async ({ page }) => {
  await pretendMailServer(page)
  await page.goto('/forgot')
  const requestEmailFor = async (email: string) => {
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Send email' }).click()
    await expect(page.getByText(email)).toBeVisible()
    return (await page.getByRole('main').innerText()).replace(email, '…')
  }
  const textForKnownAddress = await requestEmailFor(admin.email)
  await page.getByRole('button', { name: 'Use a different address' }).click()
  await expect(page.getByLabel('E-mail address')).toBeFocused()
  await expect(page.getByLabel('E-mail address')).toHaveValue(admin.email)
  expect(await requestEmailFor('nobody@acme.example')).toBe(textForKnownAddress)
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('shows errors in the address below its field, and says when to try again after too many attempts', { tag: '@slow' }, async ({
  page,
  request,
}) => {
  await pretendMailServer(page)
  await page.goto('/forgot')
  let callCount = 0
  page.on('request', (sent) => sent.method() === 'POST' && callCount++)
  const email = page.getByLabel('E-mail address')
  const send = page.getByRole('button', { name: 'Send email' })
  await send.click()
  await expect(email).toHaveAccessibleDescription('Enter your email address.')
  await expect(email).toBeFocused()
  expect(callCount).toBe(0)
  await email.fill('Kim <kim@acme.example>')
  await send.click()
  await expect(email).toHaveAccessibleDescription(/must be an email address/)

  let isRateLimited = false
  for (let i = 0; i < 50 && !isRateLimited; i++) {
    isRateLimited = (await request.post('/v1/identity/forgot', { data: { email: admin.email } })).status() === 429
  }
  await email.fill(admin.email)
  await send.click()
  await expect(page.getByRole('alert')).toHaveText(/Too many attempts\. Try again in \d+ (minute|second)s?\./)
})

test('ends this browser’s session when the password is reset', { tag: '@slow' }, async ({ page, neptune }) => {
  await openAsAdmin(page, '/links')
  await expect(page.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()
  await page.goto(await requestResetLink(page, neptune.folder))
  await setPassword(page)
  await expect(page.getByText(changedMessage)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

for (const where of ['the same tab', 'another tab'] as const) {
  test(`keeps someone else signed in, and says so, when a password is reset in ${where} of their browser`, {
    tag: '@slow',
  }, async ({ page, context, neptune, baseURL }) => {
    await addCompanyWithUser(baseURL, 'Globex', kim)
    await page.goto('/login')
    await signIn(page, kim)
    await expect(page).toHaveURL(/\/dashboard$/)
    const tab = where === 'the same tab' ? page : await context.newPage()
    await tab.goto(await requestResetLink(tab, neptune.folder))
    await setPassword(tab)
    const notice = tab.getByRole('status').filter({ hasText: `The password for ${admin.email} has been changed.` })
    await expect(notice).toBeFocused()
    await expect(notice).toContainText(`This browser is still signed in as ${kim.name}, ${kim.email}.`)
    await expect(tab.getByRole('heading', { level: 1, name: 'Password changed' })).toBeVisible()
    await expectClean(tab, 'the password is changed, and someone else is signed in')
    await tab.getByRole('link', { name: 'Go to the dashboard' }).click()
    await expect(tab).toHaveURL(/\/dashboard$/)
    await expect(tab.getByRole('button', { name: 'Account of Kim Doe' })).toBeVisible()
  })
}

test('reports a link that was used in another tab, and an incomplete link', { tag: '@slow' }, async ({ page, neptune }) => {
  const link = await requestResetLink(page, neptune.folder)
  await page.goto(link)
  await expect(page.getByLabel('New password', { exact: true })).toBeVisible()
  const otherTab = await page.context().newPage()
  await otherTab.goto(link)
  await setPassword(otherTab)
  await expect(otherTab).toHaveURL(/\/login$/)
  await page.getByLabel('New password', { exact: true }).fill('yet another long password')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'This link no longer works or is incomplete.' })).toBeFocused()
  for (const invalidLink of [link.slice(0, -5), `/reset/${'x'.repeat(200)}`]) {
    await page.goto(invalidLink)
    await expect(page.getByRole('link', { name: 'Request a new email' })).toBeVisible()
  }
})

test('reports an unreachable server, and on retry checks the link and sets the password', { tag: '@slow' }, async ({
  page,
  neptune,
}) => {
  const link = await requestResetLink(page, neptune.folder)
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

test('resets the password with the keyboard alone', { tag: '@slow' }, async ({ page, neptune }) => {
  await pretendMailServer(page)
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot your password?' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('E-mail address')).toBeFocused()
  await page.keyboard.type(admin.email)
  await page.keyboard.press('Enter')
  await expect(page.getByText('is on its way')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Use a different address' })).toBeFocused()
  const [email] = await readEmails(neptune.folder, 1)
  await page.goto(findResetPath(email?.text))
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused()
  await page.keyboard.type(newPassword)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.type(newPassword)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard$/)
})

for (const { colorScheme, width } of extraLooks) {
  test.describe(`${colorScheme}, ${width} wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 844 } })

    test('passes axe on every step of a password reset without scrolling horizontally', async ({ page, neptune }) => {
      await pretendMailServer(page)
      await page.goto('/forgot')
      await page.getByRole('button', { name: 'Send email' }).click()
      await expectClean(page, 'no address')
      const link = await requestResetLink(page, neptune.folder)
      await expectClean(page, 'the email is sent')
      await page.goto(link)
      await page.getByRole('button', { name: 'Set password' }).click()
      await expect(page.getByText('At least 12 characters.')).toBeVisible()
      await expectClean(page, 'a password that is too short')
      await setPassword(page)
      await expect(page.getByText(changedMessage)).toBeVisible()
      await expectClean(page, 'the password is changed')
    })
  })
}

/** Returns only the path of the link, because the server's port was not known when its public URL was configured. */
const findResetPath = (text = '') => /\/reset\/[\w-]+/.exec(text)?.[0] ?? 'no link'

async function requestResetLink(page: Page, folder: string) {
  await pretendMailServer(page)
  await page.goto('/forgot')
  await page.getByLabel('E-mail address').fill(admin.email)
  await page.getByRole('button', { name: 'Send email' }).click()
  await expect(page.getByText('is on its way')).toBeVisible()
  const [email] = await readEmails(folder, 1)
  return findResetPath(email?.text)
}

async function setPassword(page: Page) {
  await page.getByLabel('New password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Set password' }).click()
}
