import type { LinkRow } from '@neptune/contract'
import { readEmails } from '../../support/read-emails.ts'
import { expectClean, extraLooks } from '../expect-clean.ts'
import { addDirectory, admin, asAdmin, expect, openAsAdmin, tableRow, test } from '../fixtures.ts'
import { addLink, addLinkInEachState, askOwner, isCodeAccepted, linkNames, openLinks } from './link-steps.ts'

test.use({ hasServerClock: true })

test('keeps search, company, state and sort order in the URL, and explains each state', { tag: '@slow' }, async ({
  page,
  baseURL,
  serverClock,
}) => {
  const keys = await addLinkInEachState(baseURL, serverClock)
  await openLinks(page)
  await expect(linkNames(page)).toHaveText([/^Paused/, /^Soon/, /^Later/, /^Over/])
  await expect(tableRow(page, 'Over')).toContainText(/Expired\. Anyone who opens the link sees/)
  await expect(tableRow(page, 'Soon')).toContainText(/Expires soon\. It expires in [23] days\./)
  await expect(page.getByTitle('The link doesn’t work while its owner, Kim Doe, can’t sign in.')).toBeVisible()
  await page.getByRole('columnheader', { name: 'Expired' }).getByRole('button').click()
  await expect(page).toHaveURL(/sort=expiry/)
  await expect(linkNames(page)).toHaveText([/^Over/, /^Soon/, /^Paused/, /^Later/])
  for (const [state, shown] of [
    ['Active', [/^Soon/, /^Later/]],
    ['Expires soon', [/^Soon/]],
    ['Expired', [/^Over/]],
    ['Owner suspended', [/^Paused/]],
  ] as const) {
    await page.getByLabel('State').selectOption(state)
    await expect(linkNames(page)).toHaveText([...shown])
  }
  await page.reload()
  await expect(linkNames(page)).toHaveText([/^Paused/])
  await expect(page.getByLabel('State').locator('option:checked')).toHaveText('Owner suspended')
  await page.getByLabel('Select Paused').check()
  await page.getByRole('button', { name: 'Reset access code' }).click()
  await expect(page.getByRole('dialog')).toContainText('You become its owner, because Kim Doe can’t sign in or has no access.')
  await page.getByRole('dialog').getByRole('button', { name: 'Reset Link' }).click()
  await expect(page.getByText('No link matches these filters.')).toBeVisible() // the link is active again
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(linkNames(page)).toHaveCount(4)
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await page.getByLabel('Company').selectOption('Globex')
  await expect(linkNames(page)).toHaveText([/^Paused/])
  await page.goBack()
  await expect(linkNames(page)).toHaveCount(4)
  await page.getByLabel('Search links').fill(keys.later)
  await expect(linkNames(page)).toHaveText([/^Later/])
  await expect(page).toHaveURL(new RegExp(`search=${keys.later}`))
  await page.getByLabel('Search links').fill('nothing of this name')
  await expect(page.getByText('No link matches “nothing of this name”.')).toBeVisible()
})

test('reports a list that failed to load, and loads a long one page by page', { tag: '@slow' }, async ({ page }) => {
  await page.route('**/v1/link?*', (route) => route.fulfill({ status: 500, body: '' }))
  await openLinks(page)
  await expect(page.getByRole('alert')).toContainText('The links did not load.')
  await page.unroute('**/v1/link?*')
  const rows = (from: number, count: number) => Array.from({ length: count }, (_, i) => makeLinkRow(from + i))
  await page.route('**/v1/link?*', (route) => {
    const isSecond = new URL(route.request().url()).searchParams.get('cursor') === 'second'
    return route.fulfill({ json: isSecond ? { data: rows(51, 10), next: null } : { data: rows(1, 50), next: 'second' } })
  })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(linkNames(page).first()).toBeVisible()
  await page.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded()
  await expect(linkNames(page)).toHaveCount(60)
})

