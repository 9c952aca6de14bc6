import type { Page } from '@playwright/test'
import { parseEmail } from '../../support/read-emails.ts'
import { startSmtp } from '../../support/services/start-smtp.ts'
import { chooseAction } from '../files/directory-steps.ts'
import { addDirectory, test as base, expect, openAsAdmin } from '../fixtures.ts'
import { chooseFiles, removeFilePicker, textFile } from '../uploads/upload-steps.ts'
import { heading, readDownload, submitCode, waitForDownload } from './access-steps.ts'

/** Starts the server with a mail server. */
const test = base.extend<{ smtp: Awaited<ReturnType<typeof startSmtp>> }>({
  smtp: async ({ browserName: _ }, use) => {
    await using smtp = await startSmtp()
    await use(smtp)
  },
  settings: async ({ smtp }, use) => use({ SMTP_URL: smtp.url, NOTICE_MINUTES: '0' }),
})

for (const [device, viewport, tag] of [
  ['desktop computer', { width: 1280, height: 800 }, ['@slow']],
  ['phone', { width: 390, height: 844 }, []],
] as const) {
  test(`shares a directory, a file and an editable directory by email with a recipient on a ${device}`, {
    tag: [...tag],
  }, async ({ page, browser, baseURL, smtp }) => {
    const { id } = await addDirectory(baseURL, 'Plans', { 'ground floor.txt': 'the ground floor' })
    await openAsAdmin(page, '/links')
    const context = await browser.newContext({ viewport, ...(baseURL && { baseURL }) })
    const recipient = await context.newPage()
    await removeFilePicker(recipient)

    await createAndSendLink(page)
    await openEmailedLink(recipient, smtp.messages, 1)
    await expect(heading(recipient)).toHaveText('Plans')
    await expect(recipient.getByText(/Shared by Administrator/)).toBeVisible()
    await expectDownload(
      recipient,
      () => recipient.getByRole('button', { name: /^ground floor\.txt/ }).click(),
      'the ground floor',
    )

    await page.goto(`/directories/${id}`)
    await chooseAction(page, 'ground floor.txt', 'Share')
    await createAndSendAtOnce(page)
    await recipient.goto('about:blank')
    await expectDownload(recipient, () => openEmailedLink(recipient, smtp.messages, 2), 'the ground floor')

    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('radio', { name: /^Send and collect files/ }).check()
    await createAndSendAtOnce(page)
    await recipient.goto('about:blank')
    await openEmailedLink(recipient, smtp.messages, 3)
    await expect(heading(recipient)).toHaveText('Directory Section')
    await recipient.getByRole('button', { name: 'Upload file' }).click()
    await chooseFiles(recipient, [textFile('signed.txt', 'signed')])
    await recipient.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click()
    await expect(recipient.getByText('Received: 1 file, 6 B')).toBeVisible()
    await expect.poll(() => smtp.messages.length).toBe(4)
    expect(parseEmail(smtp.messages[3]?.text ?? '').text).toContain('signed.txt (6 B)')
    await page.goto('/files')
    await expect(page.getByText('signed.txt')).toBeVisible()
    await context.close()
  })
}

/** Creates a link to a directory on the Links page and emails it. */
async function createAndSendLink(page: Page) {
  await page.getByRole('button', { name: 'Create link' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create Shareable Link' })
  await dialog.getByLabel('Company').selectOption('Neptune')
  await dialog.getByLabel('Directory').selectOption('Plans')
  await dialog.getByLabel('Link type').selectOption('Directory')
  await dialog.getByRole('button', { name: 'Create Link' }).click()
  const ready = page.getByRole('region', { name: 'Link ready' })
  await ready.getByRole('button', { name: 'Send' }).click()
  const details = page.getByRole('dialog', { name: 'Send Link Details' })
  await details.getByLabel(/e-mail/i).fill('rob@client.example')
  await details.getByRole('button', { name: 'Send Details' }).click()
  await expect(details).toBeHidden()
  await ready.getByRole('button', { name: 'Dismiss' }).click()
}

/** Creates and emails a link to the directory or file on the page, both in one dialog. */
async function createAndSendAtOnce(page: Page) {
  const dialog = page.getByRole('dialog', { name: /^Share/ })
  await dialog.getByLabel('Send it to').fill('rob@client.example')
  await dialog.getByRole('button', { name: 'Create and send' }).click()
  await page.getByRole('dialog', { name: 'Link ready' }).getByRole('button', { name: 'Close' }).click()
}

/** Follows the link in the newest email and enters the code from it. */
async function openEmailedLink(page: Page, messages: { to: string[]; text: string }[], count: number) {
  await expect.poll(() => messages.length).toBe(count)
  const { to, text } = parseEmail(messages[count - 1]?.text ?? '')
  expect(to).toContain('rob@client.example')
  const [address = ''] = /https?:\/\/\S+\/access\/\S+/.exec(text) ?? []
  const [code = ''] = /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(text) ?? []
  await page.goto(new URL(address).pathname)
  await submitCode(page, code)
}

/** Expects the action to download these bytes. */
async function expectDownload(page: Page, action: () => Promise<void>, bytes: string) {
  expect(await readDownload(await waitForDownload(page, action))).toBe(bytes)
}
