import { expectClean, extraLooks } from '../expect-clean.ts'
import { admin, expect, openAsAdmin, signIn, test } from '../fixtures.ts'
import { disableTimers } from '../timers.ts'

const newPassword = 'another long password'

test('changes the password, given the current one, and signs out every other browser', async ({ page, browser, baseURL }) => {
  const otherBrowser = await (await browser.newContext(baseURL ? { baseURL } : {})).newPage()
  await disableTimers(otherBrowser, 30_000, 60_000) // it must not notice the change by polling
  await otherBrowser.goto('/links')
  await signIn(otherBrowser)
  await expect(otherBrowser.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()

  await openAsAdmin(page, '/dashboard')
  await page.getByRole('button', { name: /Administrator/ }).click()
  await page.getByRole('menuitem', { name: 'Account' }).click()
  await expect(page).toHaveTitle('Account · Neptune')

  await page.getByLabel('Current password', { exact: true }).fill(admin.password)
  await page.getByLabel('New password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Your password was changed.')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Sessions' }).getByText('This browser')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible()

  await otherBrowser.getByRole('link', { name: 'Users' }).click()
  await expect(otherBrowser).toHaveURL(/\/login$/)
  await signIn(otherBrowser, { password: newPassword })
  await expect(otherBrowser).toHaveURL(/\/clients$/)
})

test('shows password errors below their field and focuses the first invalid field', { tag: '@slow' }, async ({ page }) => {
  await openAsAdmin(page, '/account')
  const current = page.getByLabel('Current password', { exact: true })
  const next = page.getByLabel('New password', { exact: true })
  const change = page.getByRole('button', { name: 'Change password' })
  await expect(next).toHaveAccessibleDescription('At least 12 characters.')
  await change.click()
  await expect(current).toBeFocused()
  await expect(current).toHaveAccessibleDescription('Enter your current password.')
  await expect(next).toHaveAttribute('aria-invalid', 'true')
  await current.fill('not the password')
  await next.fill('too short')
  await change.click()
  await expect(next).toBeFocused()
  await expect(next).toHaveAccessibleDescription('At least 12 characters: 3 more.')
  await next.fill('administrator1')
  await expect(next).not.toHaveAttribute('aria-invalid')
  await expect(next).toHaveAccessibleDescription(
    'That’s long enough, but it must not be easy to guess. Several unrelated words work best.',
  )
  await next.fill(newPassword)
  await change.click()
  await expect(current).toBeFocused()
  await expect(current).toHaveAccessibleDescription('That is not your current password.')
  await current.fill(admin.password)
  await next.fill('administrator1') // long enough, and easy to guess
  await change.click()
  await expect(next).toBeFocused()
  await expect(next).toHaveAttribute('aria-invalid', 'true')
})

test('changes the name and email address, given the password, and notifies both addresses', { tag: '@slow' }, async ({
  page,
  request,
}) => {
  await openAsAdmin(page, '/account')
  const details = page.getByRole('region', { name: 'Your details' })
  await details.getByRole('button', { name: 'Edit details' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit details' })
  const password = dialog.getByLabel('Current password', { exact: true })
  const save = dialog.getByRole('button', { name: 'Save' })
  await expect(dialog.getByLabel('E-mail address')).toHaveValue(admin.email)
  await dialog.getByLabel('Name', { exact: true }).fill('Ada Byron')
  await dialog.getByLabel('E-mail address').fill('Ada@Acme.example')
  await password.fill('not the password')
  await save.click()
  await expect(password).toHaveAccessibleDescription('That is not your current password.')
  await password.fill(admin.password)
  await save.click()
  await expect(page.getByText('Saved your details.')).toBeVisible()
  await expect(details).toContainText('ada@acme.example')
  await expect(details.getByRole('button', { name: 'Edit details' })).toBeFocused()
  await expect(page.getByRole('button', { name: /Ada Byron/ })).toBeVisible()
  await page.goto('/mail')
  await expect(page.getByRole('row').filter({ hasText: 'Email address changed' })).toHaveCount(2)
  const signInReply = await request.post('/v1/identity/login', { data: { ...admin, email: 'ada@acme.example' } })
  expect(signInReply.status()).toBe(200)
})

test('keeps the same browser’s other tabs signed in when the password changes', { tag: '@slow' }, async ({ page, context }) => {
  await openAsAdmin(page, '/account')
  await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible()
  const tab = await context.newPage()
  await tab.goto('/links')
  await expect(tab.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()
  const renewed = tab.waitForResponse((response) => response.url().endsWith('/v1/identity/session'))
  await page.getByLabel('Current password', { exact: true }).fill(admin.password)
  await page.getByLabel('New password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Change password' }).click()
  await renewed
  await tab.getByRole('link', { name: 'Directories', exact: true }).click()
  await expect(tab.getByRole('heading', { level: 1, name: 'Directories' })).toBeVisible()
})

test('lists sessions, ends one or all of them, and keeps the focus in the list', { tag: '@slow' }, async ({ page, request }) => {
  for (const system of ['X11; Linux', 'Windows NT 10.0']) {
    const headers = { 'user-agent': `Mozilla/5.0 (${system}) Firefox/140.0` }
    await request.post('/v1/identity/login', { data: admin, headers })
  }
  await openAsAdmin(page, '/account')
  const table = page.getByRole('table', { name: 'Sessions' })
  await expect(table.getByText('Firefox on Linux')).toBeVisible()
  await page.getByRole('button', { name: 'End the session in Firefox on Linux' }).press('Enter')
  await expect(table.getByText('Firefox on Linux')).toBeHidden()
  await expect(page.getByText('Ended the session in Firefox on Linux.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'End the session in Firefox on Windows' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(table.getByRole('row')).toHaveCount(2) // the header row and this session
  await expect(page.getByRole('main')).toBeFocused()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

for (const { colorScheme, width } of extraLooks) {
  test(`passes axe on the account page: ${colorScheme}, ${width} wide`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    await openAsAdmin(page, '/account')
    await expect(page.getByText('This browser')).toBeVisible()
    await expectClean(page, 'the account page')
  })
}
