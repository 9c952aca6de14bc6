import type { Page } from '@playwright/test'
import { readCatalogue } from '../../../web/build/catalogues.ts'
import { addSharedLink, heading, makeWrongCode, refocusWindow, resetLink } from '../access/access-steps.ts'
import { expectClean, looks } from '../expect-clean.ts'
import { addCompanyWithUser, addDirectory, asAdmin, expect, kim, openAsAdmin, test } from '../fixtures.ts'
import { createEnglishFinder, listForms, readShownTexts } from '../shown-texts.ts'

const catalogue = readCatalogue('de')
const findEnglish = createEnglishFinder('de')

const waitUntilLoaded = async (page: Page) => {
  await expect(heading(page)).not.toHaveText(/^(Wird geladen|Loading)?$/)
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

/** Expects no English text and no axe violations on the screen. */
async function expectGerman(page: Page, state: string) {
  expect(findEnglish(['Try again', '3 min ago', 'Erneut versuchen'])).toEqual(['Try again', '3 min ago'])
  expect(findEnglish(await readShownTexts(page)), state).toEqual([])
  await expectClean(page, state)
}

test.describe('a recipient whose browser asks for German', () => {
  test.use({ locale: 'de-DE' })

  test('reads German on the code screen and in the directory, with German sizes and dates', async ({ page, baseURL }) => {
    const link = await addSharedLink(baseURL, 'LINK_DIRECTORY', { files: { 'Grundriss.bin': Buffer.alloc(1_400_000) } })
    await page.goto(`/access/${link.key}`)
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
    await expect(heading(page)).toHaveText('Hochsicheres Verzeichnisprotokoll')
    await expect(page).toHaveTitle('Hochsicheres Verzeichnisprotokoll · Neptune')
    const code = page.getByPlaceholder('Zugangscode')
    const open = page.getByRole('button', { name: 'Verzeichnis öffnen' })
    await open.click()
    await expect(code).toHaveAccessibleDescription('Geben Sie den Zugangscode ein.')
    await code.fill(makeWrongCode(link.code))
    await open.click()
    await expect(code).toHaveAccessibleDescription(/^Dieser Code passt nicht\./)
    await code.fill(link.code)
    await open.click()
    await expect(heading(page)).toHaveText('Plans')
    await expect(page.getByText('1 Datei, 1,4 MB')).toBeVisible()
    await expect(page.getByText(/^Bis \d+\. \p{L}+\.? \d{4}, \d\d:\d\d, in 30 Tagen$/u)).toBeVisible()
    await expect(page.locator('#announcement')).toHaveText('Zugang gewährt. Plans')
    await expectGerman(page, 'a directory')

    // Server messages are translated, too.
    await resetLink(baseURL, link)
    await refocusWindow(page)
    await expect(page.getByRole('alert').first()).toHaveText(/^Ihr Zugriff auf diesen Link ist beendet/)
    await page.getByRole('button', { name: 'Um einen neuen Code bitten' }).click()
    await expect(page.getByRole('button', { name: 'Zurück zum Zugangscode' })).toBeVisible()
    await expectGerman(page, 'asking for a code')
  })

  test('reads English if the German translation fails to load', { tag: '@slow' }, async ({ page }) => {
    await page.route('**/assets/de-first-*.js', (route) => route.abort())
    await page.goto('/login')
    await expect(heading(page)).toHaveText('Sign in')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  })

  test('reads German on the public screens', { tag: '@slow' }, async ({ page }) => {
    // The first screens start with a part of the translation. They are checked once the full one has loaded.
    const publicPaths = [
      '/nowhere',
      '/forgot',
      '/reset/not-a-link',
      '/invitation/not-a-link',
      '/factor-reset/not-a-link',
      '/enter/not-a-link',
      '/receipt/none',
      '/verify',
    ]
    for (const path of [...publicPaths, '/access/7YqfT0pEXAMPLEc3K']) {
      await page.goto(path)
      await waitUntilLoaded(page)
      await expectGerman(page, path)
    }
    await page.goto('/login')
    await page.getByRole('button', { name: 'Anmelden' }).click()
    const texts = await readShownTexts(page)
    await page.getByLabel('E-Mail-Adresse').fill(kim.email)
    await page.getByLabel('Passwort', { exact: true }).fill('wrong password')
    await page.getByRole('button', { name: 'Anmelden' }).click()
    await expect(page.getByRole('alert')).toHaveText(/^E-Mail-Adresse oder Passwort ist falsch\./)
    expect(findEnglish(texts)).toEqual([])
    await expectGerman(page, '/login rejected')
  })
})

/** Creates a directory with a file, a deleted file, a link, a user, an email, a webhook and a token. */
async function fillPortal(baseURL: string | undefined) {
  const call = asAdmin(baseURL)
  const globex = await addCompanyWithUser(baseURL, 'Globex', kim)
  const link = await addSharedLink(baseURL, 'LINK_EDITABLE_DIRECTORY', { files: { 'Angebot.pdf': '%PDF-1.7 ein Angebot' } })
  const { ids } = await addDirectory(baseURL, 'Alte Verträge', { 'alt.txt': 'alt' })
  await call('POST', '/v1/file/delete', { ids: Object.values(ids) })
  await call('POST', '/v1/admin/mail/test', { to: kim.email })
  const { company } = (await call('GET', '/v1/identity')).data
  await call('POST', '/v1/webhook', { company, url: 'https://example.com/hook', events: ['link.opened'] })
  await call('POST', '/v1/token', { name: 'Sicherung', scope: 'read' })
  await call('PATCH', `/v1/admin/company/${globex.company}`, { note: 'Zahlt spät.', quota: 5_000_000_000 })
  return { ...link, company: globex.company, user: globex.id }
}

/** The buttons to press on each screen, in order. Each opens a dialog or menu, except `Select …`, which is a checkbox. */
const openers: Record<string, string[]> = {
  '/dashboard': [],
  ...Object.fromEntries(['organisation', 'logo', 'email', 'company', 'link', 'end'].map((step) => [`/welcome?step=${step}`, []])),
  '/files': ['Actions for Angebot.pdf'],
  '/directories': ['Create Directory'],
  '/links': ['Create link', 'Plans', 'Select Plans', 'Send link details', 'Reset access code', 'Delete link'],
  '/clients': ['Create company', 'Add user', 'Edit Kim Doe'],
  '/companies': ['Create company', 'Actions for Globex'],
  '/mail': ['Send a test email'],
  '/trash': [],
  '/activity': [],
  '/account': ['Set up an app', 'Create token', 'Revoke Sicherung'],
  '/settings/organisation': [],
  '/settings/appearance': [],
  '/settings/links': [],
  '/settings/email': [],
  '/settings/security': [],
  '/settings/storage': [],
  '/webhooks': ['Create webhook', 'Actions for example.com/hook', 'example.com/hook'],
}

for (const { colorScheme, width } of looks) {
  test.describe(`German, ${colorScheme}, ${width} wide`, () => {
    test.use({ locale: 'de-DE', colorScheme, viewport: { width, height: 844 } })

    test('shows the staff screens and their dialogs in German without overflow', { tag: '@slow' }, async ({ page, baseURL }) => {
      const { directory, company, user } = await fillPortal(baseURL)
      await openAsAdmin(page, '/dashboard')
      const pages = {
        ...openers,
        [`/users/${user}`]: [
          ...['Edit details', 'Update User', 'Sign out everywhere'],
          ...['Actions for Kim Doe', 'Actions for Kim Doe > Suspend', 'Actions for Kim Doe > Remove user'],
        ],
        [`/directories/${directory}`]: ['Upload file', 'Share'],
        [`/companies/${company}`]: ['Set quota', 'Edit note', 'Edit brand', 'Actions for Globex'],
      }
      for (const [path, names] of Object.entries(pages)) {
        await page.goto(path)
        await waitUntilLoaded(page)
        await expectGerman(page, path)
        for (const name of names) await checkOpened(page, name)
      }
      await page.getByRole('button', { name: /Konto von Administrator|Menü öffnen/ }).click()
      await expectGerman(page, 'the menu')
    })
  })
}

/** Presses the button, checks the dialog or menu it opens, and closes it. `button > item` chooses an item of the menu. */
async function checkOpened(page: Page, opener: string) {
  const [name = '', item] = opener.split(' > ')
  if (name.startsWith('Select ')) return page.getByRole('checkbox', { name: translate(name) }).check()
  const button = page.getByRole('button', { name: translate(name), exact: true })
  await (name === 'Plans' ? page.locator('[data-opener]') : button.first()).click()
  if (item !== undefined) await page.getByRole('menuitem', { name: translate(item), exact: true }).click()
  const opened = page.getByRole('dialog').or(page.getByRole('menu'))
  await expect(opened).toBeVisible()
  await expect(opened.locator('[aria-busy=true]')).toHaveCount(0)
  await expectGerman(page, opener)
  await page.keyboard.press('Escape')
  await expect(opened).toBeHidden()
}

/** Translates a label. For example, `Edit Kim Doe` uses the translation of `Edit {name}`. */
function translate(text: string): string {
  const name =
    ['Kim Doe', 'Globex', 'Plans', 'Angebot.pdf', 'Sicherung', 'example.com/hook'].find((known) => text.endsWith(known)) ?? ''
  const [translation = name] = listForms(catalogue[name ? text.replace(name, '{name}') : text] ?? name)
  return translation.replace('{name}', name)
}
