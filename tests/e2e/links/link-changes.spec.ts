import { readEmails } from '../../support/read-emails.ts'
import { addDirectory, expect, tableRow, test } from '../fixtures.ts'
import { addLink, isCodeAccepted, linkNames, openLinks, verifyCode } from './link-steps.ts'

test('shows the new code on reset, and accepts only that code afterwards', async ({ page, baseURL }) => {
  const link = await addLink(baseURL, await addDirectory(baseURL, 'Plans'))
  await openLinks(page)
  await page.getByLabel('Select Plans').check()
  const initialised = page.waitForRequest('**/v1/link/initialise')
  await page.getByRole('button', { name: 'Reset access code' }).click()
  expect((await initialised).postDataJSON()).toEqual({ type: 'RESET', accessKey: link.key })
  const dialog = page.getByRole('dialog', { name: 'Reset Shareable Link' })
  const code = dialog.getByLabel('Access code', { exact: true })
  await expect(code).toHaveValue(/^\w{4}-\w{4}-\w{4}$/)
  await expect(code).toHaveAttribute('readonly')
  const newCode = await code.inputValue()
  expect(await isCodeAccepted(baseURL, link.key, link.accessCode)).toBe(true)
  await dialog.getByRole('button', { name: 'Reset Link' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('region', { name: 'Link ready' }).getByLabel('Access code', { exact: true })).toHaveValue(newCode)
  expect(await isCodeAccepted(baseURL, link.key, link.accessCode)).toBe(false)
  expect(await isCodeAccepted(baseURL, link.key, newCode)).toBe(true)
  await tableRow(page, 'Plans').getByText('Directory').click()
  await expect(page.getByRole('dialog', { name: 'Plans' })).toContainText(/Code reset.*by Administrator/)
})

test('saves the link details as an email, with or without the code, when no mail server is set up, and shows the link’s activity', async ({
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
  await expect(dialog).toContainText('No mail server is set up, so nothing is emailed.')
  await expect(dialog.getByLabel('Access URL', { exact: true })).toHaveValue(`${baseURL}/access/${key}`)
  await expect(dialog.getByLabel('Access URL', { exact: true })).toHaveAttribute('readonly')
  await expect(to).toBeFocused()
  await send.click()
  await expect(to).toHaveAccessibleDescription('Enter an email address.')
  await to.fill('lee')
  await send.click()
  await expect(to).toHaveAccessibleDescription(/must be an email address/)
  await to.fill('lee@initech.example, kim@globex.example')
  await send.click()
  await expect(to).toHaveAccessibleDescription(/^Enter one email address\./)
  const detail = 'Too many emails in a short time. Try again later.'
  const problem = { type: 'about:blank', title: '', status: 429, code: 'mail.too_many', detail }
  const response = { status: 429, json: problem, contentType: 'application/problem+json' }
  await page.route('**/v1/link/email', (route) => route.fulfill(response), { times: 1 })
  await to.fill('lee@initech.example')
  const options = dialog.getByRole('button', { name: 'Language and message' })
  await expect(options).toHaveAccessibleDescription('Language of the organisation, no message')
  await options.click()
  await dialog.getByLabel('Language of the email').selectOption('Deutsch')
  await dialog.getByLabel('Personal message').fill('Dear Lee,\nhere is the <i>plan</i>.')
  await send.click()
  await expect(dialog.getByRole('group', { name: detail })).toBeFocused()
  await expect(options).toHaveAccessibleDescription('Deutsch, with a message')
  await send.click()
  await expect(
    page.getByText('No mail server is set up, so nothing was sent. Give the recipient the details yourself.'),
  ).toBeVisible()
  const [withCode] = await readEmails(neptune.folder, 1)
  expect(withCode?.to).toBe('lee@initech.example')
  expect(withCode?.text).toContain(`/access/${key}`)
  expect(withCode?.text).toContain(accessCode)
  expect(withCode?.text).toContain('Nachricht von Administrator:\n\n> Dear Lee,\n> here is the <i>plan</i>.\n')

  await page.reload() // otherwise the dialog may open before the row has the address
  await page.getByLabel('Select Plans').check()
  await page.getByRole('button', { name: 'Send link details' }).click()
  await expect(to).toHaveValue('lee@initech.example')
  await dialog.getByLabel('Include the access code').uncheck()
  await expect(dialog.getByText('Give the recipient the access code by phone.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Show code' }).click()
  await expect(dialog.getByLabel('Access code', { exact: true })).toHaveValue(accessCode)
  await expect(dialog.getByRole('button', { name: 'Copy details' })).toBeVisible()
  await send.click()
  await expect(dialog).toBeHidden()
  const emails = await readEmails(neptune.folder, 2)
  const [without] = emails.filter(({ text }) => !text.includes(accessCode))
  expect(without?.text).toContain(`/access/${key}`)

  await download(baseURL, key, accessCode, directory.ids['first.txt'] ?? '')
  await page.reload()
  await expect(tableRow(page, 'Plans')).toContainText('Opened 1 · downloaded 1')
  await tableRow(page, 'Plans').getByText('Directory').click() // anywhere on the row
  const activity = page.getByRole('dialog', { name: 'Plans' })
  await expect(activity.getByRole('list', { name: 'Activity' }).getByRole('listitem')).toHaveText([
    /^Downloaded “first\.txt” · 12 B.*from 127\.0\.0\.1/,
    /^Opened.*from 127\.0\.0\.1/,
    /^Code shown.*by Administrator/,
    /^Email with the code to lee@initech\.example saved, not sent: no mail server.*by Administrator/,
  ])
  await activity.getByRole('button', { name: 'Show code' }).click()
  await expect(activity.getByLabel('Access code', { exact: true })).toHaveValue(accessCode)
  const recipient = activity.getByRole('link', { name: 'View as recipient' })
  await expect(recipient).toHaveAttribute('href', `/access/${key}?as=recipient`)
  await expect(recipient).toHaveAttribute('target', '_blank')
  await activity.getByRole('link', { name: 'Open directory' }).click()
  await expect(activity).toBeHidden()
  await expect(page).toHaveURL(new RegExp(`/directories/${directory.id}$`))
  await page.goto('/activity?action=link.code_sent')
  await expect(page.getByRole('table', { name: 'Activity' })).toContainText(
    /Saved an email with a link and its code\. It wasn’t sent.*to lee@initech\.example/s,
  )
})

test('deletes one link, and several at once', { tag: '@slow' }, async ({ page, baseURL }) => {
  const createdLinks: { key: string; accessCode: string }[] = []
  for (const name of ['Alpha', 'Beta', 'Gamma']) createdLinks.push(await addLink(baseURL, await addDirectory(baseURL, name)))
  await openLinks(page)
  await page.getByLabel('Select Alpha').check()
  const bar = page.getByRole('region', { name: 'Selection' })
  await expect(bar.getByRole('button')).toHaveText(['', 'Reset access code', 'Send link details', 'Delete link'])
  await bar.getByRole('button', { name: 'Delete link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Shareable Link', exact: true })
  await expect(dialog).toHaveAccessibleDescription(/Anyone using the link to “Alpha” loses access right away/)
  await dialog.getByRole('button', { name: 'Delete Link' }).click()
  await expect(page.getByText('Deleted the link to “Alpha”.')).toBeVisible()
  await expect(linkNames(page)).toHaveText([/^Gamma/, /^Beta/])
  await page.getByLabel('Select all').check()
  await expect(bar.getByRole('button')).toHaveText(['', 'Delete links'])
  await bar.getByRole('button', { name: 'Delete links' }).click()
  const bulkDialog = page.getByRole('dialog', { name: 'Delete Shareable Links' })
  const links = bulkDialog.getByRole('listitem').filter({ hasNotText: /^Deleted/ }) // the toast is a list item in the dialog, too
  await expect(links).toHaveText([/^Gamma/, /^Beta/])
  await bulkDialog.getByRole('button', { name: 'Delete Links' }).click()
  await expect(page.getByText('Deleted 2 links.')).toBeVisible()
  await expect(page.getByText('No links yet.')).toBeVisible()
  for (const { key, accessCode } of createdLinks) expect(await isCodeAccepted(baseURL, key, accessCode)).toBe(false)
})

async function download(baseURL: string | undefined, key: string, code: string, file: string) {
  const { token } = await verifyCode(baseURL, key, code)
  const reply = await fetch(`${baseURL}/v1/file/${file}`, { headers: { authorization: `Bearer ${token}` } })
  expect(await reply.text()).toBe('twelve bytes')
}
