import { gzipSync } from 'node:zlib'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, signIn, test } from './fixtures.ts'

const open = ['/login', '/forgot', '/access/7YqfT0pEXAMPLEc3K', '/docs', '/nowhere']
const guarded = ['/dashboard', '/files', '/links', '/clients', '/directories', '/directories/d1']

async function eachScreen(page: Page, look: (name: string) => Promise<void>) {
  for (const path of open) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await look(path)
  }
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await look('/login with errors')
  await signIn(page, { password: 'wrong password' })
  await expect(page.getByRole('alert')).toBeVisible()
  await look('/login refused')
  await signIn(page)
  await expect(page).toHaveURL(/\/dashboard$/)
  for (const path of guarded) {
    await page.goto(path)
    await expect(
      page
        .getByRole('navigation', { name: 'Main' })
        .or(page.getByRole('button', { name: 'Open menu' }))
        .first(),
    ).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await look(path)
  }
  const menu = page.getByRole('button', { name: /Administrator|Open menu/ })
  await menu.click()
  await look('with the menu open')
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test.describe(`${colorScheme}, ${width} wide`, () => {
      test.use({ colorScheme, viewport: { width, height: 844 } })

      test('axe finds nothing on any screen, and nothing scrolls sideways', async ({ page }) => {
        await eachScreen(page, async (name) => {
          const { violations } = await new AxeBuilder({ page }).analyze()
          expect(
            violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`),
            name,
          ).toEqual([])
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
          expect(overflow, name).toBe(0)
        })
      })
    })
  }
}

test('every action is reached by Tab, with a focus one can see', async ({ page }) => {
  await eachScreen(page, async (name) => {
    const count = await page.locator('a[href]:visible, button:visible, input:visible, summary:visible').count()
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    const reached = new Set<string>()
    for (let i = 0; i < count + 5 && !name.includes('menu'); i++) {
      await page.keyboard.press('Tab')
      const focus = await page.evaluate(() => {
        const element = document.activeElement
        if (!element || element === document.body) return null
        const of = (node: Element) => getComputedStyle(node)
        const isRinged = (node: Element) =>
          (of(node).outlineStyle !== 'none' && of(node).outlineWidth !== '0px') || of(node).boxShadow !== 'none'
        const all = [...document.querySelectorAll('a[href], button, input, summary')]
        return {
          index: String(all.indexOf(element)),
          isVisible: isRinged(element) || (!!element.parentElement && isRinged(element.parentElement)),
        }
      })
      if (!focus) continue
      expect(focus.isVisible, `${name}: focus on element ${focus.index}`).toBe(true)
      reached.add(focus.index)
    }
    if (!name.includes('menu')) expect(reached.size, name).toBeGreaterThanOrEqual(count)
  })
})

test('the first load of /login is light, and asks nobody but us', async ({ page, baseURL }) => {
  const scripts = new Map<string, number>()
  const foreign: string[] = []
  page.on('response', async (response) => {
    if (!response.url().startsWith(baseURL ?? '')) foreign.push(response.url())
    if (new URL(response.url()).pathname.endsWith('.js'))
      scripts.set(response.url(), gzipSync(await response.body(), { level: 9 }).length)
  })
  await page.goto('/login', { waitUntil: 'networkidle' })
  const total = [...scripts.values()].reduce((sum, size) => sum + size, 0)
  expect(scripts.size).toBeGreaterThan(0)
  expect(total).toBeLessThanOrEqual(120 * 1024)
  expect(foreign).toEqual([])
})

test('the scripts travel compressed', async ({ page, request }) => {
  await page.goto('/login')
  const src = await page.locator('script[type=module]').getAttribute('src')
  const reply = await fetch(new URL(src ?? '', page.url()), { headers: { 'accept-encoding': 'gzip' } })
  expect(reply.headers.get('content-encoding')).toBe('gzip')
  expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const plain = await request.get(src ?? '', { headers: { 'accept-encoding': 'identity' } })
  expect(Buffer.from(await reply.arrayBuffer()).equals(await plain.body())).toBe(true)
})

test('pages carry the policy of security.md, and nothing inline', async ({ page, request }) => {
  const refused: string[] = []
  page.on('console', (message) => message.text().includes('Content Security Policy') && refused.push(message.text()))
  const reply = await page.goto('/access/7YqfT0pEXAMPLEc3K')
  expect(reply?.headers()['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'",
  )
  expect(reply?.headers()['x-robots-tag']).toBe('noindex')
  expect(reply?.headers()['referrer-policy']).toBe('no-referrer')
  expect(reply?.headers()['x-content-type-options']).toBe('nosniff')
  const html = await (await request.get('/login')).text()
  expect(html).not.toMatch(/<style|<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=/)
  await page.goto('/login')
  await signIn(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  expect(refused).toEqual([])
})
