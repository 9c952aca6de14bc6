import type { Browser, Page } from '@playwright/test'
import { parseEmail, readEmailTo } from '../../support/read-emails.ts'
import { startSmtp } from '../../support/services/start-smtp.ts'
import { expectClean, extraLooks } from '../expect-clean.ts'
import { asAdmin, expect, kim, openAsAdmin, signIn, tableRow, test } from '../fixtures.ts'
import { openUsers } from './user-steps.ts'

const ada = { name: 'Ada Lovelace', email: 'ada@acme.example', password: 'analytical engine no 1' }
const dayMs = 24 * 60 * 60_000

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })

async function fillInvitation(page: Page, button: string) {
  await page.getByRole('button', { name: 'Add user' }).click()
  const dialog = dialogOf(page, 'Create User')
  await dialog.getByLabel('Name', { exact: true }).fill(ada.name)
  await dialog.getByLabel('E-mail address').fill(ada.email)
  await dialog.getByLabel('Company').selectOption('Neptune')
  await dialog.getByRole('button', { name: button }).click()
  await expect(dialog.getByLabel('Password', { exact: true })).toBeDisabled()
  return dialog
}

/** Invites Ada through the API. Returns her id and the link. */
async function inviteAda(baseURL: string | undefined): Promise<{ id: string; url: string }> {
  const call = asAdmin(baseURL)
  const { data: admin } = await call('GET', '/v1/identity')
  const user = { name: ada.name, email: ada.email, company: admin.company, role: 'NEPTUNE_USER', invite: true }
  const { data, link } = await call('POST', '/v1/admin/user', user)
  return { id: data.id, url: link.url }
}

/** Opens a link in another browser, as on another computer. */
async function openElsewhere(browser: Browser, url: string, options = {}): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage()
  await page.goto(url)
  return page
}

const invalidMessage = 'This invitation no longer works, or its link is incomplete.'

