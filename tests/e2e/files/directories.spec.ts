import type { Locator } from '@playwright/test'
import { expectClean, extraLooks } from '../expect-clean.ts'
import { addCompanyWithUser, addDirectory, asAdmin, expect, kim, openAsAdmin, signInInNewContext, test } from '../fixtures.ts'
import { disableTimers, linkCheckTimeoutMs } from '../timers.ts'
import { chooseAction, opener, openPage, rows, tiles } from './directory-steps.ts'

test('creates a directory, shows it as a tile and opens it', async ({ page }) => {
  await openPage(page, '/directories')
  await expect(page.getByText('No directories yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Create Directory' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create Directory' })
  await expect(dialog).toHaveAccessibleDescription('Create a directory to upload files and assets to.')
  const confirm = dialog.getByRole('button', { name: 'Create Directory' })
  await confirm.click()
  await expect(dialog.getByLabel('Name')).toHaveAccessibleDescription('Enter a name.')
  // The only company is preselected.
  await expect(dialog.getByLabel('Company').locator('option:checked')).toHaveText('Neptune')
  await dialog.getByLabel('Name').fill('a/b')
  await confirm.click()
  await expect(dialog.getByLabel('Name')).toHaveAccessibleDescription('This name contains a slash or a backslash.')
  await dialog.getByLabel('Name').fill('Plans')
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/v1/directory'))
  await confirm.click()
  const { id, company } = await page.evaluate(() => JSON.parse(sessionStorage.getItem('neptune.info') ?? '{}'))
  expect((await sent).postDataJSON()).toEqual({ directory: 'Plans', client: company, user: id })
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Created “Plans”.')).toBeVisible()
  await expect(tiles(page, 'Directories')).toHaveText([/Plans.*Neptune.*No files/])
  await opener(page, 'Plans').click()
  await expect(page).toHaveURL(/\/directories\/.+/)
  await expect(page.getByRole('heading', { level: 1, name: 'Plans' })).toBeVisible()
  await expect(page).toHaveTitle('Plans · Neptune')
  await expect(page.getByText('No files', { exact: true })).toBeVisible()
  await expect(page.getByText('No files in this directory yet.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download all' })).toHaveAccessibleDescription('There are no files to download.')
  const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link')
  await expect(breadcrumb).toHaveText(['Directories', 'Neptune'])
  await breadcrumb.last().click()
  await expect(page).toHaveURL(/\/directories\?company=/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Directories')
})

test('lets a user create directories for their own company and hides those of others', { tag: '@slow' }, async ({
  page,
  browser,
  baseURL,
}) => {
  await disableTimers(page, linkCheckTimeoutMs)
  await addCompanyWithUser(baseURL, 'Globex', kim)
  const { id, ids } = await addDirectory(baseURL, 'Secret plans', { 'secret.txt': 'x' })
  await addDirectory(baseURL, 'Old secret', { 'old secret.txt': 'x' })
  await openPage(page, '/directories')
  await chooseAction(page, 'Old secret', 'Delete')
  await expect(page.getByText('Deleted “Old secret”.')).toBeVisible()

  const kimsPage = await signInInNewContext(browser, baseURL, kim)
  const addresses = [
    '/dashboard',
    '/directories',
    `/directories/${id}`,
    '/files',
    `/files?directory=${id}`,
    '/files?search=secret',
  ]
  for (const path of [...addresses, '/trash', '/trash?of=directories']) {
    await kimsPage.goto(path)
    await expect(kimsPage.getByRole('heading', { level: 1 })).not.toHaveText(/^(Loading.*)?$/)
    await expect(kimsPage.locator('[aria-busy=true]')).toHaveCount(0)
    expect(await kimsPage.locator('main').innerText(), path).not.toMatch(/secret(?!”)/i)
    await expect(kimsPage.getByRole('combobox', { name: 'Company' })).toHaveCount(0)
  }
  await kimsPage.goto('/dashboard')
  await expect(kimsPage.getByRole('link', { name: /Total Directories/ })).toHaveText(/Total Directories0/)
  const token = await kimsPage.evaluate(() => JSON.parse(sessionStorage.getItem('neptune.token') ?? '{}').token)
  const rejected = await fetch(`${baseURL}/v1/file/${ids['secret.txt']}/ticket`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  expect(rejected.status).toBe(404)

  await kimsPage.goto('/directories')
  for (const attempt of [1, 2]) {
    await kimsPage.getByRole('button', { name: 'Create Directory' }).first().click()
    const dialog = kimsPage.getByRole('dialog', { name: 'Create Directory' })
    await expect(dialog.getByLabel('Company')).toHaveValue('Globex')
    await expect(dialog.getByLabel('Company')).not.toBeEditable()
    await dialog.getByLabel('Name').fill('Secret plans') // not taken in this company
    await dialog.getByRole('button', { name: 'Create Directory' }).click()
    if (attempt === 1) await expect(dialog).toBeHidden()
    else await expect(dialog.getByLabel('Name')).toHaveAccessibleDescription(/with this name already exists here/)
  }
  await expect(tiles(kimsPage, 'Directories')).toHaveText([/Secret plans.*No files/])
})

test('reports a missing directory and links back to the list', { tag: '@slow' }, async ({ page, baseURL }) => {
  const { id } = await addDirectory(baseURL, 'Plans')
  await asAdmin(baseURL)('DELETE', `/v1/directory/${id}`)
  await openPage(page, `/directories/${id}`)
  await expect(page.getByText('Directory not found.')).toBeVisible()
  await page.getByRole('link', { name: 'All directories' }).click()
  await expect(page).toHaveURL(/\/directories$/)
})

test('renames a directory on its own page, and returns to the list after deleting it', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  await disableTimers(page, linkCheckTimeoutMs)
  const { id } = await addDirectory(baseURL, 'Plans')
  await openPage(page, `/directories/${id}`)
  await chooseAction(page, 'Plans', 'Rename')
  await page.getByRole('dialog').getByLabel('Name').fill('Offers')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Offers')
  await chooseAction(page, 'Offers', 'Delete')
  await expect(page).toHaveURL(/\/directories$/)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(tiles(page, 'Directories')).toHaveText([/Offers/])
})

test('keeps search, company and sort order in the URL', { tag: '@slow' }, async ({ page, baseURL }) => {
  const { company } = await addCompanyWithUser(baseURL, 'Globex', kim)
  await addDirectory(baseURL, 'Contracts')
  await addDirectory(baseURL, 'Accounts', {}, company)
  await openPage(page, '/directories')
  await expect(tiles(page, 'Directories')).toHaveText([/Accounts.*Globex/, /Contracts.*Neptune/])
  await page.getByLabel('Company').selectOption('Globex')
  await expect(tiles(page, 'Directories')).toHaveText([/Accounts/])
  await page.reload()
  await expect(tiles(page, 'Directories')).toHaveText([/Accounts/])
  await page.getByRole('button', { name: 'Create Directory' }).click()
  await expect(page.getByRole('dialog').getByLabel('Company').locator('option:checked')).toHaveText('Globex')
  await page.keyboard.press('Escape')
  await page.goBack()
  await page.getByLabel('Search directories').fill('contr')
  await expect(tiles(page, 'Directories')).toHaveText([/Contracts/])
  await expect(page).toHaveURL(/search=contr/)
  await page.getByLabel('Search directories').fill('nothing of this name')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByLabel('Sort').selectOption('Newest first')
  await expect(page).toHaveURL(/sort=-created_at/)
  await page.reload()
  await expect(page.getByLabel('Sort').locator('option:checked')).toHaveText('Newest first')
  await expect(tiles(page, 'Directories')).toHaveCount(2)
})

test('reports a list that failed to load, and loads it on retry', { tag: '@slow' }, async ({ page, baseURL }) => {
  const { id } = await addDirectory(baseURL, 'Plans', { 'a.txt': 'x' })
  await openAsAdmin(page, '/dashboard')
  await expect(page).toHaveURL(/\/dashboard$/)
  const problem = { type: 'about:blank', title: '', status: 500, code: 'server.failed', detail: 'It failed.', requestId: 'r-17' }
  for (const [path, calls, message] of [
    ['/directories', '**/v1/directory?*', 'The directories did not load.'],
    [`/directories/${id}`, `**/v1/directory/${id}`, 'The directory did not load.'],
    [`/directories/${id}`, '**/v1/file?*', 'The files did not load.'],
  ] as const) {
    await page.route(calls, (route) => route.fulfill({ status: 500, json: problem, contentType: 'application/problem+json' }))
    await page.goto(path)
    await expect(page.getByRole('alert')).toContainText(message)
    await expect(page.getByRole('alert')).toContainText(/It failed\..*r-17/)
    await page.unroute(calls)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(page.locator('main [data-row]').filter({ hasText: /Plans|a\.txt/ })).toBeVisible()
  }
})

test('shows names of directories and files that look like code as plain text', { tag: '@slow' }, async ({ page, baseURL }) => {
  await disableTimers(page, linkCheckTimeoutMs)
  const codeLikeNames = ['<img src=x onerror=alert(1)>', '{{7*7}}']
  const executedCode: string[] = []
  page.on('dialog', (dialog) => executedCode.push(dialog.message()))
  page.on('console', (message) => /Content Security Policy|Trusted/.test(message.text()) && executedCode.push(message.text()))
  const { company } = await addCompanyWithUser(baseURL, '<b>Globex</b>', kim)
  await openPage(page, '/dashboard')
  for (const name of codeLikeNames) {
    const { id } = await addDirectory(baseURL, name, { [`${name}.txt`]: 'x', [`deleted ${name}`]: 'y' }, company)
    await page.goto(`/directories/${id}`)
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(opener(page, `${name}.txt`)).toBeVisible()
    await chooseAction(page, `${name}.txt`, 'Rename')
    await expect(page.getByRole('dialog').getByLabel('Name')).toHaveValue(`${name}.txt`)
    await page.keyboard.press('Escape')
    await chooseAction(page, `deleted ${name}`, 'Delete')
    await expect(page.getByText(`Deleted “deleted ${name.slice(0, 6)}`)).toBeVisible()
    for (const path of ['/dashboard', '/files', '/trash']) {
      await page.goto(path)
      const row = page.getByRole('row').filter({ hasText: name })
      await expect(row.first()).toContainText(path === '/trash' ? `deleted ${name}` : `${name}.txt`)
    }
    await page.goto('/directories')
    await expect(opener(page, name)).toBeVisible()
  }
  expect(executedCode).toEqual([])
  await expect(page.locator('img[src=x]')).toHaveCount(0)
})

test('keeps a press on the header of a directory that finishes loading meanwhile', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const { id } = await addDirectory(baseURL, 'Plans', { 'a.txt': 'a' })
  const press = async (control: Locator) => {
    const loaded = Promise.withResolvers<void>()
    await page.route(`**/v1/directory/${id}`, async (route) => {
      await loaded.promise
      await route.continue()
    })
    await openAsAdmin(page, `/directories/${id}`)
    await control.hover()
    await page.mouse.down()
    loaded.resolve()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plans')
    await page.mouse.up()
  }
  await press(page.getByRole('button', { name: 'Share', exact: true }))
  await expect(page.getByRole('dialog', { name: 'Share “Plans”' })).toBeVisible()
  await press(page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Directories' }))
  await expect(page).toHaveURL(/\/directories$/)
})

for (const { colorScheme, width } of extraLooks) {
  test.describe(`${colorScheme}, ${width} wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 844 } })

    test('passes axe on the directory pages and in their dialogs without scrolling horizontally', async ({ page, baseURL }) => {
      const longName = 'Annual accounts and the auditor’s report of the year 2026, with all of its appendices'
      const files = { [`${longName}.pdf`]: '%PDF-1.7', 'a.zip': 'PK\x03\x04', 'a.txt': 'x', 'a.mp3': 'ID3', 'plan.dwg': '' }
      const { id } = await addDirectory(baseURL, longName, files)
      await openPage(page, '/directories')
      await expect(tiles(page, 'Directories')).toHaveCount(1)
      await expectClean(page, 'directories')
      await page.getByRole('button', { name: 'Create Directory' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Create Directory' }).click()
      await expect(page.getByText('Enter a name.').first()).toBeVisible()
      await expectClean(page, 'Create Directory, with errors')
      await page.keyboard.press('Escape')
      await chooseAction(page, longName, 'Rename')
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectClean(page, 'Rename directory')
      await page.goto(`/directories/${id}`)
      await expect(rows(page)).toHaveCount(5)
      await expectClean(page, 'a directory')
      await page.getByRole('button', { name: `Actions for ${longName}.pdf` }).click()
      await expectClean(page, 'the menu of a file')
      await page.keyboard.press('Escape')
      await page.goto(`/directories/${id}?search=nothing`)
      await expect(page.getByRole('button', { name: 'Clear search' })).toBeVisible()
      await expectClean(page, 'no match')
      await page.route('**/v1/directory/*', () => undefined) // never responds
      await page.goto(`/directories/${id}`)
      await expect(page.getByRole('heading', { level: 1, name: 'Loading' })).toBeAttached()
      await expectClean(page, 'a directory that is loading')
    })
  })
}
