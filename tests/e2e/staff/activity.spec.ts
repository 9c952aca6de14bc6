import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { addSharedLink, makeWrongCode, openSharedLink } from '../access/access-steps.ts'
import { expectClean, looks } from '../expect-clean.ts'
import {
  addCompanyWithUser,
  addDirectory,
  admin,
  asAdmin,
  expect,
  kim,
  openAsAdmin,
  signIn,
  signInInNewContext,
  test,
} from '../fixtures.ts'

const table = (page: Page) => page.getByRole('table', { name: 'Activity' })
const rows = (page: Page) =>
  table(page)
    .getByRole('row')
    .filter({ hasNot: page.getByRole('columnheader') })
const row = (page: Page, text: string | RegExp) => rows(page).filter({ hasText: text })

async function openActivity(page: Page) {
  await page.goto('/login')
  await signIn(page)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Activity' }).click()
  await expect(page).toHaveTitle('Activity · Neptune')
}

/** Signs in with a wrong password, through the API because the UI would be slower. */
const tryWrongPassword = (baseURL: string | undefined) =>
  fetch(`${baseURL}/v1/identity/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: admin.email, password: 'wrong password' }),
  })

test('lets an admin filter the activity and export it as CSV', { tag: '@slow' }, async ({ page, baseURL }) => {
  await addDirectory(baseURL, 'Plans', { 'Offer.pdf': 'an offer', '=Sum.txt': 'a name like a formula' })
  await tryWrongPassword(baseURL)
  await openActivity(page)
  await expect(row(page, 'Created a directory')).toContainText('Plans')
  await expect(row(page, 'Created a directory')).toContainText('Administrator')
  await expect(row(page, 'Offer.pdf')).toContainText('Uploaded a file')
  await expect(row(page, 'Offer.pdf').getByRole('cell').last()).toHaveText('127.0.0.1')
  await expect(row(page, 'Offer.pdf').locator('time')).toHaveText(/\d{4}, \d\d:\d\d:\d\d$/)
  await expect(row(page, /Refused.*Wrong email address or password/)).toHaveCount(1)
  await expect(rows(page).first()).toContainText('Signed in') // newest first

  await page.getByLabel('Event').selectOption('Uploaded a file')
  await expect(page).toHaveURL(/\?action=file\.uploaded$/)
  await expect(rows(page)).toHaveCount(2)
  await page.getByLabel('Person').selectOption('Administrator')
  await page.reload()
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByLabel('Event').locator('option:checked')).toHaveText('Uploaded a file')

  const downloadStarted = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const download = await downloadStarted
  expect(download.suggestedFilename()).toMatch(/^activity-.*\.csv$/)
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines.slice(1).every((line) => line.includes('file.uploaded'))).toBe(true)
  expect(lines.some((line) => line.includes(',=Sum'))).toBe(false)

  const today = new Intl.DateTimeFormat('sv-SE').format()
  await page.getByLabel('To', { exact: true }).fill(today)
  await expect(page).toHaveURL(/&to=/)
  await expect(rows(page)).toHaveCount(2) // the end date is inclusive
  await page.getByLabel('To', { exact: true }).fill('2001-01-01')
  await expect(page.getByText('No activity matches these filters.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL(/\/activity$/)
  await expect(row(page, 'Exported the activity log')).toHaveCount(1)
  await page.getByLabel('Outcome').selectOption('Refused')
  await expect(rows(page)).toHaveText([/Refused/])
})

test('shows a user only their own company’s activity', { tag: '@slow' }, async ({ browser, baseURL }) => {
  const { company } = await addCompanyWithUser(baseURL, 'Globex', kim)
  await addDirectory(baseURL, 'Ours', { 'Theirs.txt': 'x' }, company)
  await addDirectory(baseURL, 'Elsewhere', { 'Hidden.txt': 'x' })
  const page = await signInInNewContext(browser, baseURL, kim)
  await page.goto('/activity')
  await expect(row(page, 'Theirs.txt')).toContainText('An administrator')
  await expect(row(page, 'Signed in')).toContainText('Kim Doe')
  await expect(row(page, /Elsewhere|Hidden\.txt/)).toHaveCount(0)
  await expect(page.getByLabel('Company')).toHaveCount(0)
  await expect(table(page).getByRole('columnheader', { name: 'Company' })).toHaveCount(0)
  const downloadStarted = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const csv = readFileSync(await (await downloadStarted).path(), 'utf8')
  expect(csv).toContain('Theirs.txt')
  expect(csv).not.toMatch(/Elsewhere|Hidden/)
  await page.context().close()
})

test('links from a file, a directory and a link to their activity', { tag: '@slow' }, async ({ page, browser, baseURL }) => {
  const link = await addSharedLink(baseURL, 'LINK_DIRECTORY', { files: { 'first.txt': '1', 'second.txt': '2' } })
  const visitor = await (await browser.newContext(baseURL === undefined ? {} : { baseURL })).newPage()
  await openSharedLink(visitor, link)
  await visitor.context().close()
  await openAsAdmin(page, `/directories/${link.directory}`)
  await page.getByRole('button', { name: 'Actions for first.txt' }).click()
  await page.getByRole('menuitem', { name: 'Activity' }).click()
  await expect(page.getByText('Activity of the file “first.txt”')).toBeVisible()
  await expect(rows(page)).toHaveText([/Uploaded a file/])
  await page.reload()
  await expect(page.getByText('Activity of the file “first.txt”')).toBeVisible()
  await page.getByRole('button', { name: 'Show activity for all files' }).press('Enter')
  await expect(page).toHaveURL(/\/activity$/)
  await expect(row(page, 'second.txt')).toHaveCount(1)

  await page.goto('/directories')
  await page.getByRole('button', { name: 'Actions for Plans' }).click()
  await page.getByRole('menuitem', { name: 'Activity' }).click()
  await expect(page.getByText('Activity of the directory “Plans”')).toBeVisible()
  await expect(row(page, 'Created a directory')).toHaveCount(1)

  await page.goto('/links')
  await page.getByRole('button', { name: /^Plans/ }).click()
  await page.getByRole('dialog', { name: 'Plans' }).getByRole('link', { name: 'All activity' }).click()
  await expect(page.getByText('Activity of the link “Plans”')).toBeVisible()
  await expect(row(page, 'Opened a link')).toHaveCount(1)
  await expect(row(page, 'Signed in')).toHaveCount(0)
})

test('passes axe without scrolling horizontally when full, when empty and when loading failed', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const link = await addSharedLink(baseURL, 'LINK_DIRECTORY', {
    files: { 'A very long name of a file that nobody would read to its end, version 12.pdf': '1' },
  })
  await fetch(`${baseURL}/v1/link/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ accessKey: link.key, accessCode: makeWrongCode(link.code) }),
  })
  await tryWrongPassword(baseURL)
  await openActivity(page)
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`/activity?directory=${link.directory}`)
    await expect(row(page, 'A very long name')).toHaveCount(1)
    await expectClean(page, `${width} of a directory`)
    await page.goto('/activity')
    await expect(row(page, /Refused/)).toHaveCount(2)
    await expectClean(page, `${width} full`)
    await page.goto('/activity?from=2999-01-01')
    await expect(page.getByRole('button', { name: 'Clear filters' })).toBeVisible()
    await expectClean(page, `${width} empty`)
    await page.route('**/v1/activity?*', (route) => route.fulfill({ status: 400, body: '' }))
    await page.goto('/activity')
    await expect(page.getByText('The activity did not load.')).toBeVisible()
    await expectClean(page, `${width} failed`)
    await page.unroute('**/v1/activity?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(rows(page).first()).toBeVisible()
  }
})