async function accept(page: Page) {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Ada Lovelace')
  await expect(page.getByLabel('E-mail address')).toHaveValue(ada.email)
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.getByRole('button', { name: 'Accept invitation' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
}

const withMailServer = test.extend<{ smtp: Awaited<ReturnType<typeof startSmtp>> }>({
  smtp: async ({ browserName: _ }, use) => {
    await using smtp = await startSmtp()
    await use(smtp)
  },
  settings: async ({ smtp }, use) => use({ SMTP_URL: smtp.url }),
})

withMailServer(
  'invites someone by email, who opens the link in another browser, chooses a password and is signed in',
  async ({ page, browser, smtp }) => {
    await openUsers(page)
    const dialog = await fillInvitation(page, 'Send an invitation by email')
    await expect(dialog.getByText('a link to accept the invitation. It works once, for 7 days.')).toBeVisible()
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/v1/admin/user'))
    await dialog.getByRole('button', { name: 'Create User' }).click()
    const body = (await sent).postDataJSON()
    expect(body).toMatchObject({ name: ada.name, email: ada.email, invite: true })
    expect(body).not.toHaveProperty('password')
    await expect(page.getByText('Invited Ada Lovelace.')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(tableRow(page, ada.name)).toContainText(/Invited/)
    // The dialog preselects the same company and an invitation for the next person.
    await page.getByRole('button', { name: 'Add user' }).click()
    await expect(dialog.getByLabel('Company').locator('option:checked')).toHaveText('Neptune')
    await expect(dialog.getByRole('button', { name: 'Set a password now' })).toBeVisible()
    await page.keyboard.press('Escape')

    await expect.poll(() => smtp.messages.length).toBe(1)
    const email = parseEmail(smtp.messages[0]?.text ?? '')
    expect(email).toMatchObject({ to: ada.email, subject: 'Administrator invited you to Neptune' })
    const [url = ''] = /http\S+\/invitation\/\S+/.exec(email.text) ?? []
    // A mail scanner that follows the link doesn't use it up.
    for (let i = 0; i < 3; i++) expect((await fetch(url)).status).toBe(200)

    const adasPage = await openElsewhere(browser, url, { viewport: { width: 390, height: 844 } })
    await expect(adasPage).toHaveTitle('Welcome, Ada Lovelace · Neptune')
    await expect(adasPage.getByText('You’re invited to join Neptune. Choose a password to get started.')).toBeVisible()
    const password = adasPage.getByLabel('Password', { exact: true })
    await expect(password).toBeFocused()
    await password.fill('short')
    await adasPage.getByRole('button', { name: 'Accept invitation' }).click()
    await expect(password).toHaveAccessibleDescription('At least 12 characters: 7 more.')
    await accept(adasPage)
    await adasPage.goBack()
    await expect(adasPage).not.toHaveURL(/\/invitation\//)
    await page.reload()
    await expect(tableRow(page, ada.name)).toContainText(/Active/)

    await adasPage.goto(url)
    await expect(adasPage.getByText(invalidMessage)).toBeVisible()
    const second = await openElsewhere(browser, url)
    await expect(second.getByRole('status').filter({ hasText: invalidMessage })).toBeFocused()
    await second.getByRole('link', { name: 'Sign in' }).click()
    await signIn(second, ada)
    await expect(second).toHaveURL(/\/dashboard$/)
  },
)

test('shows the link of an invitation and its expiry if there is no mail server', { tag: '@slow' }, async ({
  page,
  browser,
  neptune,
}) => {
  await openUsers(page)
  const dialog = await fillInvitation(page, 'Create an invitation link')
  await expect(dialog.getByText('No mail server is set up, so you get the link and send it yourself.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Create User' }).click()
  const ready = dialogOf(page, 'Invitation for Ada Lovelace')
  await expect(ready.getByRole('button', { name: 'Copy invitation link' })).toBeFocused()
  const url = await ready.getByRole('textbox', { name: 'Invitation link' }).inputValue()
  expect(url).toMatch(/\/invitation\/[\w-]{44}$/)
  const expiryYear = new Date(Date.now() + 7 * dayMs).getFullYear()
  await expect(ready.getByRole('textbox', { name: 'Invitation link' })).toHaveAccessibleDescription(
    new RegExp(`It works once, until .*${expiryYear}`),
  )
  for (const look of extraLooks) {
    await page.emulateMedia({ colorScheme: look.colorScheme })
    await page.setViewportSize({ width: look.width, height: 800 })
    await expectClean(page, 'the link of an invitation')
  }
  await ready.getByRole('button', { name: 'Close' }).last().click()
  await expect(tableRow(page, ada.name)).toContainText(/Invited/)
  expect((await readEmailTo(neptune.folder, ada.email))?.text).toContain(url)
  await accept(await openElsewhere(browser, url))
})

test('creates a user with a password after switching back from an invitation', { tag: '@slow' }, async ({ page }) => {
  await openUsers(page)
  const dialog = await fillInvitation(page, 'Create an invitation link')
  const back = dialog.getByRole('button', { name: 'Set a password now' })
  await expect(back).toBeFocused()
  await page.keyboard.press('Enter')
  const password = dialog.getByLabel('Password', { exact: true })
  await expect(password).toBeEnabled()
  await dialog.getByRole('button', { name: 'Create User' }).click()
  await expect(password).toHaveAccessibleDescription('At least 12 characters.')
  await password.fill(ada.password)
  await dialog.getByRole('button', { name: 'Create User' }).click()
  await expect(page.getByText('Created Ada Lovelace.')).toBeVisible()
  await expect(tableRow(page, ada.name)).toContainText(/Active/)
})

test('creates a new link for an invitation, so that only the new one works', { tag: '@slow' }, async ({
  page,
  browser,
  baseURL,
}) => {
  const { url } = await inviteAda(baseURL)
  await openUsers(page)
  await page.getByRole('button', { name: 'Edit Ada Lovelace' }).click()
  const dialog = dialogOf(page, 'Update User')
  await expect(dialog.getByText(/They haven’t accepted their invitation yet\. The link works until /)).toBeVisible()
  await dialog.getByRole('button', { name: 'Create a new link' }).click()
  const ready = dialogOf(page, 'Invitation for Ada Lovelace')
  const newUrl = await ready.getByRole('textbox', { name: 'Invitation link' }).inputValue()
  expect(newUrl).not.toBe(url)
  await ready.getByRole('button', { name: 'Close' }).last().click()
  await expect((await openElsewhere(browser, url)).getByText(invalidMessage)).toBeVisible()
  await accept(await openElsewhere(browser, newUrl))
})

test('revokes an invitation, which removes the user', { tag: '@slow' }, async ({ page, browser, baseURL }) => {
  const { url } = await inviteAda(baseURL)
  await openUsers(page)
  await page.getByRole('button', { name: 'Edit Ada Lovelace' }).click()
  await dialogOf(page, 'Update User').getByRole('button', { name: 'Revoke invitation' }).click()
  const dialog = dialogOf(page, 'Revoke invitation')
  await expect(dialog).toContainText('Their invitation link stops working, and Ada Lovelace is removed')
  await dialog.getByRole('button', { name: 'Revoke invitation' }).click()
  await expect(page.getByText('Revoked the invitation for Ada Lovelace.')).toBeVisible()
  await expect(tableRow(page, ada.name)).toHaveCount(0)
  await expect((await openElsewhere(browser, url)).getByText(invalidMessage)).toBeVisible()
})

test.describe('after seven days', () => {
  test.use({ hasServerClock: true })

  test('rejects an expired invitation, and opens a new one', { tag: '@slow' }, async ({
    page,
    browser,
    baseURL,
    serverClock,
  }) => {
    const { url } = await inviteAda(baseURL)
    serverClock.setAhead(7 * dayMs)
    await expect((await openElsewhere(browser, url)).getByText(invalidMessage)).toBeVisible()
    await page.clock.setFixedTime(Date.now() + 7 * dayMs)
    await page.goto('/clients')
    await signIn(page)
    await expect(tableRow(page, ada.name)).toContainText('Invitation expired')
    await page.getByRole('button', { name: 'Edit Ada Lovelace' }).click()
    const dialog = dialogOf(page, 'Update User')
    await expect(dialog.getByText('They haven’t accepted their invitation, and its link no longer works.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Create a new link' }).click()
    const newUrl = await dialogOf(page, 'Invitation for Ada Lovelace')
      .getByRole('textbox', { name: 'Invitation link' })
      .inputValue()
    await expect((await openElsewhere(browser, newUrl)).getByRole('heading', { level: 1 })).toHaveText('Welcome, Ada Lovelace')
  })
})

test('explains the invitation if another user is signed in, and accepts it after signing out', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const { url } = await inviteAda(baseURL)
  await openAsAdmin(page, url)
  const note = page.getByRole('status').filter({ hasText: 'This invitation is for ada@acme.example' })
  await expect(note).toContainText('but this browser is signed in as Administrator.')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await accept(page)
})

test('warns that a new email address ends the invitation', { tag: '@slow' }, async ({ page, browser, baseURL }) => {
  const { url } = await inviteAda(baseURL)
  await openUsers(page)
  await page.getByRole('button', { name: 'Edit Ada Lovelace' }).click()
  await dialogOf(page, 'Update User').getByRole('button', { name: 'Edit details' }).click()
  const dialog = dialogOf(page, 'Edit details')
  await expect(dialog).toContainText('If you change the email address, the link stops working: send a new one.')
  await dialog.getByLabel('E-mail address').fill(kim.email)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(tableRow(page, ada.name)).toContainText('Invitation expired')
  await expect((await openElsewhere(browser, url)).getByText(invalidMessage)).toBeVisible()
})
