import { expectClean } from './expect-clean.ts'
import { admin, expect, signIn, test } from './fixtures.ts'

const another = 'another long password'

test('the password is changed with the old one, and every other browser is signed out', async ({ page, browser, baseURL }) => {
  const elsewhere = await (await browser.newContext(baseURL ? { baseURL } : {})).newPage()
  await elsewhere.goto('/links')
  await signIn(elsewhere)
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()

  await page.goto('/login')
  await signIn(page)
  await page.getByRole('button', { name: /Administrator/ }).click()
  await page.getByRole('menuitem', { name: 'Account' }).click()
  await expect(page).toHaveTitle('Account · Neptune')

  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Enter your current password.')).toBeVisible()
  await page.getByLabel('Current password', { exact: true }).fill('not the password')
  await page.getByLabel('New password', { exact: true }).fill(another)
  await expect(page.getByText('Long enough, and strong.')).toBeVisible()
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('That is not your current password.')).toBeVisible()

  await page.getByLabel('Current password', { exact: true }).fill(admin.password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Your password is changed.')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Sessions' }).getByText('This one')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible()

  await elsewhere.getByRole('link', { name: 'Users' }).click()
  await expect(elsewhere).toHaveURL(/\/login$/)
  await signIn(elsewhere, { password: another })
  await expect(elsewhere).toHaveURL(/\/clients$/)
})

test('the browser’s own other tabs stay signed in when the password changes', async ({ page, context }) => {
  await page.goto('/account')
  await signIn(page)
  const tab = await context.newPage()
  await tab.goto('/links')
  await expect(tab.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()
  const renewed = tab.waitForResponse((response) => response.url().endsWith('/v1/identity/session'))
  await page.getByLabel('Current password', { exact: true }).fill(admin.password)
  await page.getByLabel('New password', { exact: true }).fill(another)
  await page.getByRole('button', { name: 'Change password' }).click()
  await renewed
  await tab.getByRole('link', { name: 'Directories' }).click()
  await expect(tab.getByRole('heading', { level: 1, name: 'Directories' })).toBeVisible()
})

test('sessions are seen and ended, one by one and all at once', async ({ page, request }) => {
  await request.post('/v1/identity/login', { data: admin, headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0' } })
  await page.goto('/account')
  await signIn(page)
  const table = page.getByRole('table', { name: 'Sessions' })
  await expect(table.getByText('Firefox on Linux')).toBeVisible()
  await page.getByRole('button', { name: 'End the session of Firefox on Linux' }).click()
  await expect(table.getByText('Firefox on Linux')).toBeHidden()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test(`axe finds nothing on the account page: ${colorScheme}, ${width} wide`, async ({ page }) => {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 844 })
      await page.goto('/account')
      await signIn(page)
      await expect(page.getByText('This one')).toBeVisible()
      await expectClean(page, 'the account page')
    })
  }
}
