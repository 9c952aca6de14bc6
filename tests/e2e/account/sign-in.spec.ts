import { DatabaseSync } from 'node:sqlite'
import type { BrowserContext } from '@playwright/test'
import { query } from '../../support/services/start-postgres.ts'
import { admin, expect, signIn, signOut, test } from '../fixtures.ts'

/** Expires every session in the server's database. */
async function expireSessions(neptune: { folder: string; databaseUrl?: string }) {
  const statement = "update session set idle_ends_at = '2000-01-01T00:00:00.000Z'"
  if (neptune.databaseUrl) return query(neptune.databaseUrl, statement)
  using db = new DatabaseSync(`${neptune.folder}/data/neptune.db`, { timeout: 5000 })
  return db.exec(statement)
}

const readAuthCookie = async (context: BrowserContext) => (await context.cookies()).find((cookie) => cookie.name === '_auth')

test('opens the dashboard after sign-in with the right password', async ({ page }) => {
  await page.goto('/login')
  await signIn(page)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
})

test('rejects a wrong password with one message and keeps the email address', async ({ page }) => {
  await page.goto('/login')
  await signIn(page, { password: 'not the password' })
  await expect(page.getByRole('alert')).toHaveText('Incorrect email or password. Check both and try again.')
  await expect(page.getByLabel('E-mail address')).toHaveValue(admin.email)
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await expect(page).toHaveURL(/\/login$/)
})

test('sends nothing for empty fields and marks them as invalid', async ({ page }) => {
  const calls: string[] = []
  page.on('request', (request) => calls.push(request.url()))
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByLabel('E-mail address')).toBeFocused()
  await expect(page.getByLabel('E-mail address')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  expect(calls.filter((url) => url.endsWith('/v1/identity/login'))).toEqual([])
})

test('focuses the field that the server rejected', { tag: '@slow' }, async ({ page }) => {
  const detail = 'The request is invalid. Check it and try again.'
  const errors = [{ field: 'email', message: 'This is too long.' }]
  await page.route('**/v1/identity/login', (route) =>
    route.fulfill({
      status: 400,
      json: { type: 'about:blank', title: '', status: 400, code: 'request.invalid', detail, errors },
      contentType: 'application/problem+json',
    }),
  )
  await page.goto('/login')
  await signIn(page)
  await expect(page.getByLabel('E-mail address')).toBeFocused()
  await expect(page.getByLabel('E-mail address')).toHaveAccessibleDescription('This is too long.')
})

test('says when to try again after too many attempts', { tag: '@slow' }, async ({ page, request }) => {
  for (let i = 0; i < 10; i++) await request.post('/v1/identity/login', { data: { email: admin.email, password: `guess ${i}` } })
  await page.goto('/login')
  await signIn(page)
  await expect(page.getByRole('alert')).toHaveText(/Too many attempts\. Try again in \d+ minutes\./)
})

