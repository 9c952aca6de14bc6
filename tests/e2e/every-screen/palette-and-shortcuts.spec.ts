import type { Page } from '@playwright/test'
import { addSharedLink, openSharedLink, phoneViewport } from '../access/access-steps.ts'
import { expectClean, looks } from '../expect-clean.ts'
import { chooseAction, opener, openPage } from '../files/directory-steps.ts'
import { addCompanyWithUser, addDirectory, asAdmin, expect, kim, signInInNewContext, test } from '../fixtures.ts'

const peine = { name: 'Petra Peine', email: 'petra@brandt.example', password: 'another long password' }

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or choose an action' })
const paletteInput = (page: Page) => palette(page).getByRole('combobox')
const paletteOption = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name })
const actionsMenu = (page: Page, name: string) => page.getByRole('menu', { name: `Actions for ${name}` })

test('finds data and actions in the command palette with the keyboard, and restores the focus', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const link = await addSharedLink(baseURL, 'LINK_DIRECTORY', { files: { 'ground floor.txt': 'a', 'roof.txt': 'b' } })
  await openPage(page, '/directories')
  await opener(page, 'Plans').focus()
  await page.keyboard.press('Control+k')
  await expect(paletteInput(page)).toBeFocused()
  await expect(palette(page).getByRole('group').first()).toHaveAccessibleName('Actions')
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
  await expect(opener(page, 'Plans')).toBeFocused()

  // Find a file in its directory.
  await page.keyboard.press('Control+k')
  await paletteInput(page).fill('FLOOR')
  await expect(paletteOption(page, /^ground floor\.txt/).locator('mark')).toHaveText('floor')
  await expect(paletteOption(page, /^ground floor\.txt/)).toContainText('Plans · Neptune')
  await expect(paletteInput(page)).toHaveAttribute('aria-activedescendant', /.+/)
  await page.keyboard.press('Enter')
  await expect(opener(page, 'ground floor.txt')).toBeFocused()
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('1 selected')
  await expect(opener(page, 'roof.txt')).toBeVisible()
  await expect(page).toHaveURL(`/directories/${link.directory}`)

  // A list that is filtered by the exact name of the file still shows the file after it is renamed.
  await page.getByLabel('Search this directory').fill('ground floor.txt')
  await expect(opener(page, 'roof.txt')).toBeHidden()
  await chooseAction(page, 'ground floor.txt', 'Rename')
  await page.getByRole('dialog').getByLabel('Name').fill('cellar.txt')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await expect(opener(page, 'cellar.txt')).toBeVisible()
  await expect(page.getByLabel('Search this directory')).toHaveValue('cellar.txt')

  // Find a link by its key. New input discards the results of the previous search.
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(palette(page).getByRole('group', { name: 'Recent' }).getByRole('option').first()).toHaveAccessibleName(/Plans/)
  await page.route('**/v1/link?*search=roof*', () => {}) // never responds
  await paletteInput(page).fill('roof')
  await expect(paletteOption(page, /^roof\.txt/)).toBeVisible()
  await paletteInput(page).fill(link.key)
  await expect(paletteOption(page, /^roof\.txt/)).toHaveCount(0)
  await paletteOption(page, /^Plans/).click()
  await expect(page).toHaveURL(/\/links\?search=/)
  await expect(page.getByRole('row').getByRole('button', { name: /^Plans/ })).toBeFocused()

  // If there are more results than are shown, an option opens the page with all of them.
  await addDirectory(baseURL, 'Attic', Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`beam ${n}.txt`, 'x'])))
  await page.keyboard.press('Control+k')
  await page.keyboard.type('beam')
  await expect(paletteOption(page, /^beam/)).toHaveCount(5)
  await paletteOption(page, /^More in Files/).click()
  await expect(page).toHaveURL(/\/files\?search=beam$/)
  await expect(page.getByRole('row').filter({ hasText: /beam \d\.txt/ })).toHaveCount(6)

  // Find an action. The arrow keys wrap around.
  await page.keyboard.press('Control+k')
  await paletteInput(page).fill('create')
  await expect(palette(page).getByRole('option', { selected: true })).toHaveAccessibleName('Create link')
  for (const [key, name] of [
    ['ArrowUp', 'Create token'],
    ['ArrowDown', 'Create link'],
    ['ArrowDown', 'Create Directory'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(palette(page).getByRole('option', { selected: true })).toHaveAccessibleName(name)
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Create Directory' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(palette(page)).toHaveCount(0)
  await page.keyboard.press('Escape')

  // No match, and a failing search.
  await page.keyboard.press('Control+k')
  await paletteInput(page).fill('no such thing')
  await expect(palette(page).getByText('Nothing matches “no such thing”.')).toBeVisible()
  await page.route('**/v1/user?*', (route) => route.abort())
  await page.route('**/v1/file?*', (route) => route.abort())
  await paletteInput(page).fill('plan')
  await expect(palette(page).getByRole('alert')).toHaveText(/^Some results couldn’t be loaded\. Neptune cannot be reached/)
  await expect(palette(page).getByRole('group', { name: 'Directories' })).toBeVisible()
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    await expectClean(page, `the palette, ${colorScheme}, ${width} wide`)
  }
  await page.unroute('**/v1/file?*')
  await palette(page).getByRole('button', { name: 'Try again' }).click()
  await expect(palette(page).getByRole('alert')).toHaveCount(0)
  await page.context().setOffline(true)
  await paletteInput(page).fill('theme')
  await expect(palette(page).getByText('You’re offline. Search finds only pages and actions.')).toBeVisible()
  await expect(paletteOption(page, 'Dark theme')).toBeVisible()
})

