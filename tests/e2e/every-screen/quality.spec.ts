import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { addSharedLink } from '../access/access-steps.ts'
import { measureShifts, setBrand } from '../access/brand-steps.ts'
import { expectClean, extraLooks } from '../expect-clean.ts'
import { addDirectory, expect, openAsAdmin, signIn, test } from '../fixtures.ts'

const publicScreens = [
  '/login',
  '/forgot',
  '/reset/not-a-link',
  '/invitation/not-a-link',
  '/factor-reset/not-a-link',
  '/enter/not-a-link',
  '/access/7YqfT0pEXAMPLEc3K',
  '/receipt/none',
  '/verify',
  '/docs',
  '/nowhere',
]
/** Screens that have their own specs, which run axe on them with and without data and in their dialogs. */
const screensWithSpec = [
  '/forgot',
  '/reset',
  '/invitation',
  '/access',
  '/receipt',
  '/verify',
  '/files',
  '/links',
  '/clients',
  '/directories',
  '/account',
  '/mail',
].concat(['/welcome', '/trash', '/activity', '/webhooks', '/companies', '/users', '/settings'])
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
  '/mail',
  '/trash',
  '/activity',
  '/webhooks',
  '/settings/email',
]

/** Waits for the page's own heading. While the page loads, the layout shows a placeholder. */
const waitUntilLoaded = async (page: Page) => {
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(/^(Loading.*)?$/)
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

async function forEachScreen(page: Page, check: (name: string) => Promise<void>) {
  for (const path of publicScreens) {
    await page.goto(path)
    await waitUntilLoaded(page)
    // Until the link has loaded, the page shows the code form.
    if (path.startsWith('/access/')) await expect(page.getByRole('heading', { level: 1 })).toHaveText('Link not found.')
    await check(path)
  }
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await check('/login with errors')
  await signIn(page, { password: 'wrong password' })
  await expect(page.getByRole('alert')).toBeVisible()
  await check('/login rejected')
  await signIn(page)
  await expect(page).toHaveURL(/\/dashboard$/)
  for (const path of protectedScreens) {
    await page.goto(path)
    await expect(
      page
        .getByRole('navigation', { name: 'Main' })
        .or(page.getByRole('button', { name: 'Open menu' }))
        .first(),
    ).toBeVisible()
    await waitUntilLoaded(page)
    await check(path)
  }
  const menu = page.getByRole('button', { name: /Administrator|Open menu/ })
  await menu.click()
  await check('with the menu open')
  await page.keyboard.press('Escape')

  await page.context().setOffline(true)
  await expect(page.getByRole('status').filter({ hasText: /offline/i })).toBeVisible()
  await check('offline')
  await page.context().setOffline(false)
  await page.route('**/assets/links-page-*.js', (route) => route.abort())
  await page.goto('/links')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await check('a page that did not load')
  await page.unroute('**/assets/links-page-*.js')
  await page.route('**/v1/identity', (route) =>
    route.fulfill({ status: 401, json: signedOutProblem, contentType: 'application/problem+json' }),
  )
  await page.goto('/clients')
  await expect(page.getByText('Your session has ended. Sign in to continue.')).toBeVisible()
  await check('/login after the session ended')
}

const signedOutProblem = {
  type: 'about:blank',
  title: 'Unauthorized',
  status: 401,
  code: 'session.missing',
  detail: 'Sign in to continue.',
}

for (const { colorScheme, width } of extraLooks) {
  test.describe(`${colorScheme}, ${width} wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 844 } })

    test('passes axe on every screen without its own spec, without scrolling horizontally', async ({ page }) => {
      await forEachScreen(page, async (name) => {
        if (!screensWithSpec.some((path) => name.startsWith(path))) await expectClean(page, name)
      })
    })
  })
}

test('reaches every action with Tab and shows a visible focus indicator', { tag: '@slow' }, async ({ page }) => {
  await forEachScreen(page, async (name) => {
    if (name.includes('menu')) return // the arrow keys in menus are tested in components/components.spec.ts
    const actions = page.locator('a[href]:visible, button:visible, input:visible, summary:visible')
    const count = await actions.count()
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    const unfocused = await page.evaluate(readFocusStyles)
    const reached = new Set<number>()
    // Selects take the focus, too, and a date input has a tab stop for each of its parts.
    for (let i = 0; i < count + 15; i++) {
      await page.keyboard.press('Tab')
      const focused = await page.evaluate(readFocusStyles)
      const index = focused.findIndex(({ isFocused }) => isFocused)
      if (index === -1) continue
      expect(focused[index]?.style, `${name}: ${focused[index]?.html}`).not.toBe(unfocused[index]?.style)
      reached.add(index)
    }
    expect(reached.size, name).toBeGreaterThanOrEqual(count)
  })
})

/** Returns the styles that make up the focus ring, on each element and its parent. Runs in the browser. */
function readFocusStyles() {
  const readRing = (node: Element | null) => {
    if (!node) return ''
    const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor } = getComputedStyle(node)
    return [outlineStyle === 'none' ? '' : `${outlineStyle} ${outlineWidth} ${outlineColor}`, boxShadow, borderColor].join('|')
  }
  return [...document.querySelectorAll('a[href], button, input, summary')].map((element) => ({
    isFocused: element === document.activeElement,
    style: `${readRing(element)}|${readRing(element.parentElement)}`,
    html: element.outerHTML.slice(0, 120),
  }))
}

for (const [screen, width, name] of [
  ['/login', 1280, 'Keller & Partner'],
  ['/access', 1280, 'Keller & Partner'],
  ['/login', 390, 'Łódź Audyt'],
  ['/access', 390, 'Łódź Audyt'],
] as const) {
  test(`loads at most 120 KiB of scripts and 45 KiB of fonts for ${screen} of ${name}, nothing from other origins, without layout shifts at ${width} px`, {
    tag: width === 390 ? ['@slow'] : [],
  }, async ({ page, baseURL }) => {
    await page.setViewportSize({ width, height: 844 })
    const path = screen === '/access' ? `/access/${(await addSharedLink(baseURL)).key}` : screen
    await setBrand(baseURL, { name, welcome: `Questions? Call ${name}.`, light: '#123456' })
    const files: Promise<{ type: string; size: number }>[] = []
    const foreignUrls: string[] = []
    page.on('response', (response) => {
      if (!response.url().startsWith(baseURL ?? '')) foreignUrls.push(response.url())
      const type = response.request().resourceType()
      const measure = (body: Buffer) => ({ type, size: type === 'font' ? body.length : gzipSync(body, { level: 9 }).length })
      if (type === 'script' || type === 'font') files.push(response.body().then(measure))
    })
    const readShifts = await measureShifts(page)
    await page.route('**/brand/*.png', async (route) => {
      await expect(page.locator('button[type=submit]')).toBeVisible() // the logo comes after everything else
      await route.fallback()
    })
    await page.goto(path, { waitUntil: 'networkidle' })
    await expect(page.getByRole('img', { name })).toHaveJSProperty('complete', true)
    const loaded = await Promise.all(files)
    const sum = (type: string) => loaded.reduce((total, file) => total + (file.type === type ? file.size : 0), 0)
    expect(sum('script')).toBeGreaterThan(0)
    expect(sum('script')).toBeLessThanOrEqual(120 * 1024)
    expect(sum('font')).toBeGreaterThan(0)
    expect(sum('font')).toBeLessThanOrEqual(45 * 1024)
    expect(foreignUrls).toEqual([])
    expect(await readShifts()).toBeLessThan(0.02)
  })
}

test('shows the bundled typeface, and loads the letters of other languages only when they are shown', {
  tag: '@slow',
}, async ({ page }) => {
  const fonts: string[] = []
  page.on('request', (request) => request.resourceType() === 'font' && fonts.push(new URL(request.url()).pathname))
  await page.goto('/login', { waitUntil: 'networkidle' })
  expect(await page.evaluate(() => document.fonts.check('600 14px Inter', 'Grüße'))).toBe(true)
  expect(fonts).toEqual([expect.stringMatching(/^\/assets\/inter-latin-wght-normal-[\w-]+\.woff2$/)])
  await page.getByLabel('E-mail address').fill('łódź@example.com')
  await expect.poll(() => fonts).toContainEqual(expect.stringMatching(/inter-latin-a/))
  expect(fonts).toHaveLength(2)
  await page.getByLabel('E-mail address').fill('hǎinán@example.com')
  await expect.poll(() => fonts).toContainEqual(expect.stringMatching(/inter-latin-ext/))
})

test('serves scripts compressed, for browsers to cache for a year', { tag: '@slow' }, async ({ page, request }) => {
  await page.goto('/login')
  const src = await page.locator('script[type=module]').getAttribute('src')
  const reply = await fetch(new URL(src ?? '', page.url()), { headers: { 'accept-encoding': 'gzip' } })
  expect(reply.headers.get('content-encoding')).toBe('gzip')
  expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const uncompressed = await request.get(src ?? '', { headers: { 'accept-encoding': 'identity' } })
  expect(Buffer.from(await reply.arrayBuffer()).equals(await uncompressed.body())).toBe(true)
})

test('serves pages with a strict content security policy and no inline code', async ({ page, request }) => {
  const violations: string[] = []
  page.on('console', (message) => message.text().includes('Content Security Policy') && violations.push(message.text()))
  const reply = await page.goto('/access/7YqfT0pEXAMPLEc3K')
  expect(reply?.headers()['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'",
  )
  expect(reply?.headers()['x-robots-tag']).toBe('noindex')
  expect(reply?.headers()['referrer-policy']).toBe('no-referrer')
  expect(reply?.headers()['x-content-type-options']).toBe('nosniff')
  const html = await (await request.get('/login')).text()
  expect(html).not.toMatch(/<style|<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=/)
  await page.goto('/login')
  await signIn(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  expect(violations).toEqual([])
})

test('keeps the layout stable while slow lists and the typeface load', { tag: '@slow' }, async ({ page, baseURL }) => {
  await addDirectory(baseURL, 'Plans', { 'a.txt': 'a', 'b.txt': 'b' })
  const readShifts = await measureShifts(page)
  let delayed = 0
  await page.route(/\/v1\/(file|directory|link|stats|admin|company|activity|webhook|token)|\.woff2$/, async (route) => {
    delayed++
    const isLast = new URL(route.request().url()).pathname === '/v1/stats'
    await new Promise((resolve) => setTimeout(resolve, isLast ? 300 : 100))
    await route.fallback()
  })
  await openAsAdmin(page, '/dashboard')
  for (const path of [...publicScreens, ...protectedScreens.filter((path) => !/\d$/.test(path))]) {
    await page.goto(path)
    await waitUntilLoaded(page)
    await page.evaluate(() => document.fonts.ready)
    expect(await readShifts(), path).toBeLessThan(0.05)
  }
  expect(delayed).toBeGreaterThan(10)
})
