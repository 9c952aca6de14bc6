import { gzipSync } from 'node:zlib'
import { languages } from '@neptune/contract'
import type { Browser, Page } from '@playwright/test'
import { readCatalogue } from '../../../web/build/catalogues.ts'
import { addSharedLink, heading } from '../access/access-steps.ts'
import { admin, expect, openAsAdmin, signIn, test } from '../fixtures.ts'

const html = (page: Page) => page.locator('html')
const accountMenu = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** Opens a page in a browser of its own with another language. */
async function openIn(browser: Browser, baseURL: string | undefined, locale: string, path: string) {
  const page = await (await browser.newContext({ locale, ...(baseURL !== undefined && { baseURL }) })).newPage()
  await page.goto(path)
  return page
}

for (const [locale, lang, amount, date] of [
  ['fr-FR', 'fr', '1 fichier, 1,4 Mo', /^Jusqu’au \d+ [\p{L}.]+ \d{4}.+\d\d:\d\d \(dans 30 jours\)$/u],
  ['es-ES', 'es', '1 archivo, 1,4 MB', /^Hasta el \d+ \w+ \d{4}, \d\d:\d\d \(en 30 días\)$/],
  ['it-CH', 'it', '1 file, 1.4 MB', /^Scadenza: \d+ \w+\.? \d{4}, \d\d:\d\d, tra 30 giorni$/],
  ['nl-BE', 'nl', '1 bestand, 1,4 MB', /^Tot \d+ \w+\.? \d{4}.+\d\d:\d\d, over 30 dagen$/],
  ['pl-PL', 'en', '1 file, 1.4 MB', /^Until \d+ \w+ \d{4}, \d\d:\d\d, in 30 days$/],
  ['en-US', 'en', '1 file, 1.4 MB', /^Until \w+ \d+, \d{4}, \d\d:\d\d\s[AP]M, in 30 days$/],
] as const) {
  test.describe(`a recipient whose browser asks for ${locale}`, () => {
    test.use({ locale })

    test(`reads ${lang}, with the formats of ${locale}`, { tag: '@slow' }, async ({ page, baseURL }) => {
      const link = await addSharedLink(baseURL, 'LINK_DIRECTORY', { files: { 'plan.bin': Buffer.alloc(1_400_000) } })
      const catalogue = readCatalogue(lang)
      await page.goto(`/access/${link.key}`)
      await page.getByPlaceholder(String(catalogue['Access code'] ?? 'Access code')).fill(link.code)
      await page.getByRole('button', { name: String(catalogue['Access Directory'] ?? 'Access Directory') }).click()
      await expect(html(page)).toHaveAttribute('lang', lang)
      await expect(page.getByText(amount)).toBeVisible()
      await expect(page.getByText(date)).toBeVisible()
    })
  })
}

for (const screen of ['/login', '/access']) {
  test(`loads at most 120 KiB of scripts before the first screen, in every language: ${screen}`, {
    tag: '@slow',
  }, async ({ browser, baseURL }) => {
    const path = screen === '/access' ? `/access/${(await addSharedLink(baseURL)).key}` : screen
    for (const language of languages) {
      const page = await openIn(browser, baseURL, language, 'about:blank')
      const scripts: Promise<{ name: string; size: number }>[] = []
      page.on('response', (response) => {
        const name = new URL(response.url()).pathname
        if (name.endsWith('.js'))
          scripts.push(response.body().then((body) => ({ name, size: gzipSync(body, { level: 9 }).length })))
      })
      await page.goto(path, { waitUntil: 'networkidle' })
      await expect(page.locator('button[type=submit]')).toBeVisible()
      await expect(html(page)).toHaveAttribute('lang', language)
      const loaded = await Promise.all(scripts)
      expect(
        loaded.reduce((sum, { size }) => sum + size, 0),
        language,
      ).toBeLessThanOrEqual(120 * 1024)
      // The page loads only the texts of the first screens, and only in its language.
      const catalogues = loaded.filter(({ name }) => /\/[a-z]{2}-(first|app)-/.test(name)).map(({ name }) => name)
      expect(catalogues).toEqual(language === 'en' ? [] : [expect.stringContaining(`/${language}-first-`)])
      await page.context().close()
    }
  })
}

test('lets visitors choose a language, which the next page keeps', async ({ page, baseURL }) => {
  await page.goto('/login')
  const choice = page.getByRole('group', { name: 'Language' })
  await expect(choice.getByRole('button')).toHaveText(['English', 'Deutsch', 'Français', 'Español', 'Italiano', 'Nederlands'])
  await expect(choice.locator('[aria-current=true]')).toHaveText('English')
  await choice.getByRole('button', { name: 'Français' }).click()
  await expect(heading(page)).toHaveText('Se connecter')
  await expect(html(page)).toHaveAttribute('lang', 'fr')
  await page.goto(`/access/${(await addSharedLink(baseURL)).key}`)
  await expect(html(page)).toHaveAttribute('lang', 'fr')
  await page.getByRole('group', { name: 'Langue' }).getByRole('button', { name: 'English' }).click()
  await expect(html(page)).toHaveAttribute('lang', 'en')
})

