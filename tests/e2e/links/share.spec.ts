import { parseEmail } from '../../support/read-emails.ts'
import { startSmtp } from '../../support/services/start-smtp.ts'
import { heading, submitCode } from '../access/access-steps.ts'
import { expectClean } from '../expect-clean.ts'
import { chooseAction, openPage } from '../files/directory-steps.ts'
import { addDirectory, asAdmin, test as base, expect } from '../fixtures.ts'
import { dayMs } from './link-steps.ts'

/** Starts the server with a mail server. */
const test = base.extend<{ smtp: Awaited<ReturnType<typeof startSmtp>> }>({
  smtp: async ({ browserName: _ }, use) => {
    await using smtp = await startSmtp()
    await use(smtp)
  },
  settings: async ({ smtp }, use) => use({ SMTP_URL: smtp.url }),
})

test('shares a directory with several people in one go, and stays on the page', async ({ page, browser, baseURL, smtp }) => {
  const { id } = await addDirectory(baseURL, 'Plans', { 'first.txt': 'x' })
  await openPage(page, `/directories/${id}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Share “Plans”' })
  await expect(dialog.getByRole('radio', { name: /^Send files/ })).toBeChecked()
  await dialog.getByRole('radio', { name: /^Send and collect files/ }).check()
  const people = dialog.getByLabel('Send it to')
  await expect(dialog.getByLabel('Personal message')).toHaveCount(0)
  await people.fill('ann@client.example, rob')
  await dialog.getByRole('button', { name: '7 days' }).click()
  const day = await page.evaluate((ms) => new Intl.DateTimeFormat('sv-SE').format(Date.now() + ms), 7 * dayMs)
  await expect(dialog.getByLabel('Expiry')).toHaveValue(day)
  await dialog.getByRole('button', { name: 'Create and send' }).click()
  await expect(people).toHaveAccessibleDescription(/“rob” isn’t an email address\.$/)
  await people.fill('ann@client.example, rob@client.example, nobody@localhost')
  await dialog.getByLabel('Personal message').fill('The plans, as promised.')
  await expectClean(page, 'the dialog to share a directory')
  await dialog.getByRole('button', { name: 'Create and send' }).click()

  const ready = page.getByRole('dialog', { name: 'Link ready' })
  await expect(ready).toContainText('The link details are on their way to ann@client.example, rob@client.example.')
  await expect(ready).toContainText('Not sent to nobody@localhost:')
  await expect(ready.getByRole('img', { name: 'QR code of the link to Plans' })).toBeVisible()
  await expectClean(page, 'a link that was just shared')
  const [address, code] = await Promise.all(
    ['Link', 'Access code'].map((label) => ready.getByLabel(label, { exact: true }).inputValue()),
  )
  await ready.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(`/directories/${id}`)
  await expect.poll(() => smtp.messages.length).toBe(2)
  const emails = smtp.messages.map(({ text }) => parseEmail(text))
  expect(emails.map(({ to }) => to).toSorted()).toEqual(['ann@client.example', 'rob@client.example'])
  for (const { text } of emails) for (const part of ['The plans, as promised.', address, code]) expect(text).toContain(part)

  const context = await browser.newContext()
  const recipient = await context.newPage()
  await recipient.goto(address ?? '')
  await submitCode(recipient, code ?? '')
  await expect(heading(recipient)).toHaveText('Directory Section')
  await context.close()
})

test('keeps what was entered if the link can’t be created, and creates only one link', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const { id } = await addDirectory(baseURL, 'Plans', { 'first.txt': 'x' })
  await openPage(page, `/directories/${id}`)
  await chooseAction(page, 'first.txt', 'Share')
  const dialog = page.getByRole('dialog', { name: 'Share “first.txt”' })
  await dialog.getByLabel('Send it to').fill('ann@client.example')
  const confirm = dialog.getByRole('button', { name: 'Create and send' })
  await page.route('**/v1/link', (route) => route.abort(), { times: 1 })
  await confirm.click()
  await expect(dialog.getByRole('group', { name: /The link was not created|connection/i })).toBeFocused()
  await expect(dialog.getByLabel('Send it to')).toHaveValue('ann@client.example')
  await confirm.dblclick()
  await expect(page.getByRole('dialog', { name: 'Link ready' })).toContainText('on their way to ann@client.example')
  const { data } = await asAdmin(baseURL)('GET', '/v1/link')
  expect(data).toHaveLength(1)
})
