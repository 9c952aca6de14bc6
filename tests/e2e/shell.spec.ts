import { screens } from '@neptune/contract'
import { expect, signIn, test } from './fixtures.ts'

const protectedScreens = ['/dashboard', '/files', '/links', '/clients', '/directories', '/directories/d1']

test('every protected screen asks a stranger to sign in', async ({ page }) => {
  for (const path of protectedScreens) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/login$/)
  }
})

test('every screen of the contract is answered with the page, and / leads to the dashboard', async ({ page, request }) => {
  for (const screen of screens) {
    const reply = await request.get(screen.replaceAll(/\{\w+\}/g, 'x'))
    expect(reply.status()).toBe(200)
    expect(reply.headers()['content-type']).toContain('text/html')
  }
  await page.goto('/login')
  await signIn(page)
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto('/')
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('the navigation has the four items with their paths, and marks the current one', async ({ page }) => {
  await page.goto('/login')
  await signIn(page)
  const nav = page.getByRole('navigation', { name: 'Main' })
  await expect(nav.getByRole('link')).toHaveText(['Dashboard', 'Directories', 'Links', 'Users'])
  const hrefs = await nav.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(hrefs).toEqual(['/', '/directories', '/links', '/clients'])
  for (const name of ['Directories', 'Links', 'Users', 'Dashboard']) {
    await nav.getByRole('link', { name }).click()
    await expect(nav.getByRole('link', { name })).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(page).toHaveTitle(`${name} · Neptune`)
  }
})

test('the page header is the product’s name where no item is current', async ({ page }) => {
  await page.goto('/files')
  await signIn(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Neptune')
  await expect(page.locator('[aria-current=page]')).toHaveCount(0)
})

test('the user menu shows who is signed in, and works by keyboard', async ({ page }) => {
  await page.goto('/login')
  await signIn(page)
  const button = page.getByRole('button', { name: /Administrator/ })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  await expect(page.getByText('admin@acme.example')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/login$/)
})

test('the theme follows the system until one is chosen, and the choice stays', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/login')
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  expect(await scheme()).toBe('light dark')
  const dark = await ground()
  await signIn(page)
  await page.getByRole('button', { name: /Administrator/ }).click()
  await page.getByRole('menuitemradio', { name: 'Light' }).click()
  expect(await scheme()).toBe('light')
  expect(await ground()).not.toBe(dark)
  await page.reload()
  expect(await scheme()).toBe('light')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('the navigation folds into a menu that opens with name and e-mail', async ({ page }) => {
    await page.goto('/login')
    await signIn(page)
    const opener = page.getByRole('button', { name: 'Open menu' })
    await opener.click()
    await expect(page.getByText('Administrator')).toBeVisible()
    await expect(page.getByText('admin@acme.example')).toBeVisible()
    await page.getByRole('link', { name: 'Users' }).click()
    await expect(page).toHaveURL(/\/clients$/)
    await expect(page.getByText('admin@acme.example')).toBeHidden()
    await opener.click()
    await page.keyboard.press('Escape')
    await expect(opener).toBeFocused()
    await opener.click()
    await page.getByText('Sign out').click()
    await expect(page).toHaveURL(/\/login$/)
  })
})

test('an address that is not there says so, and leads back', async ({ page }) => {
  const reply = await page.goto('/nowhere')
  expect(reply?.status()).toBe(404)
  await expect(page.getByText('There is nothing at this address.')).toBeVisible()
  await page
    .getByRole('link', { name: /start|Neptune/i })
    .first()
    .click()
  await expect(page).toHaveURL(/\/login$/)
})

test('a page whose script does not come says so, and comes when tried again', async ({ page }) => {
  await page.goto('/login')
  await signIn(page)
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.route('**/assets/links-page-*.js', (route) => route.abort())
  await page.getByRole('link', { name: 'Links' }).click()
  const again = page.getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible()
  await page.unroute('**/assets/links-page-*.js')
  await again.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()
  await expect(again).toBeHidden()
})

test('a page whose script hangs is given up after 120 seconds', async ({ page }) => {
  await page.clock.install()
  await page.goto('/login')
  await signIn(page)
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.route('**/assets/links-page-*.js', () => undefined) // never answered
  await page.getByRole('link', { name: 'Links' }).click()
  await page.clock.runFor(119_000)
  await expect(page.getByRole('button', { name: 'Try again' })).toBeHidden()
  await page.clock.runFor(2_000)
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})

test('the API is readable at /docs', async ({ page }) => {
  await page.goto('/docs')
  await expect(page.getByText('/v1/identity/login')).toBeVisible()
  await page.getByText('/v1/identity/login').click()
  await expect(page.getByText('session.wrong_credentials').first()).toBeVisible()
})
