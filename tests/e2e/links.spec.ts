import type { LinkRow, LinkType } from '@neptune/contract'
import type { Page } from '@playwright/test'
import { readLetters } from '../support/read-letters.ts'
import { expectClean, looks } from './expect-clean.ts'
import { addDirectory, addUser, admin, asAdmin, expect, kim, openAsAdmin, test } from './fixtures.ts'

const day = 24 * 60 * 60_000

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('each type of link is created to the letter, and is ready to be passed on', async ({ page, baseURL }) => {
  const { company } = await addUser(baseURL, 'Globex', kim)
  const { id, ids } = await addDirectory(baseURL, 'Plans', { 'first.txt': 'x', 'second.txt': 'y' }, company)
  await openLinks(page)
  await expect(page.getByText('No links yet. Create one to share a directory or a file.')).toBeVisible()
  await page.getByRole('button', { name: 'Create link' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create Shareable Link' })
  const type = dialog.getByLabel('Link type')
  const key = dialog.getByLabel('Key', { exact: true })
  const code = dialog.getByLabel('Access code', { exact: true })
  const confirm = dialog.getByRole('button', { name: 'Create Link' })
  await expect(type).toBeDisabled()
  await confirm.click()
  await expect(dialog.getByRole('group', { name: 'The link was not created.' })).toBeFocused()
  await expect(dialog.getByLabel('Company')).toHaveAccessibleDescription('Choose a company.')
  await dialog.getByLabel('Company').selectOption('Globex')
  await confirm.click()
  await expect(dialog.getByLabel('Directory')).toHaveAccessibleDescription('Choose a directory.')
  await expect(type).toBeDisabled()
  await expect(key).toHaveValue('')
  const reserved = page.waitForRequest('**/v1/link/initialise')
  await dialog.getByLabel('Directory').selectOption('Plans')
  expect((await reserved).postDataJSON()).toEqual({ type: 'INITIALISE', company, directory: id })
  await expect(code).toHaveValue(/^\w{4}-\w{4}-\w{4}$/)
  for (const field of [key, code]) await expect(field).toHaveAttribute('readonly')
  await confirm.click()
  await expect(type).toHaveAccessibleDescription('Choose a link type.')
  await type.selectOption('Directory')
  await expect(dialog.getByLabel('Files')).toHaveCount(0)
  await type.selectOption('File')
  await expect(dialog.getByLabel('Files').getByRole('option')).toHaveText(['Choose a file', 'first.txt', 'second.txt'])
  const lastDay = await page.evaluate((days) => new Intl.DateTimeFormat('sv-SE').format(Date.now() + days), 30 * day)
  await expect(dialog.getByLabel('Expiry')).toHaveValue(lastDay)
  await confirm.click()
  await expect(dialog.getByLabel('Files')).toHaveAccessibleDescription('Choose a file.')
  await dialog.getByLabel('Files').selectOption('second.txt')
  await dialog.getByLabel('Tell me of the first download').check()
  const shown = { key: await key.inputValue(), accessCode: await code.inputValue() }
  const created = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/v1/link'))
  await confirm.click()
  const expiry = await page.evaluate((date) => new Date(`${date}T23:59:59.999`).toISOString(), lastDay)
  const told = { linkType: 'LINK_FILE', file: ids['second.txt'], ...shown, expiry, tellDownload: true }
  expect((await created).postDataJSON()).toEqual(told)
  await expect(dialog).toBeHidden()

  const headings = ['', 'Key', 'Name', 'Type', 'Client', 'Date Created', 'Expired', 'View Link']
  await expect(page.getByRole('columnheader')).toHaveText(headings)
  await expect(row(page, 'second.txt')).toContainText(/second\.txt.*Not opened yet.*File.*Globex.*just now.*23:59.*in 3[01] days/)
  await expect(row(page, 'second.txt').getByRole('link', { name: 'View Link' })).toHaveAttribute('href', `/access/${shown.key}`)

  const ready = page.getByRole('region', { name: 'Link ready' })
  await expect(ready).toBeFocused()
  await expect(ready).toContainText('second.txt')
  const address = `${baseURL}/access/${shown.key}`
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await ready.getByRole('button', { name: 'Copy link' }).click()
  expect(await clipboard()).toBe(address)
  await ready.getByRole('button', { name: 'Copy code' }).click()
  expect(await clipboard()).toBe(shown.accessCode)
  await ready.getByRole('button', { name: 'Copy details' }).click()
  await expect(ready.getByText('Copied').last()).toBeAttached()
  for (const part of ['second.txt', address, shown.accessCode, '23:59']) expect(await clipboard()).toContain(part)
  await expect(ready.getByRole('img', { name: 'QR code of the link to second.txt' })).toBeVisible()
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('link', { name: 'Links', exact: true }).click()
  await expect(ready).toBeVisible() // until it is dismissed
  await ready.getByRole('button', { name: 'Dismiss' }).click()
  await expect(ready).toBeHidden()

  for (const [label, linkType] of [
    ['Directory', 'LINK_DIRECTORY'],
    ['Editable directory', 'LINK_EDITABLE_DIRECTORY'],
  ] as const) {
    await page.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByLabel('Company').selectOption('Globex')
    await dialog.getByLabel('Directory').selectOption('Plans')
    await type.selectOption(label)
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/v1/link'))
    await confirm.click()
    expect((await sent).postDataJSON()).toMatchObject({ linkType, directory: id, tellDownload: false })
    await expect(names(page).first()).toContainText('Plans')
    await expect(page.locator('tbody tr').first()).toContainText(label)
  }
  await expect(names(page)).toHaveCount(3)
})

test('a key and a code that are too old are replaced, and the dialog says so', async ({ page, baseURL }) => {
  const { id, company } = await addDirectory(baseURL, 'Plans', { 'first.txt': 'x' })
  const old = await addLink(baseURL, { id, company })
  await openLinks(page)
  await page.getByRole('button', { name: 'Create link' }).click()
  const dialog = page.getByRole('dialog')
  const code = dialog.getByLabel('Access code', { exact: true })
  await dialog.getByLabel('Directory').selectOption('Plans') // there is one company, so it is chosen
  await dialog.getByLabel('Link type').selectOption('Directory')
  await expect(code).not.toHaveValue('')
  const first = await code.inputValue()
  await page.clock.setSystemTime(Date.now() + 61 * 60_000)
  await dialog.getByRole('button', { name: 'Create Link' }).click()
  await expect(dialog.getByRole('group', { name: /over an hour old\. Here are new ones/ })).toBeFocused()
  await expect(code).not.toHaveValue(first)
  await dialog.getByRole('button', { name: 'Create Link' }).click()
  await expect(names(page)).toHaveCount(2)

  await page.getByRole('checkbox', { name: 'Select Plans' }).last().check()
  await page.getByRole('button', { name: 'Reset access code' }).click()
  await expect(code).not.toHaveValue('')
  const before = await code.inputValue()
  const detail = 'More than an hour ago.'
  const refusal = { type: 'about:blank', title: '', status: 409, code: 'link.not_reserved', detail }
  const answer = { status: 409, json: refusal, contentType: 'application/problem+json' }
  await page.route('**/v1/link/reset', (route) => route.fulfill(answer), { times: 1 })
  await dialog.getByRole('button', { name: 'Reset Link' }).click()
  await expect(dialog.getByRole('group', { name: /Here is another one/ })).toBeFocused()
  await expect(code).not.toHaveValue(before)
  await dialog.getByRole('button', { name: 'Reset Link' }).click()
  await expect(page.getByRole('region', { name: 'Link ready' })).toContainText('The old code does not work any more.')
  expect(await isOpenedBy(baseURL, old.key, old.accessCode)).toBe(false)
})

test('a reset shows the new code, which alone opens the link from then on', async ({ page, baseURL }) => {
  const link = await addLink(baseURL, await addDirectory(baseURL, 'Plans'))
  await openLinks(page)
  await page.getByLabel('Select Plans').check()
  const asked = page.waitForRequest('**/v1/link/initialise')
  await page.getByRole('button', { name: 'Reset access code' }).click()
  expect((await asked).postDataJSON()).toEqual({ type: 'RESET', accessKey: link.key })
  const dialog = page.getByRole('dialog', { name: 'Reset Shareable Link' })
  const code = dialog.getByLabel('Access code', { exact: true })
  await expect(code).toHaveValue(/^\w{4}-\w{4}-\w{4}$/)
  await expect(code).toHaveAttribute('readonly')
  const next = await code.inputValue()
  expect(await isOpenedBy(baseURL, link.key, link.accessCode)).toBe(true)
  await dialog.getByRole('button', { name: 'Reset Link' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('region', { name: 'Link ready' }).getByLabel('Code', { exact: true })).toHaveValue(next)
  expect(await isOpenedBy(baseURL, link.key, link.accessCode)).toBe(false)
  expect(await isOpenedBy(baseURL, link.key, next)).toBe(true)
})

test('the details are sent with or without the code, and what happened with a link can be read', async ({
  page,
  baseURL,
  neptune,
}) => {
  const directory = await addDirectory(baseURL, 'Plans', { 'first.txt': 'twelve bytes' })
  const { key, accessCode } = await addLink(baseURL, directory)
  await openLinks(page)
  await page.getByLabel('Select Plans').check()
  await page.getByRole('button', { name: 'Send link details' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send Link Details' })
  const to = dialog.getByLabel('Target e-mail')
  const send = dialog.getByRole('button', { name: 'Send Details' })
  await expect(dialog.getByLabel('Access URL', { exact: true })).toHaveValue(`${baseURL}/access/${key}`)
  await expect(dialog.getByLabel('Access URL', { exact: true })).toHaveAttribute('readonly')
  await expect(to).toBeFocused()
  await send.click()
  await expect(to).toHaveAccessibleDescription('Enter an e-mail address.')
  await to.fill('lee, kim@globex.example')
  await send.click()
  await expect(to).toHaveAccessibleDescription(/must be an e-mail address/)
  const detail = 'Too many mails. Wait before you send another one.'
  const refusal = { type: 'about:blank', title: '', status: 429, code: 'mail.too_many', detail }
  const answer = { status: 429, json: refusal, contentType: 'application/problem+json' }
  await page.route('**/v1/link/email', (route) => route.fulfill(answer), { times: 1 })
  await to.fill('lee@initech.example')
  await send.click()
  await expect(dialog.getByRole('group', { name: detail })).toBeFocused()
  await send.click()
  await expect(page.getByText('The link details are on their way to lee@initech.example.')).toBeVisible()
  const [withCode] = await readLetters(neptune.folder, 1)
  expect(withCode?.to).toBe('lee@initech.example')
  expect(withCode?.text).toContain(`/access/${key}`)
  expect(withCode?.text).toContain(accessCode)

  await page.getByRole('button', { name: 'Send link details' }).click()
  await expect(to).toHaveValue('lee@initech.example')
  await dialog.getByLabel('Include the access code').uncheck()
  await expect(dialog.getByText('Tell the code by telephone.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Show code' }).click()
  await expect(dialog.getByLabel('Access code', { exact: true })).toHaveValue(accessCode)
  await send.click()
  await expect(dialog).toBeHidden()
  const letters = await readLetters(neptune.folder, 2)
  const [without] = letters.filter(({ text }) => !text.includes(accessCode))
  expect(without?.text).toContain(`/access/${key}`)

  await download(baseURL, key, accessCode, directory.ids['first.txt'] ?? '')
  await page.reload()
  await expect(row(page, 'Plans')).toContainText('Opened 1 · downloaded 1')
  await row(page, 'Plans').getByText('Directory').click() // anywhere on the row
  const activity = page.getByRole('dialog', { name: 'Link Activity' })
  await expect(activity.getByRole('list', { name: 'Activity' }).getByRole('listitem')).toHaveText([
    /^Downloaded “first\.txt” · 12 B.*from 127\.0\.0\.1/,
    /^Opened.*from 127\.0\.0\.1/,
    /^Code shown.*by Administrator/,
    /^Code sent to lee@initech\.example.*by Administrator/,
  ])
  const recipient = activity.getByRole('link', { name: 'View as recipient' })
  await expect(recipient).toHaveAttribute('href', `/access/${key}?as=recipient`)
  await expect(recipient).toHaveAttribute('target', '_blank')
  await page.keyboard.press('Escape')
  await expect(activity).toBeHidden()
})

test('one link is deleted, and several at once', async ({ page, baseURL }) => {
  const made: { key: string; accessCode: string }[] = []
  for (const name of ['Alpha', 'Beta', 'Gamma']) made.push(await addLink(baseURL, await addDirectory(baseURL, name)))
  await openLinks(page)
  await page.getByLabel('Select Alpha').check()
  const bar = page.getByRole('region', { name: 'Selection' })
  await expect(bar.getByRole('button')).toHaveText(['', 'Reset access code', 'Send link details', 'Delete link'])
  await bar.getByRole('button', { name: 'Delete link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Shareable Link', exact: true })
  await expect(dialog).toHaveAccessibleDescription(/Whoever came in by the link to “Alpha” is out at once/)
  await dialog.getByRole('button', { name: 'Delete Link' }).click()
  await expect(page.getByText('Deleted the link to “Alpha”.')).toBeVisible()
  await expect(names(page)).toHaveText([/^Gamma/, /^Beta/])
  await page.getByLabel('Select all').check()
  await expect(bar.getByRole('button')).toHaveText(['', 'Delete links'])
  await bar.getByRole('button', { name: 'Delete links' }).click()
  const both = page.getByRole('dialog', { name: 'Delete Shareable Links' })
  await expect(both.getByRole('listitem')).toHaveText([/^Gamma/, /^Beta/])
  await both.getByRole('button', { name: 'Delete Links' }).click()
  await expect(page.getByText('Deleted 2 links.')).toBeVisible()
  await expect(page.getByText('No links yet.')).toBeVisible()
  for (const { key, accessCode } of made) expect(await isOpenedBy(baseURL, key, accessCode)).toBe(false)
})

test('search, company, state and order live in the address, and each state says what it means', async ({ page, baseURL }) => {
  const made = await addEachState(baseURL)
  await openLinks(page)
  await expect(names(page)).toHaveText([/^Paused/, /^Soon/, /^Later/, /^Over/])
  await expect(row(page, 'Over')).toContainText(/Expired\. Whoever opens it is told/)
  await expect(row(page, 'Soon')).toContainText(/Expires soon\. It expires in [23] days\./)
  await expect(page.getByTitle(/its maker may not share any more.*makes you its maker/)).toBeVisible()
  await page.getByRole('columnheader', { name: 'Expired' }).getByRole('button').click()
  await expect(page).toHaveURL(/sort=expiry/)
  await expect(names(page)).toHaveText([/^Over/, /^Soon/, /^Paused/, /^Later/])
  for (const [state, shown] of [
    ['Active', [/^Soon/, /^Later/]],
    ['Expires soon', [/^Soon/]],
    ['Expired', [/^Over/]],
    ['Paused', [/^Paused/]],
  ] as const) {
    await page.getByLabel('State').selectOption(state)
    await expect(names(page)).toHaveText([...shown])
  }
  await page.reload()
  await expect(names(page)).toHaveText([/^Paused/])
  await expect(page.getByLabel('State').locator('option:checked')).toHaveText('Paused')
  await page.getByLabel('Select Paused').check()
  await page.getByRole('button', { name: 'Reset access code' }).click()
  await expect(page.getByRole('dialog')).toContainText('Resetting its access code makes you its maker.')
  await page.getByRole('dialog').getByRole('button', { name: 'Reset Link' }).click()
  await expect(page.getByText('No link matches these filters.')).toBeVisible() // it is active again
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(names(page)).toHaveCount(4)
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await page.getByLabel('Company').selectOption('Globex')
  await expect(names(page)).toHaveText([/^Paused/])
  await page.goBack()
  await expect(names(page)).toHaveCount(4)
  await page.getByLabel('Search links').fill(made.later)
  await expect(names(page)).toHaveText([/^Later/])
  await expect(page).toHaveURL(new RegExp(`search=${made.later}`))
  await page.getByLabel('Search links').fill('nothing of this name')
  await expect(page.getByText('No link matches “nothing of this name”.')).toBeVisible()
})

test('a list that does not load says so, and a long one grows page by page', async ({ page }) => {
  await page.route('**/v1/link?*', (route) => route.fulfill({ status: 500, body: '' }))
  await openLinks(page)
  await expect(page.getByRole('alert')).toContainText('The links did not load.')
  await page.unroute('**/v1/link?*')
  const rows = (from: number, count: number) => Array.from({ length: count }, (_, i) => sample(from + i))
  await page.route('**/v1/link?*', (route) => {
    const isSecond = new URL(route.request().url()).searchParams.get('cursor') === 'second'
    return route.fulfill({ json: isSecond ? { data: rows(51, 10), next: null } : { data: rows(1, 50), next: 'second' } })
  })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(names(page).first()).toBeVisible()
  await page.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded()
  await expect(names(page)).toHaveCount(60)
})

test('questions of recipients are counted in the navigation and answered by one press', async ({ page, baseURL, neptune }) => {
  const plans = await addLink(baseURL, await addDirectory(baseURL, 'Plans'))
  const offers = await addLink(baseURL, await addDirectory(baseURL, 'Offers'))
  const films = await addLink(baseURL, await addDirectory(baseURL, 'Films'))
  const call = asAdmin(baseURL)
  await call('POST', '/v1/link/email', { key: films.key, targetEmail: 'lee@initech.example', includeCode: false })
  await ask(baseURL, plans.key, 'time', 'Lee of Initech. We need a week more.')
  await ask(baseURL, offers.key, 'code')
  await ask(baseURL, films.key, 'code')
  await openAsAdmin(page, '/dashboard')
  await page.getByRole('link', { name: 'Links (3 open questions)' }).click()
  const asks = page.getByRole('region', { name: 'Questions of recipients' })
  await expect(asks.getByRole('listitem')).toHaveCount(3)
  await expect(asks.getByRole('listitem').filter({ hasText: 'Plans' })).toContainText(
    /Somebody asks for more time for “Plans”\..*Lee of Initech\. We need a week more\..*just now/,
  )
  await asks.getByRole('button', { name: 'Give 30 more days: Plans' }).click()
  await expect(page.getByText(/“Plans” is open until /)).toBeVisible()
  await expect(row(page, 'Plans')).toContainText('in 60 days')
  await expect(asks.getByRole('listitem')).toHaveCount(2)
  await expect(page.getByRole('link', { name: 'Links (2 open questions)' })).toBeVisible()
  expect(await page.evaluate(() => document.activeElement?.closest('section')?.ariaLabel)).toBe('Questions of recipients')

  await asks.getByRole('button', { name: 'Send a new code: Films' }).click()
  await expect(page.getByText('A new code is on its way to lee@initech.example.')).toBeVisible()
  const letters = await readLetters(neptune.folder, 5) // one with the address, three that tell of questions, and this one
  expect(letters.some(({ to, text }) => to === 'lee@initech.example' && /[\dA-Z]{4}-[\dA-Z]{4}-[\dA-Z]{4}/.test(text))).toBe(true)

  await asks.getByRole('button', { name: 'Make a new code: Offers' }).click()
  const code = page.getByRole('region', { name: 'Link ready' }).getByLabel('Code', { exact: true })
  await expect(code).toHaveValue(/^\w{4}-\w{4}-\w{4}$/)
  expect(await isOpenedBy(baseURL, offers.key, await code.inputValue())).toBe(true)
  await expect(asks).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Links', exact: true })).toBeVisible()

  await ask(baseURL, plans.key, 'time')
  await page.reload()
  await asks.getByRole('button', { name: 'Dismiss: Plans' }).click()
  await expect(asks).toHaveCount(0)
  await expect(row(page, 'Plans')).toContainText('in 60 days')
})

test('by keyboard, a file and a directory are shared from where they are', async ({ page, baseURL }) => {
  const { id } = await addDirectory(baseURL, 'Plans', { 'first.txt': 'x', 'second.txt': 'y' })
  await openAsAdmin(page, `/directories/${id}`)
  await page.getByRole('button', { name: 'Actions for second.txt' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Create link' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Create Shareable Link' })
  await expect(dialog.getByLabel('Company')).toBeFocused()
  await expect(dialog.getByLabel('Files').locator('option:checked')).toHaveText('second.txt')
  await expect(dialog.getByLabel('Directory').locator('option:checked')).toHaveText('Plans')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(dialog.getByLabel('Link type')).toBeFocused()
  await expect(dialog.getByLabel('Access code', { exact: true })).not.toHaveValue('')
  await dialog.getByRole('button', { name: 'Create Link' }).press('Enter')
  await expect(page).toHaveURL(/\/links$/)
  await expect(page.getByRole('region', { name: 'Link ready' })).toBeFocused()
  await expect(names(page)).toHaveText([/^second\.txt/])

  await page.getByRole('checkbox', { name: 'Select second.txt' }).press('Space')
  await page.getByRole('button', { name: 'Reset access code' }).press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Reset access code' })).toBeFocused()
  await page.getByRole('button', { name: 'second.txt Not opened yet' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'Link Activity' })).toContainText('Nothing has happened with this link yet.')
  await page.keyboard.press('Escape')

  await page.goto('/directories')
  await page.getByRole('button', { name: 'Actions for Plans' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Create link' }).press('Enter')
  await expect(dialog.getByLabel('Directory').locator('option:checked')).toHaveText('Plans')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.goto(`/directories/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Plans' })).toBeVisible()
  await page.getByRole('button', { name: 'Create link' }).press('Enter')
  await dialog.getByLabel('Link type').selectOption('Directory')
  await dialog.getByRole('button', { name: 'Create Link' }).press('Enter')
  await expect(names(page)).toHaveText([/^Plans/, /^second\.txt/])
})

for (const { colorScheme, width } of looks) {
  test.describe(`${colorScheme}, ${width} wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 844 } })

    test('axe finds nothing on the page, its panel and its dialogs, and nothing scrolls sideways', async ({ page, baseURL }) => {
      const { soon } = await addEachState(baseURL)
      await ask(baseURL, soon, 'time', 'Lee of Initech')
      await openLinks(page)
      await expect(names(page)).toHaveCount(4)
      await expectClean(page, 'links')
      await page.getByRole('button', { name: 'Create link' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Create Link' }).click()
      await expectClean(page, 'create, with errors')
      await dialog.getByLabel('Company').selectOption('Globex')
      await dialog.getByLabel('Directory').selectOption('Paused')
      await dialog.getByLabel('Link type').selectOption('File')
      await expect(dialog.getByLabel('Access code', { exact: true })).not.toHaveValue('')
      await expectClean(page, 'create')
      await dialog.getByLabel('Link type').selectOption('Directory')
      await dialog.getByRole('button', { name: 'Create Link' }).click()
      await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible()
      await expectClean(page, 'ready')
      await page.getByLabel('Select Over').check()
      for (const name of ['Reset access code', 'Send link details', 'Delete link']) {
        await page.getByRole('button', { name }).click()
        await expect(dialog).toBeVisible()
        await expectClean(page, name)
        await page.keyboard.press('Escape')
        await expect(dialog).toHaveCount(0)
      }
      await page.getByLabel('Select all').check()
      await page.getByRole('button', { name: 'Delete links' }).click()
      await expectClean(page, 'Delete links')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /^Soon/ }).click()
      await expect(dialog.getByText('Asked for more time')).toBeVisible()
      await expectClean(page, 'activity')
    })
  })
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

const names = (page: Page) => page.getByRole('table', { name: 'Links' }).locator('td:has([data-opener])')

async function openLinks(page: Page) {
  await openAsAdmin(page, '/links')
  await expect(page.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()
}

interface Made {
  linkType?: LinkType
  /** From now, in milliseconds. */
  lives?: number
  call?: ReturnType<typeof asAdmin>
}

/** A link to a whole directory, as the API makes it. */
async function addLink(baseURL: string | undefined, { id, company }: { id: string; company: string }, more: Made = {}) {
  const { linkType = 'LINK_DIRECTORY', lives = 30 * day } = more
  const call = more.call ?? asAdmin(baseURL)
  const { data } = await call('POST', '/v1/link/initialise', { company, directory: id })
  const reserved: { key: string; accessCode: string } = data
  const expiry = new Date(Date.now() + lives).toISOString()
  await call('POST', '/v1/link', { linkType, directory: id, ...reserved, expiry })
  return reserved
}

/** Four links in the four states. The paused one's maker is suspended. */
async function addEachState(baseURL: string | undefined) {
  const { id, company } = await addUser(baseURL, 'Globex', kim)
  const over = await addLink(baseURL, await addDirectory(baseURL, 'Over'), { lives: 1500 })
  const later = await addLink(baseURL, await addDirectory(baseURL, 'Later'), { lives: 60 * day })
  const soon = await addLink(baseURL, await addDirectory(baseURL, 'Soon'), { lives: 3 * day - 1000 })
  const { token } = await (await post(baseURL, '/v1/identity/login', { email: kim.email, password: kim.password })).json()
  const call = async (_method: string, path: string, body?: object) => (await post(baseURL, path, body ?? {}, token)).json()
  await addLink(baseURL, await addDirectory(baseURL, 'Paused', {}, company), { call })
  const admins = asAdmin(baseURL)
  await admins('POST', `/v1/admin/user/${id}/suspend`)
  await expect.poll(async () => (await admins('GET', '/v1/link?state=expired')).data.length).toBe(1)
  return { over: over.key, later: later.key, soon: soon.key }
}

/** What a recipient does, without a browser. */
async function post(baseURL: string | undefined, path: string, body: object, token?: string) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  return fetch(baseURL + path, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function visit(baseURL: string | undefined, accessKey: string, accessCode: string) {
  const { data } = await (await post(baseURL, '/v1/link/verify', { accessKey, accessCode })).json()
  return data as { validation: boolean; token: string | null }
}

const isOpenedBy = async (baseURL: string | undefined, key: string, code: string) => (await visit(baseURL, key, code)).validation

const ask = async (baseURL: string | undefined, accessKey: string, wants: 'time' | 'code', message?: string) =>
  expect((await post(baseURL, '/v1/ask', { accessKey, wants, ...(message && { message }) })).status).toBe(204)

async function download(baseURL: string | undefined, key: string, code: string, file: string) {
  const { token } = await visit(baseURL, key, code)
  const reply = await fetch(`${baseURL}/v1/file/${file}`, { headers: { authorization: `Bearer ${token}` } })
  expect(await reply.text()).toBe('twelve bytes')
}

const sample = (number: number): LinkRow => ({
  key: `key${number}`,
  name: `Directory ${number}`,
  type: 'LINK_DIRECTORY',
  client: 'Globex',
  company: 'c',
  directory_id: 'd',
  file_id: null,
  date_created: '2026-01-01T00:00:00.000Z',
  expiry: '2036-01-01T00:00:00.000Z',
  state: 'active',
  email: null,
  maker: admin.email,
  tells_download: false,
  opened: { times: 0, last_at: null },
  downloaded: { times: 0, last_at: null },
  uploaded: { times: 0, last_at: null },
})