test('lets an employee find companies, people and files by one or several words, but nothing of a company they can’t access', {
  tag: '@slow',
}, async ({ browser, baseURL }) => {
  const { id, company } = await addCompanyWithUser(baseURL, 'Brandt & Partner', kim)
  const call = asAdmin(baseURL)
  await call('POST', '/v1/admin/user', { ...peine, company, role: 'NEPTUNE_USER' })
  const clients: Record<string, string> = {}
  for (const name of ['Acme', 'Zahnärzte Nord', 'Hooli'])
    clients[name] = (await call('POST', '/v1/admin/company', { name })).data.id
  const visible = [clients['Acme'], clients['Zahnärzte Nord']]
  await call('PATCH', `/v1/admin/user/${id}/access`, { access: 'selected', companies: visible })
  await addDirectory(baseURL, 'Steuern', { 'Steuerbescheid 2019.txt': 'x', 'Angebot.txt': 'y' }, clients['Acme'])
  await addDirectory(baseURL, 'Geheim', { 'Angebot.txt': 'y' }, clients['Hooli'])
  const kimsPage = await signInInNewContext(browser, baseURL, kim)
  const search = async (text: string) => {
    await kimsPage.getByRole('button', { name: 'Search', exact: true }).click()
    await paletteInput(kimsPage).fill(text)
  }
  for (const words of ['steuerb 2019', '2019 steuerbescheid']) {
    await search(words)
    await expect(paletteOption(kimsPage, /^Steuerbescheid 2019\.txt/)).toBeVisible()
    await kimsPage.keyboard.press('Escape')
  }
  await search('acme angebot')
  await expect(palette(kimsPage).getByRole('group', { name: 'Files' }).getByRole('option')).toHaveText([/Angebot\.txt.*Acme/])
  await kimsPage.keyboard.press('Escape')
  await search('hooli')
  await expect(palette(kimsPage).getByText('Nothing matches “hooli”.')).toBeVisible()
  await kimsPage.keyboard.press('Escape')
  await search('peine')
  await expect(palette(kimsPage).getByRole('group', { name: 'Users' }).getByRole('option')).toHaveText([/Petra Peine/])
  await kimsPage.keyboard.press('Escape')
  await search('zahnaerzte')
  await palette(kimsPage).getByRole('group', { name: 'Companies' }).getByRole('option', { name: 'Zahnärzte Nord' }).click()
  await expect(kimsPage.getByRole('heading', { level: 1 })).toHaveText('Zahnärzte Nord')
})