test('keeps removed people in the filter, and says why a right password was refused', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const { id } = await addCompanyWithUser(baseURL, 'Globex', kim)
  const logIn = () =>
    fetch(`${baseURL}/v1/identity/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: kim.email, password: kim.password }),
    })
  expect((await logIn()).status).toBe(200)
  const call = asAdmin(baseURL)
  await call('POST', `/v1/admin/user/${id}/suspend`)
  expect((await logIn()).status).toBe(401)
  await call('POST', `/v1/admin/user/${id}/remove`, {})
  await openAsAdmin(page, '/activity')
  const refused = row(page, 'Right sign-in details, but this person can’t sign in')
  await expect(refused).toContainText(/Refused.*Suspended/)
  await page.getByLabel('Person').selectOption(`${kim.name} (removed)`)
  await expect(rows(page)).toHaveCount(1)
  await expect(row(page, 'Signed in')).toContainText(kim.name)
})

test.describe('in German', () => {
  test.use({ locale: 'de-DE' })

  test('calls an admin of another company “Ein Administrator”', { tag: '@slow' }, async ({ page, baseURL }) => {
    const { company } = await addCompanyWithUser(baseURL, 'Globex', kim)
    await addDirectory(baseURL, 'Ours', { 'Theirs.txt': 'x' }, company)
    await page.goto('/login')
    await page.getByLabel('E-Mail-Adresse').fill(kim.email)
    await page.getByLabel('Passwort', { exact: true }).fill(kim.password)
    await page.getByRole('button', { name: 'Anmelden' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    await page.goto('/activity')
    const entry = page.getByRole('row').filter({ hasText: 'Theirs.txt' })
    await expect(entry).toContainText('Ein Administrator')
  })
})

test('shows changed settings as the settings page does', { tag: '@slow' }, async ({ page, baseURL }) => {
  const call = asAdmin(baseURL)
  const { version } = (await call('GET', '/v1/admin/settings')).data.security
  const values = { second_factor: 'admins', second_factor_from: '2999-12-31', trust_days: 7 }
  await call('PATCH', '/v1/admin/settings/security', { version, values })
  await openAsAdmin(page, '/activity')
  await expect(row(page, 'Who needs a second factor')).toContainText('Nobody → Only administrators')
  await expect(row(page, 'Required from')).toContainText(/not set → .*2999/)
  await expect(row(page, 'Trust browsers for')).toContainText('30 days → 7 days')
})
