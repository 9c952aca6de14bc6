import { screens } from '@neptune/contract'
import { expect, openAsAdmin, signIn, test } from './fixtures.ts'
import { stopClock } from './timers.ts'

const addresses = Object.values(screens).map((screen) => screen.replaceAll(/\{\w+\}/g, 'x'))
const protectedScreens = [
  '/dashboard',
  '/files',
  '/links',
  '/clients',
  '/directories',
  '/directories/d1',
  '/account',
  '/activity',
  '/mail',
  '/trash',
  '/webhooks',
]

test('every protected screen asks a stranger to sign in', async ({ page }) => {
  for (const path of protectedScreens) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/login$/)
  }
})

test('every screen of the contract is answered with the page, and / leads to the dashboard', async ({ page, request }) => {
  for (const address of addresses) {
    const reply = await request.get(address)
    expect(reply.status()).toBe(200)
    expect(reply.headers()['content-type']).toContain('text/html')
  }
  await openAsAdmin(page, '/dashboard')
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto('/')
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('every screen of the contract is drawn', async ({ page }) => {
  await openAsAdmin(page, '/dashboard')
  await expect(page).toHaveURL(/\/dashboard$/)
  for (const address of addresses) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 }), address).not.toHaveText(/There is nothing at this address|Loading/)
  }
})

test('the navigation has the four items with their paths, and marks the current one', async ({ page }) => {
  await openAsAdmin(page, '/dashboard')
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
  await openAsAdmin(page, '/files')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Neptune')
  await expect(page.locator('[aria-current=page]')).toHaveCount(0)
})

test('the user menu shows who is signed in, and works by keyboard', async ({ page }) => {
  await openAsAdmin(page, '/directories')
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
  await page.getByRole('menuitemradio', { name: 'Light theme' }).click()
  expect(await scheme()).toBe('light')
  expect(await ground()).not.toBe(dark)
  await page.reload()
  expect(await scheme()).toBe('light')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('the navigation folds into a menu that opens with name and e-mail', async ({ page }) => {
    await openAsAdmin(page, '/directories')
    const opener = page.getByRole('button', { name: 'Open menu' })
    await opener.click()
    await expect(page.getByText('Administrator')).toBeVisible()
    await expect(page.getByText('admin@acme.example')).toBeVisible()
    await page.getByRole('link', { name: 'Links', exact: true }).click()
    await expect(page).toHaveURL(/\/links$/)
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
    .getByRole('link', { name: /home page|Neptune/i })
    .first()
    .click()
  await expect(page).toHaveURL(/\/login$/)
})

test('a page that crashed at one address is drawn at the next', async ({ page }) => {
  await page.route('**/assets/directory-page-*.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `export function DirectoryPage() {
        if (location.pathname.endsWith('/broken')) throw new Error('crashed')
        return 'All is well.'
      }`,
    }),
  )
  await openAsAdmin(page, '/directories/well')
  await expect(page.getByText('All is well.')).toBeVisible()
  await page.evaluate(() => {
    history.pushState(null, '', '/directories/broken')
    history.pushState(null, '', '/directories/other')
  })
  await page.goBack()
  await expect(page.getByText('Something went wrong on this page.')).toBeVisible()
  await page.goBack()
  await expect(page.getByText('All is well.')).toBeVisible()
})

test('a page is announced by its own name, once its script is there', async ({ page }) => {
  await openAsAdmin(page, '/dashboard')
  await expect(page).toHaveTitle('Dashboard · Neptune')
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/assets/links-page-*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('link', { name: 'Links', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page).toHaveTitle('Dashboard · Neptune')
  await page.getByRole('link', { name: 'Users' }).focus()
  letGo()
  await expect(page).toHaveTitle('Links · Neptune')
  await expect(page.locator('#announcement')).toHaveText('Links · Neptune')
  await expect(page.getByRole('link', { name: 'Users' })).toBeFocused() // the person had gone on meanwhile
})

test('who is signed in is asked at every navigation, and the answer is kept', async ({ page }) => {
  const asked = page.waitForResponse(/\/v1\/identity$/)
  await openAsAdmin(page, '/dashboard')
  await asked
  await expect(page.getByRole('button', { name: /Administrator/ })).toBeVisible()
  await page.route('**/v1/identity', async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    await route.fulfill({ response, json: { data: { ...data, name: 'Kim Doe' } } })
  })
  await page.getByRole('link', { name: 'Links', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Account of Kim Doe' })).toBeVisible()
  expect(await page.evaluate(() => JSON.parse(sessionStorage.getItem('neptune.info') ?? '{}').name)).toBe('Kim Doe')
})

test('a refusal that is not about the session does not end it', async ({ page }) => {
  await openAsAdmin(page, '/dashboard')
  await expect(page).toHaveURL(/\/dashboard$/)
  const refusal = { type: 'about:blank', title: '', status: 401, code: 'session.wrong_credentials', detail: 'Wrong.' }
  await page.route('**/v1/identity', (route) => route.fulfill({ status: 401, json: refusal }))
  const refused = page.waitForResponse((response) => response.status() === 401)
  await page.getByRole('link', { name: 'Links', exact: true }).click()
  await refused
  await page.getByRole('link', { name: 'Users' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem('neptune.token'))).not.toBeNull()
})

test('a page whose script does not come says so, and comes when tried again', async ({ page }) => {
  await openAsAdmin(page, '/dashboard')
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.route('**/assets/links-page-*.js', (route) => route.abort())
  await page.getByRole('link', { name: 'Links', exact: true }).click()
  const again = page.getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible()
  await page.unroute('**/assets/links-page-*.js')
  await again.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()
  await expect(again).toBeHidden()
})

test('a page whose script hangs is given up after 120 seconds', async ({ page }) => {
  await page.clock.install()
  await openAsAdmin(page, '/dashboard')
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.route('**/assets/links-page-*.js', () => undefined) // never answered
  await stopClock(page)
  const asked = page.waitForRequest('**/assets/links-page-*.js')
  await page.getByRole('link', { name: 'Links', exact: true }).click()
  await asked
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