test('supports single-key shortcuts unless turned off, and restores a list’s scroll position on Back', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const client = (await asAdmin(baseURL)('GET', '/v1/identity')).data.company
  const names = Array.from({ length: 60 }, (_, n) => `Plans ${String(n).padStart(2, '0')}`)
  await Promise.all(names.map((directory) => asAdmin(baseURL)('POST', '/v1/directory', { directory, client })))
  await openPage(page, '/directories')
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  // The page renders before its shortcuts are registered.
  await expect(async () => {
    await page.keyboard.press('?')
    await expect(shortcuts).toBeVisible({ timeout: 20_000 })
  }).toPass()
  await expectClean(page, 'the shortcuts')
  await page.keyboard.press('/') // ignored, because a dialog is open
  await shortcuts.getByRole('checkbox').uncheck()
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).not.toBeFocused()
  await page.getByRole('button', { name: /Administrator/ }).click()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await shortcuts.getByRole('checkbox').check()
  await shortcuts.getByRole('button', { name: 'Close' }).click()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('plans?/')
  await expect(page.getByRole('searchbox')).toHaveValue('plans?/')
  await page.getByRole('searchbox').fill('plans')
  await expect(page).toHaveURL(/search=plans$/)

  // Load all pages of the list, then return to the same scroll position.
  const chosen = opener(page, 'Plans 54')
  await expect(opener(page, 'Plans 00')).toBeVisible()
  await expect(async () => {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight)) // the search results may load after the first attempt
    await expect(chosen).toBeAttached({ timeout: 20_000 })
  }).toPass()
  await chosen.scrollIntoViewIfNeeded()
  await page.evaluate(() => scrollBy(0, -100))
  const measureTop = async () => Math.round((await chosen.boundingBox())?.y ?? 0)
  await expect.poll(measureTop).toBeGreaterThan(100)
  const before = await measureTop()
  await chosen.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plans 54')
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await page.goBack()
  await expect(page).toHaveURL(/search=plans$/)
  await expect(chosen).toBeFocused()
  await expect.poll(measureTop).toBe(before)

  // Also after a reload has dropped the loaded pages.
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plans 54')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plans 54')
  await page.goBack()
  await expect(chosen).toBeFocused()
  await expect(chosen).toBeInViewport()
})

test.describe('with a mouse and a touch screen', () => {
  test.use({ hasTouch: true })

  test('opens the context menu of a file or directory on right-click, long press and the menu key', { tag: '@slow' }, async ({
    page,
    baseURL,
    browser,
  }) => {
    const link = await addSharedLink(baseURL, 'LINK_DIRECTORY', { files: { 'roof.txt': 'b' } })
    await addDirectory(baseURL, 'Offers')
    await openPage(page, '/directories')
    await opener(page, 'Plans').click({ button: 'right', position: { x: 20, y: 5 } })
    const items = ['Open', 'Download all (ZIP)', 'Share', 'RenameF2', 'Details', 'Activity', 'DeleteDel']
    await expect(actionsMenu(page, 'Plans').getByRole('menuitem')).toHaveText(items)
    await opener(page, 'Offers').click({ button: 'right' })
    await expect(actionsMenu(page, 'Plans')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(opener(page, 'Offers')).toBeFocused()
    for (const key of ['Shift+F10', 'ContextMenu']) {
      await page.keyboard.press(key)
      await expect(actionsMenu(page, 'Offers').getByRole('menuitem').first()).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(opener(page, 'Offers')).toBeFocused()
    }
    const isNotPrevented = await page.evaluate(() => {
      const event = new MouseEvent('contextmenu', { bubbles: true, cancelable: true, shiftKey: true })
      return document.querySelector('[data-opener]')?.dispatchEvent(event)
    })
    expect(isNotPrevented).toBe(true) // Shift opens the browser's own menu

    // Table rows.
    await page.goto('/files')
    await page
      .getByRole('row', { name: /roof\.txt/ })
      .getByText('Text file')
      .click({ button: 'right' })
    await actionsMenu(page, 'roof.txt').getByRole('menuitem', { name: 'Rename' }).click()
    await expect(page.getByRole('dialog', { name: /Rename/ })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'roof.txt', exact: true })).toBeFocused()

    // A recipient's long press opens the menu and does not download.
    const context = await browser.newContext({ ...(baseURL && { baseURL }), hasTouch: true, viewport: phoneViewport })
    const recipient = await context.newPage()
    await openSharedLink(recipient, link)
    let downloads = 0
    recipient.on('download', () => downloads++)
    await longPress(recipient, 'roof.txt')
    await expect(actionsMenu(recipient, 'roof.txt').getByRole('menuitem', { name: 'Download' })).toBeVisible()
    await expectClean(recipient, 'the menu of a recipient')
    expect(downloads).toBe(0)
    const download = recipient.waitForEvent('download')
    await actionsMenu(recipient, 'roof.txt').getByRole('menuitem', { name: 'Download' }).tap()
    expect((await download).suggestedFilename()).toBe('roof.txt')
    await context.close()
  })
})

/** Touches the tile until its menu opens, then releases. */
async function longPress(page: Page, name: string) {
  const box = await opener(page, name).boundingBox()
  const devtools = await page.context().newCDPSession(page)
  const point = { x: (box?.x ?? 0) + 10, y: (box?.y ?? 0) + 10 }
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
  await expect(actionsMenu(page, name)).toBeVisible()
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}