test('reports an unreachable server and keeps the input', async ({ page, context }) => {
  await page.goto('/login')
  await expect(page.getByLabel('E-mail address')).toBeVisible()
  await context.setOffline(true)
  await signIn(page)
  await expect(page.getByRole('alert')).toContainText('cannot be reached')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('sets an HttpOnly session cookie without Remember me', { tag: '@slow' }, async ({ page, context }) => {
  await page.goto('/login')
  await signIn(page)
  await expect(page).toHaveURL(/\/dashboard$/)
  expect(await readAuthCookie(context)).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/', expires: -1 })
  expect(await page.evaluate(() => document.cookie)).not.toContain('_auth')
})

test('with Remember me, keeps the user signed in after the browser restarts', async ({ page, context, browser, baseURL }) => {
  await page.goto('/login')
  await signIn(page, { remember: true })
  await expect(page).toHaveURL(/\/dashboard$/)
  const storedCookies = (await context.cookies()).filter((cookie) => cookie.expires > 0)
  expect(storedCookies.map((cookie) => cookie.name).toSorted()).toEqual(['_auth', '_browser'])
  expect((storedCookies[0]?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(29 * 24 * 3600)
  const restartedBrowser = await browser.newContext(baseURL ? { baseURL } : {})
  await restartedBrowser.addCookies(storedCookies)
  const restartedPage = await restartedBrowser.newPage()
  await restartedPage.goto('/links')
  await expect(restartedPage.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()
  await restartedBrowser.close()
})

test('keeps the session across a reload in two session storage keys, without requesting it from the server', {
  tag: '@slow',
}, async ({ page }) => {
  await page.goto('/login')
  await signIn(page)
  await expect(page).toHaveURL(/\/dashboard$/)
  expect(await page.evaluate(() => Object.keys(sessionStorage).sort())).toEqual(['neptune.info', 'neptune.token'])
  const restores: string[] = []
  page.on('request', (request) => request.url().endsWith('/v1/identity/session') && restores.push(request.url()))
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  expect(restores).toEqual([])
})

test('signs in a new tab automatically', { tag: '@slow' }, async ({ page, context }) => {
  await page.goto('/login')
  await signIn(page)
  await expect(page).toHaveURL(/\/dashboard$/)
  const tab = await context.newPage()
  await tab.goto('/clients')
  await expect(tab.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
  await tab.goto('/login')
  await expect(tab).toHaveURL(/\/dashboard$/)
})

test('signs out every tab and revokes the token', async ({ page, context, request }) => {
  await page.goto('/login')
  await signIn(page)
  await expect(page).toHaveURL(/\/dashboard$/)
  const token = await page.evaluate(() => JSON.parse(sessionStorage.getItem('neptune.token') ?? '{}').token)
  const tab = await context.newPage()
  await tab.goto('/links')
  await expect(tab.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()
  await signOut(page)
  await expect(page).toHaveURL(/\/login$/)
  await expect(tab).toHaveURL(/\/login$/)
  expect(await tab.evaluate(() => sessionStorage.length)).toBe(0)
  expect(await readAuthCookie(context)).toBeUndefined()
  expect((await request.get('/v1/identity', { headers: { authorization: `Bearer ${token}` } })).status()).toBe(401)
})

test('stays signed out after a sign-out while the server was unreachable', { tag: '@slow' }, async ({
  page,
  context,
  request,
}) => {
  await page.goto('/login')
  await signIn(page, { remember: true })
  await expect(page).toHaveURL(/\/dashboard$/)
  const token = await page.evaluate(() => JSON.parse(sessionStorage.getItem('neptune.token') ?? '{}').token)
  await context.setOffline(true)
  await signOut(page)
  await expect(page.getByText('The server will be notified as soon as it can be reached')).toBeVisible()
  await context.setOffline(false)
  const tab = await context.newPage()
  await tab.goto('/dashboard')
  await expect(tab).toHaveURL(/\/login$/)
  expect(await readAuthCookie(context)).toBeUndefined()
  expect((await request.get('/v1/identity', { headers: { authorization: `Bearer ${token}` } })).status()).toBe(401)
})

test('revokes every tab’s token on sign-out, even if the tabs signed in separately', { tag: '@slow' }, async ({
  page,
  context,
  request,
}) => {
  const tab = await context.newPage()
  const tokens: string[] = []
  for (const each of [page, tab]) {
    await each.goto('/forgot') // this screen restores no session, so the second tab does not reuse the first tab's session
    const reply = await each.evaluate(
      (body) =>
        fetch('/v1/identity/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then((r) =>
          r.json(),
        ),
      JSON.stringify(admin),
    )
    const { info, ...token } = reply
    tokens.push(token.token)
    await each.evaluate(
      ([token, info]) => {
        sessionStorage.setItem('neptune.token', token ?? '')
        sessionStorage.setItem('neptune.info', info ?? '')
      },
      [JSON.stringify(token), JSON.stringify(info)],
    )
    await each.goto('/dashboard')
    await expect(each.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  }
  await signOut(page)
  await expect(tab).toHaveURL(/\/login$/)
  for (const token of tokens) {
    await expect
      .poll(async () => (await request.get('/v1/identity', { headers: { authorization: `Bearer ${token}` } })).status())
      .toBe(401)
  }
})

test('signs in the other open tabs, too', { tag: '@slow' }, async ({ page, context }) => {
  const tab = await context.newPage()
  await tab.goto('/links')
  await expect(tab).toHaveURL(/\/login$/)
  await page.goto('/login')
  await signIn(page)
  await expect(tab).toHaveURL(/\/links$/)
})

test('returns to the requested page after sign-in', { tag: '@slow' }, async ({ page }) => {
  await page.goto('/directories/d1?sort=name#top')
  await expect(page).toHaveURL(/\/login$/)
  await signIn(page)
  await expect(page).toHaveURL(/\/directories\/d1\?sort=name#top$/)
})

test('redirects an expired session to sign-in, and back to the page afterwards', { tag: '@slow' }, async ({ page, neptune }) => {
  await page.goto('/links')
  await signIn(page)
  await expect(page.getByText('No links yet.')).toBeVisible()
  await page.waitForLoadState('networkidle') // otherwise a pending request could detect the expired session before the reload
  await expireSessions(neptune)
  await page.reload()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByText('Your session has ended. Sign in to continue.')).toBeVisible()
  await signIn(page)
  await expect(page).toHaveURL(/\/links$/)
})

test('detects an expired session on navigation', { tag: '@slow' }, async ({ page, neptune }) => {
  await page.goto('/links')
  await signIn(page)
  await expect(page.getByText('No links yet.')).toBeVisible()
  await page.waitForLoadState('networkidle') // otherwise the page's own requests would detect the expired session first
  await expireSessions(neptune)
  await page.getByRole('link', { name: 'Directories', exact: true }).click()
  await expect(page).toHaveURL(/\/login$/)
  await signIn(page)
  await expect(page).toHaveURL(/\/directories$/)
})

test('can show the password while it is typed', { tag: '@slow' }, async ({ page }) => {
  await page.goto('/login')
  const field = page.getByLabel('Password', { exact: true })
  await field.fill('a secret')
  await expect(field).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: /show password/i }).click()
  await expect(field).toHaveAttribute('type', 'text')
})