test('counts recipients’ requests in the navigation, and answers them with more time, a new code or a dismissal', {
  tag: '@slow',
}, async ({ page, baseURL, neptune }) => {
  const plans = await addLink(baseURL, await addDirectory(baseURL, 'Plans'))
  const offers = await addLink(baseURL, await addDirectory(baseURL, 'Offers'))
  const films = await addLink(baseURL, await addDirectory(baseURL, 'Films'))
  const call = asAdmin(baseURL)
  await call('POST', '/v1/link/email', { key: films.key, targetEmail: 'lee@initech.example', includeCode: false })
  await askOwner(baseURL, plans.key, 'time', 'Lee of Initech. We need a week more.')
  await askOwner(baseURL, offers.key, 'code', 'Kim of Globex, 040 1234')
  await askOwner(baseURL, films.key, 'code')
  await openAsAdmin(page, '/dashboard')
  await page.getByRole('link', { name: 'Links (3 open requests)' }).click()
  const requests = page.getByRole('region', { name: 'Requests from recipients' })
  await expect(requests.getByRole('listitem')).toHaveCount(3)
  await expect(requests.getByRole('listitem').filter({ hasText: 'Plans' })).toContainText(
    /Someone is asking for more time for “Plans”\..*Lee of Initech\. We need a week more\..*(just now|min ago)/,
  )
  await requests.getByRole('button', { name: 'Give 30 more days: Plans' }).click()
  await expect(page.getByText(/“Plans” is open until .*“Lee of Initech\. We need a week more\.”/)).toBeVisible()
  await expect(tableRow(page, 'Plans')).toContainText('in 60 days')
  await expect(requests.getByRole('listitem')).toHaveCount(2)
  await expect(page.getByRole('link', { name: 'Links (2 open requests)' })).toBeVisible()
  expect(await page.evaluate(() => document.activeElement?.closest('section')?.ariaLabel)).toBe('Requests from recipients')

  await expect(requests.getByRole('listitem').filter({ hasText: 'Films' })).toContainText('no mail server: tell lee@')
  await requests.getByRole('button', { name: 'Create a new code: Films' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a new code' })
  await expect(dialog).toContainText(/old code stops working right away.*No mail server is set up, so you’ll see the new code/)
  await expectClean(page, 'create a new code')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await isCodeAccepted(baseURL, films.key, films.accessCode)).toBe(true)
  await requests.getByRole('button', { name: 'Create a new code: Films' }).click()
  await dialog.getByRole('button', { name: 'Create a new code' }).click()
  // Without a mail server, the new code is shown so that someone can pass it on.
  const code = page.getByRole('region', { name: 'Link ready' }).getByLabel('Access code', { exact: true })
  await expect(code).toHaveValue(/^\w{4}-\w{4}-\w{4}$/)
  expect(await isCodeAccepted(baseURL, films.key, await code.inputValue())).toBe(true)
  const emails = await readEmails(neptune.folder, 5) // the link details, three notices of requests, and this one
  expect(emails.some(({ to, text }) => to === 'lee@initech.example' && /[\dA-Z]{4}-[\dA-Z]{4}-[\dA-Z]{4}/.test(text))).toBe(true)

  await requests.getByRole('button', { name: 'Create a new code: Offers' }).click()
  await expect(dialog).toContainText(/Pass it on to the person who asked\..*“Kim of Globex, 040 1234”/)
  await page.getByRole('dialog').getByRole('button', { name: 'Create a new code' }).click()
  const ready = page.getByRole('region', { name: 'Link ready' })
  await expect(ready).toContainText('Offers')
  // The request is no longer listed, so this says who needs the code.
  await expect(ready).toContainText('Pass the new code on to whoever asked: “Kim of Globex, 040 1234”')
  expect(await isCodeAccepted(baseURL, offers.key, await code.inputValue())).toBe(true)
  await expect(requests).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Links', exact: true })).toBeVisible()

  await askOwner(baseURL, plans.key, 'time')
  await page.reload()
  await requests.getByRole('button', { name: 'Dismiss: Plans' }).click()
  await expect(requests).toHaveCount(0)
  await expect(tableRow(page, 'Plans')).toContainText('in 60 days')

  await askOwner(baseURL, plans.key, 'time')
  await page.reload()
  await requests.getByRole('button', { name: 'Choose a date: Plans' }).click()
  const extension = page.getByRole('dialog', { name: 'Extend link' })
  const expiry = extension.getByLabel('New expiry')
  await expect(expiry).toHaveValue(toDay(90))
  await expiry.fill(toDay(59))
  await extension.getByRole('button', { name: 'Extend link' }).click()
  await expect(expiry).toHaveAccessibleDescription(/must be later than the current expiry/)
  await expectClean(page, 'extend a link until a date')
  await expiry.fill(toDay(65))
  await extension.getByRole('button', { name: 'Extend link' }).click()
  await expect(page.getByText(/“Plans” is open until /)).toBeVisible()
  await expect(requests).toHaveCount(0)
  await expect(tableRow(page, 'Plans')).toContainText('in 65 days')
})

/** Returns the day a number of days from now, in the format of a date input. */
const toDay = (days: number) => new Intl.DateTimeFormat('sv-SE').format(Date.now() + days * 24 * 60 * 60_000)

for (const { colorScheme, width } of extraLooks) {
  test.describe(`${colorScheme}, ${width} wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 844 } })

    test('passes axe on the page, its panel and its dialogs without scrolling horizontally', async ({
      page,
      baseURL,
      serverClock,
    }) => {
      const { soon } = await addLinkInEachState(baseURL, serverClock)
      await askOwner(baseURL, soon, 'time', 'Lee of Initech')
      await openLinks(page)
      await expect(linkNames(page)).toHaveCount(4)
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
      const expectCleanDialog = async (name: string) => {
        await page.getByRole('button', { name }).click()
        await expect(dialog).toBeVisible()
        await expectClean(page, name)
        await page.keyboard.press('Escape')
        await expect(dialog).toHaveCount(0)
      }
      for (const name of ['Reset access code', 'Delete link']) await expectCleanDialog(name)
      await page.getByLabel('Select Over').uncheck()
      await page.getByLabel('Select Later').check()
      await expectCleanDialog('Send link details')
      await page.getByLabel('Select all').check()
      await page.getByRole('button', { name: 'Delete links' }).click()
      await expect(dialog).toBeVisible()
      await expectClean(page, 'Delete links')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /^Soon/ }).click()
      await expect(dialog.getByText('Asked for more time')).toBeVisible()
      await expectClean(page, 'activity')
    })
  })
}

const makeLinkRow = (number: number): LinkRow => ({
  key: `key${number}`,
  url: `http://127.0.0.1/access/key${number}`,
  name: `Directory ${number}`,
  type: 'LINK_DIRECTORY',
  client: 'Globex',
  company: 'c',
  directory_id: 'd',
  file_id: null,
  version: null,
  files: null,
  date_created: '2026-01-01T00:00:00.000Z',
  expiry: '2036-01-01T00:00:00.000Z',
  state: 'active',
  reasons: [],
  replaced: false,
  email: null,
  maker: admin.email,
  tells_download: false,
  opened: { times: 0, last_at: null },
  downloaded: { times: 0, last_at: null },
  uploaded: { times: 0, last_at: null },
})