test('shows the languages once the page has loaded, because a press that the page interrupts would be lost', async ({ page }) => {
  const script = Promise.withResolvers<void>()
  await page.route('**/assets/login-page-*.js', async (route) => {
    await script.promise
    await route.continue()
  })
  await page.goto('/login')
  await expect(heading(page)).toHaveText('Loading')
  const choice = page.getByRole('group', { name: 'Language' })
  await expect(choice).toBeHidden()
  script.resolve()
  await expect(heading(page)).toHaveText('Sign in')
  await expect(choice).toBeVisible()
})

test('shows the languages once a link has been checked, because an unknown link has another page', { tag: '@slow' }, async ({
  page,
}) => {
  const checked = Promise.withResolvers<void>()
  await page.route('**/v1/link/*/info', async (route) => {
    await checked.promise
    await route.continue()
  })
  await page.goto('/access/7YqfT0pEXAMPLEc3K7YqfT')
  await expect(heading(page)).toHaveText('Highly Secured Directory Protocol')
  const choice = page.getByRole('group', { name: 'Language' })
  await expect(choice).toBeHidden()
  checked.resolve()
  await expect(heading(page)).toHaveText('Link not found.')
  await expect(choice).toBeVisible()
})

test('lets staff choose a language and remembers it', { tag: '@slow' }, async ({ page }) => {
  await openAsAdmin(page, '/dashboard')
  await accountMenu(page, 'Account of Administrator').click()
  await expect(page.getByRole('menuitemradio', { name: 'English' })).toBeChecked()
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await expect(heading(page)).toHaveText('Übersicht')
  await expect(html(page)).toHaveAttribute('lang', 'de')
  await page.reload()
  await expect(heading(page)).toHaveText('Übersicht')
  await expect(page.getByRole('navigation', { name: 'Hauptnavigation' }).getByRole('link')).toHaveText([
    'Übersicht',
    'Verzeichnisse',
    'Links',
    'Benutzer',
  ])
  await accountMenu(page, 'Konto von Administrator').click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await expect(heading(page)).toHaveText('Dashboard')
})

test('follows the chosen language in another browser, at sign-in and in a new tab', { tag: '@slow' }, async ({
  page,
  browser,
  baseURL,
}) => {
  await openAsAdmin(page, '/dashboard')
  await accountMenu(page, 'Account of Administrator').click()
  await page.getByRole('menuitemradio', { name: 'Nederlands' }).click()
  await expect(html(page)).toHaveAttribute('lang', 'nl')

  const other = await openIn(browser, baseURL, 'en-GB', '/links')
  await expect(html(other)).toHaveAttribute('lang', 'en')
  await signIn(other, admin)
  await expect(html(other)).toHaveAttribute('lang', 'nl')
  await expect(other).toHaveURL(/\/links$/)
  // Changes the language in the first browser while the second is signed in.
  await accountMenu(page, /Administrator/).click()
  await page.getByRole('menuitemradio', { name: 'Español' }).click()
  await expect(html(page)).toHaveAttribute('lang', 'es')
  const tab = await other.context().newPage()
  await tab.goto('/dashboard')
  await expect(html(tab)).toHaveAttribute('lang', 'es')
  await other.context().close()
})

test('keeps the old language if the choice can’t be stored', { tag: '@slow' }, async ({ page }) => {
  await openAsAdmin(page, '/dashboard')
  await page.route('**/v1/identity/language', (route) => route.abort())
  await accountMenu(page, 'Account of Administrator').click()
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await expect(page.getByText('Neptune cannot be reached.')).toBeVisible()
  await page.reload()
  await expect(heading(page)).toHaveText('Dashboard')
})

test('does not reload again and again if the browser blocks cookies', { tag: '@slow' }, async ({ browser, baseURL, page }) => {
  await openAsAdmin(page, '/dashboard')
  await accountMenu(page, 'Account of Administrator').click()
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await expect(html(page)).toHaveAttribute('lang', 'de')
  const other = await openIn(browser, baseURL, 'en-GB', 'about:blank')
  await other.addInitScript(() => Object.defineProperty(document, 'cookie', { get: () => '', set: () => undefined }))
  await other.goto('/login')
  await signIn(other, admin)
  await expect(heading(other)).toHaveText('Dashboard')
  await other.context().close()
})
