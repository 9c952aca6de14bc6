import { screens } from '@neptune/contract'
import { expect, openAsAdmin, signIn, test } from '../fixtures.ts'
import { stopClock } from '../timers.ts'

const addresses = Object.values(screens).map((screen) => screen.replaceAll(/\{\w+\}/g, 'x'))
const protectedScreens = [
  '/dashboard',
  '/welcome',
  '/files',
  '/links',
  '/clients',
  '/companies',
  '/companies/c1',
  '/users/u1',
  '/directories',
  '/directories/d1',
  '/account',
  '/activity',
  '/mail',
  '/trash',
  '/webhooks',
  '/settings/links',
]

test('redirects every protected screen to sign-in without a session', async ({ page }) => {
  for (const path of protectedScreens) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/login$/)
  }
})

test('serves the page for every screen of the contract, and redirects / to the dashboard', async ({ page, request }) => {
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

test('renders every screen of the contract', { tag: '@slow' }, async ({ page }) => {
  await openAsAdmin(page, '/dashboard')
  await expect(page).toHaveURL(/\/dashboard$/)
  for (const address of addresses) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 }), address).not.toHaveText(/There is nothing at this address|Loading/)
  }
})

test('shows the four navigation items with their paths, and marks the current one', async ({ page }) => {
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

test('lists the other pages under More and in the user menu, each with its own title', { tag: '@slow' }, async ({ page }) => {
  await openAsAdmin(page, '/dashboard')
  const moreButton = page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'More' })
  await moreButton.click()
  await expect(page.getByRole('menuitem')).toHaveText(['Files', 'Activity', 'Trash'])
  await page.keyboard.press('Escape')
  const accountButton = page.getByRole('button', { name: /Administrator/ })
  for (const [menu, names] of [
    [moreButton, ['Files', 'Activity', 'Trash']],
    [accountButton, ['Account', 'Email', 'Webhooks']],
  ] as const) {
    for (const name of names) {
      await menu.click()
      await page.getByRole('menuitem', { name }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
      await expect(page).toHaveTitle(`${name} · Neptune`)
      await expect(page.locator('[aria-current=page]')).toHaveCount(menu === moreButton ? 1 : 0)
    }
  }
})

test('shows the signed-in user in the user menu, which works with the keyboard', async ({ page }) => {
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

test('follows the system theme until one is chosen, and remembers the choice', { tag: '@slow' }, async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/login')
  const readColorScheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  const readBackgroundColor = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  expect(await readColorScheme()).toBe('light dark')
  const dark = await readBackgroundColor()
  await signIn(page)
  await page.getByRole('button', { name: /Administrator/ }).click()
  await page.getByRole('menuitemradio', { name: 'Light theme' }).click()
  expect(await readColorScheme()).toBe('light')
  expect(await readBackgroundColor()).not.toBe(dark)
  await page.reload()
  expect(await readColorScheme()).toBe('light')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('collapses the navigation into a menu that shows name and email', async ({ page }) => {
    await openAsAdmin(page, '/directories')
    const opener = page.getByRole('button', { name: 'Open menu' })
    await opener.click()
    await expect(page.getByText('Administrator')).toBeVisible()
    await expect(page.getByText('admin@acme.example')).toBeVisible()
    await page.getByRole('link', { name: 'Links', exact: true }).click()
    await expect(page).toHaveURL(/\/links$/)
    await expect(page.getByText('admin@acme.example')).toBeHidden()
    await opener.click()
    await page.getByRole('link', { name: 'Files' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Files')
    await opener.click()
    await page.keyboard.press('Escape')
    await expect(opener).toBeFocused()
    await opener.click()
    await page.getByText('Sign out').click()
    await expect(page).toHaveURL(/\/login$/)
  })

  test('keeps a menu open that was opened before the next page is rendered, and closes it on Back', { tag: '@slow' }, async ({
    page,
  }) => {
    await openAsAdmin(page, '/directories')
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('link', { name: 'Links', exact: true }).evaluate(async (link: HTMLElement) => {
      const opener = document.querySelector<HTMLElement>('button[aria-label="Close menu"]')
      link.click()
      await Promise.resolve() // React closes the menu in a microtask, but renders the page in a later task
      opener?.click()
    })
    await expect(page.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
    await expect(page.getByText('admin@acme.example')).toBeVisible()
    await page.goBack()
    await expect(page.getByText('admin@acme.example')).toBeHidden()
  })
})

test('reports an unknown address and links back', { tag: '@slow' }, async ({ page }) => {
  const reply = await page.goto('/nowhere')
  expect(reply?.status()).toBe(404)
  await expect(page.getByText('There is nothing at this address.')).toBeVisible()
  await page
    .getByRole('link', { name: /home page|Neptune/i })
    .first()
    .click()
  await expect(page).toHaveURL(/\/login$/)
})

test('renders the next page after one crashed', { tag: '@slow' }, async ({ page }) => {
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

test('announces a page by its own name once its script is loaded', { tag: '@slow' }, async ({ page }) => {
  await openAsAdmin(page, '/dashboard')
  await expect(page).toHaveTitle('Dashboard · Neptune')
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/links-page-*.js', async (route) => {
    await released
    await route.continue()
  })
  await page.getByRole('link', { name: 'Links', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page).toHaveTitle('Dashboard · Neptune')
  await page.getByRole('link', { name: 'Users' }).focus()
  release()
  await expect(page).toHaveTitle('Links · Neptune')
  await expect(page.locator('#announcement')).toHaveText('Links · Neptune')
  await expect(page.getByRole('link', { name: 'Users' })).toBeFocused() // the late page must not take the focus back
})

test('refetches the signed-in user on every navigation and stores the result', { tag: '@slow' }, async ({ page }) => {
  const fetched = page.waitForResponse(/\/v1\/identity$/)
  await openAsAdmin(page, '/dashboard')
  await fetched
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

test('keeps the session after an error that is not about the session', { tag: '@slow' }, async ({ page }) => {
  await openAsAdmin(page, '/dashboard')
  await expect(page).toHaveURL(/\/dashboard$/)
  const problem = { type: 'about:blank', title: '', status: 401, code: 'session.wrong_credentials', detail: 'Wrong.' }
  await page.route('**/v1/identity', (route) => route.fulfill({ status: 401, json: problem }))
  const rejected = page.waitForResponse((response) => response.status() === 401)
  await page.getByRole('link', { name: 'Links', exact: true }).click()
  await rejected
  await page.getByRole('link', { name: 'Users' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem('neptune.token'))).not.toBeNull()
})

test('reports a page whose script failed to load, and loads it on retry', { tag: '@slow' }, async ({ page }) => {
  await openAsAdmin(page, '/dashboard')
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.route('**/assets/links-page-*.js', (route) => route.abort())
  await page.getByRole('link', { name: 'Links', exact: true }).click()
  const retryButton = page.getByRole('button', { name: 'Try again' })
  await expect(retryButton).toBeVisible()
  await page.unroute('**/assets/links-page-*.js')
  await retryButton.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()
  await expect(retryButton).toBeHidden()
})

test('times out loading a page’s script after 120 seconds', { tag: '@slow' }, async ({ page }) => {
  await page.clock.install()
  await openAsAdmin(page, '/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible() // a stopped clock stops loading, too
  await page.route('**/assets/links-page-*.js', () => undefined) // never responds
  await stopClock(page)
  const requested = page.waitForRequest('**/assets/links-page-*.js')
  await page.getByRole('link', { name: 'Links', exact: true }).click()
  await requested
  await page.clock.runFor(119_000)
  await expect(page.getByRole('button', { name: 'Try again' })).toBeHidden()
  await page.clock.runFor(2_000)
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})

test('documents the API at /docs', { tag: '@slow' }, async ({ page }) => {
  await page.goto('/docs')
  await expect(page.getByText('/v1/identity/login', { exact: true })).toBeVisible()
  await page.getByText('/v1/identity/login', { exact: true }).click()
  await expect(page.getByText('session.wrong_credentials').first()).toBeVisible()
})
