import type { Page } from '@playwright/test'
import { readLetter } from '../support/read-letters.ts'
import { startSmtp } from '../support/start-smtp.ts'
import { downloadBy, textOf, title, tryCode } from './access-steps.ts'
import { addDirectory, test as base, expect, openAsAdmin } from './fixtures.ts'
import { chooseFiles, note, withPlainPicker } from './upload-steps.ts'

/** With a mail server, as companies have one. */
const test = base.extend<{ smtp: Awaited<ReturnType<typeof startSmtp>> }>({
  // biome-ignore lint/correctness/noEmptyPattern: the way Playwright knows what a fixture needs.
  smtp: async ({}, use) => {
    await using smtp = await startSmtp()
    await use(smtp)
  },
  settings: async ({ smtp }, use) => use({ SMTP_URL: smtp.url, NOTICE_MINUTES: '0' }),
})

for (const [device, viewport] of [
  ['desk', { width: 1280, height: 800 }],
  ['phone', { width: 390, height: 844 }],
] as const) {
  test(`from the maker to a recipient at a ${device}, with the mail in between: a directory, a file, and files wanted`, async ({
    page,
    browser,
    baseURL,
    smtp,
  }) => {
    await addDirectory(baseURL, 'Plans', { 'ground floor.txt': 'the ground floor' })
    await openAsAdmin(page, '/links')
    const context = await browser.newContext({ viewport, ...(baseURL && { baseURL }) })
    const recipient = await context.newPage()
    await withPlainPicker(recipient)

    await send(page, 'Directory')
    await open(recipient, smtp.mails, 1)
    await expect(title(recipient)).toHaveText('Plans')
    await expect(recipient.getByText(/Shared by Administrator/)).toBeVisible()
    await saves(recipient, () => recipient.getByRole('button', { name: /^ground floor\.txt/ }).click(), 'the ground floor')

    await send(page, 'File', 'ground floor.txt')
    await recipient.goto('about:blank')
    await saves(recipient, () => open(recipient, smtp.mails, 2), 'the ground floor')

    await send(page, 'Editable directory')
    await recipient.goto('about:blank')
    await open(recipient, smtp.mails, 3)
    await expect(title(recipient)).toHaveText('Directory Section')
    await recipient.getByRole('button', { name: 'Upload file' }).click()
    await chooseFiles(recipient, [note('signed.txt', 'signed')])
    await recipient.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click()
    await expect(recipient.getByText('Received: 1 file, 6 B')).toBeVisible()
    await expect.poll(() => smtp.mails.length).toBe(4)
    expect(readLetter(smtp.mails[3]?.text ?? '').text).toContain('signed.txt (6 B)')
    await page.goto('/files')
    await expect(page.getByText('signed.txt')).toBeVisible()
    await context.close()
  })
}

/** Makes a link and sends it, as staff do. */
async function send(page: Page, type: string, file?: string) {
  await page.getByRole('button', { name: 'Create link' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create Shareable Link' })
  await dialog.getByLabel('Company').selectOption('Neptune')
  await dialog.getByLabel('Directory').selectOption('Plans')
  await dialog.getByLabel('Link type').selectOption(type)
  if (file) await dialog.getByLabel('Files').selectOption(file)
  await dialog.getByRole('button', { name: 'Create Link' }).click()
  const ready = page.getByRole('region', { name: 'Link ready' })
  await ready.getByRole('button', { name: 'Send' }).click()
  const details = page.getByRole('dialog', { name: 'Send Link Details' })
  await details.getByLabel(/e-mail/i).fill('rob@client.example')
  await details.getByRole('button', { name: 'Send Details' }).click()
  await expect(details).toBeHidden()
  await ready.getByRole('button', { name: 'Dismiss' }).click()
}

/** Follows the link in the newest mail, and enters the code that stands there. */
async function open(page: Page, mails: { to: string[]; text: string }[], count: number) {
  await expect.poll(() => mails.length).toBe(count)
  const { to, text } = readLetter(mails[count - 1]?.text ?? '')
  expect(to).toContain('rob@client.example')
  const [address = ''] = /https?:\/\/\S+\/access\/\S+/.exec(text) ?? []
  const [code = ''] = /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(text) ?? []
  await page.goto(new URL(address).pathname)
  await tryCode(page, code)
}

/** What is done makes the browser save these bytes. */
async function saves(page: Page, act: () => Promise<void>, bytes: string) {
  expect(await textOf(await downloadBy(page, act))).toBe(bytes)
}
