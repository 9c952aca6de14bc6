import { startSmtp } from '../../support/services/start-smtp.ts'
import { admin, asAdmin, expect, openAsAdmin, test } from '../fixtures.ts'
import { openSection, save } from './settings-steps.ts'

test('leads from the guide to the mail server settings and back, and shows the result of a test with the saved settings', {
  tag: '@slow',
}, async ({ page, baseURL }) => {
  await using smtp = await startSmtp()
  await openAsAdmin(page, '/welcome?step=email')
  await page.getByRole('link', { name: 'Set up a mail server' }).click()
  const host = page.getByLabel('Server', { exact: true })
  await expect(host).toHaveAccessibleDescription(
    'Without a mail server, Neptune saves emails on its own server, and nobody receives them.',
  )
  const test = page.getByRole('button', { name: 'Send test email' })
  await test.click()
  await expect(page.getByText(`The email to ${admin.email} was not sent.`)).toBeVisible()

  await host.fill('127.0.0.1')
  await page.getByLabel('Port', { exact: true }).fill('9')
  await expect(test).toHaveAccessibleDescription('Save your changes first. Then the test uses them.')
  await save(page)
  await test.click()
  await expect(page.getByText(`The email to ${admin.email} could not be sent.`)).toBeVisible()
  await expect(page.getByText(/^The mail server refused the connection\..*ECONNREFUSED/)).toBeVisible()

  await page.getByLabel('Port', { exact: true }).fill(new URL(smtp.url).port)
  await page.getByLabel('User name').fill('neptune')
  await page.getByLabel('Password', { exact: true }).fill('secret of the mail server')
  await save(page)
  await test.click()
  await expect(page.getByText(`The mail server has accepted the email to ${admin.email}.`)).toBeVisible()
  expect(smtp.messages.map(({ to }) => to)).toContainEqual([admin.email])
  expect(await asAdmin(baseURL)('GET', '/v1/mail/way')).toEqual({ data: { way: 'smtp' } })
  await page.getByRole('link', { name: 'Back to the set-up' }).click()
  await expect(page.getByRole('region', { name: 'Check that emails arrive' })).toContainText('sent through your mail server')
})

test('keeps the saved password, asks for it again if the server changes, and removes it on request', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const call = asAdmin(baseURL)
  const values = { smtp_host: 'mail.example.com', smtp_user: 'neptune', smtp_password: 'secret of the mail server' }
  await call('PATCH', '/v1/admin/settings/email', { version: 0, values })
  const readPassword = async () => (await call('GET', '/v1/admin/settings')).data.email.values.smtp_password
  await openSection(page, 'email')
  const password = page.getByLabel('Password', { exact: true })
  await expect(password).toHaveValue('')
  await expect(password).toHaveAccessibleDescription('A password is saved. Leave this empty to keep it.')
  await page.getByLabel('Sender name').fill('Keller & Partner')
  await save(page)
  expect(await readPassword()).not.toBeNull()

  await page.getByLabel('Server', { exact: true }).fill('other.example.com')
  await expect(password).toHaveAccessibleDescription(/Enter the password again\./)
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('button', { name: 'Remove the password' }).click()
  await expect(password).toHaveAccessibleDescription('The saved password will be removed.')
  await save(page)
  expect(await readPassword()).toBeNull()
})
