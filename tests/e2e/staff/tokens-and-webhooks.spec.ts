import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { asBearer, withoutKeepAlive } from '../calls.ts'
import { expectClean, extraLooks } from '../expect-clean.ts'
import { addCompanyWithUser, asAdmin, expect, kim, openAsAdmin, signIn, test } from '../fixtures.ts'

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

const chooseAction = async (page: Page, name: string, item: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Returns the status of a request with this token. */
const requestStatus = async (baseURL: string | undefined, token: string) =>
  (await fetch(`${baseURL}/v1/directory`, { headers: { ...withoutKeepAlive, authorization: `Bearer ${token}` } })).status

test('lets a script act with a token, which is shown once, until the token is revoked', async ({ page, baseURL }) => {
  await openAsAdmin(page, '/account')
  await expect(page.getByText('No API tokens yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Create token' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create API token' })
  const create = dialog.getByRole('button', { name: 'Create token' })
  await dialog.getByLabel('Expiry').selectOption('Custom date')
  await create.click()
  await expect(dialog.getByLabel('Name')).toHaveAccessibleDescription(/Enter a name\.$/)
  await expect(dialog.getByLabel('Last day')).toHaveAccessibleDescription('Choose a day.')
  await dialog.getByLabel('Name').fill('Nightly backup')
  await dialog.getByLabel('Expiry').selectOption('90 days')
  await expect(dialog.getByLabel('Scope')).toHaveAccessibleDescription('Can list and download.')
  await create.click()

  const ready = page.getByRole('dialog', { name: 'API token ready' })
  await expect(ready.getByRole('button', { name: 'Copy token' })).toBeFocused()
  await expect(ready).toHaveAccessibleDescription('Copy it now. You won’t be able to see it again.')
  const token = await ready.getByRole('textbox', { name: 'Token' }).inputValue()
  await page.mouse.click(5, 400) // an accidental click must not close the dialog
  await expect(ready).toBeVisible()
  expect(await requestStatus(baseURL, token)).toBe(200)
  await ready.getByRole('button', { name: 'Close' }).click()

  await page.reload()
  await expect(row(page, 'Nightly backup')).toContainText(/Read.*(just now|min ago).*(just now|min ago).*in 90 days/)
  expect(await page.content()).not.toContain(token)
  await page.getByRole('button', { name: 'Revoke Nightly backup' }).click()
  await expect(page.getByRole('dialog')).toHaveAccessibleDescription(/^Scripts that use “Nightly backup” stop working right away/)
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await expect(page.getByText('Revoked the token “Nightly backup”.')).toBeVisible()
  await expect(page.getByText('No API tokens yet.')).toBeVisible()
  expect(await requestStatus(baseURL, token)).toBe(401)
})

test('lets an admin see and revoke other people’s tokens', { tag: '@slow' }, async ({ page, baseURL }) => {
  await addCompanyWithUser(baseURL, 'Globex', kim)
  const { token } = await asBearer(baseURL)('POST', '/v1/identity/login', { email: kim.email, password: kim.password })
  const { data } = await asBearer(baseURL, token)('POST', '/v1/token', { name: 'Deploy', scope: 'write' })
  await openAsAdmin(page, '/clients')
  await page.getByRole('button', { name: 'Edit Kim Doe' }).click()
  await page.getByRole('dialog', { name: 'Update User' }).getByRole('button', { name: 'API tokens' }).click()
  const dialog = page.getByRole('dialog', { name: 'API tokens' })
  await expect(dialog.getByRole('listitem')).toContainText(/Deploy.*Read and write.*Last used: Never.*Expires: Never/)
  await dialog.getByRole('button', { name: 'Revoke Deploy' }).click()
  await page.getByRole('dialog', { name: 'Revoke API token' }).getByRole('button', { name: 'Revoke token' }).click()
  await expect(dialog.getByText('Kim Doe has no API tokens.')).toBeVisible()
  expect(await requestStatus(baseURL, data.token)).toBe(401)
})

test.describe('with webhooks to private addresses allowed', () => {
  test.use({ settings: { WEBHOOK_PRIVATE: 'on' } })

  test('signs test deliveries of a webhook and shows their results, and edits, pauses, resumes and deletes it', {
    tag: '@slow',
  }, async ({ page }) => {
    await using receiver = await startReceiver()
    await openAsAdmin(page, '/dashboard')
    await page.getByRole('button', { name: /Administrator/ }).click()
    await page.getByRole('menuitem', { name: 'Webhooks' }).click()
    await expect(page).toHaveTitle('Webhooks · Neptune')
    await expect(page.getByText('No webhooks yet.')).toBeVisible()
    await page.getByRole('button', { name: 'Create webhook' }).first().click()
    const create = page.getByRole('dialog', { name: 'Create webhook' })
    await create.getByLabel('Company').selectOption('Neptune')
    await create.getByLabel('Address').fill(receiver.url)
    await create.getByLabel('Uploads').check()
    await create.getByLabel('Links opened').check()
    await create.getByRole('button', { name: 'Create webhook' }).click()
    const ready = page.getByRole('dialog', { name: 'Webhook ready' })
    const secret = await ready.getByRole('textbox', { name: 'Secret' }).inputValue()
    await ready.getByRole('button', { name: 'Close' }).click()
    const name = receiver.url
    await expect(row(page, '/hook')).toContainText(/Neptune.*Uploads, Links opened.*On.*Administrator/)

    await chooseAction(page, name, 'Send test')
    const deliveries = page.getByRole('dialog', { name: 'Deliveries' })
    const newest = deliveries.getByRole('listitem').first()
    await expect(newest).toContainText(/Test.*Sent.*(just now|min ago) · 1 attempt · Response 204/)
    expect(receiver.received.map((received) => isSignatureValid(received, secret))).toEqual([true])
    receiver.status = 500
    await deliveries.getByRole('button', { name: 'Send test' }).click()
    await expect(newest).toContainText(/Waiting.*The receiver responded with 500\..*Next attempt in less than a minute\./)
    await deliveries.getByLabel('State').selectOption('Sent')
    await expect(deliveries.getByRole('listitem')).toHaveCount(1)
    await deliveries.getByRole('button', { name: 'Close' }).click()
    await expect(row(page, '/hook')).toContainText(/Failing.*failed attempts? since/)

    await chooseAction(page, name, 'Edit')
    const edit = page.getByRole('dialog', { name: 'Edit webhook' })
    await edit.getByLabel('Uploads').uncheck()
    await edit.getByRole('button', { name: 'Save' }).click()
    await expect(row(page, '/hook')).toContainText(/NeptuneLinks opened/)
    await chooseAction(page, name, 'Pause')
    await expect(row(page, '/hook')).toContainText('Paused')
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    const disabledItem = page.getByRole('menuitem', { name: 'Send test' })
    await expect(disabledItem).toHaveAccessibleDescription('It’s paused. Resume it first.')
    await page.getByRole('menuitem', { name: 'Resume' }).click()
    await expect(row(page, '/hook')).not.toContainText('Paused')
    await chooseAction(page, name, 'Delete')
    await page.getByRole('dialog', { name: 'Delete webhook' }).getByRole('button', { name: 'Delete webhook' }).click()
    await expect(page.getByText('No webhooks yet.')).toBeVisible()
  })
})

test('lets a user create webhooks for their own company, and shows a rejected address below its field', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  await addCompanyWithUser(baseURL, 'Globex', kim)
  await page.goto('/webhooks')
  await signIn(page, kim)
  await page.getByRole('button', { name: 'Create webhook' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create webhook' })
  const address = dialog.getByLabel('Address')
  const create = dialog.getByRole('button', { name: 'Create webhook' })
  await expect(dialog.getByLabel('Company')).toHaveCount(0)
  await create.click()
  await expect(address).toHaveAccessibleDescription('Enter an address.')
  await expect(dialog.getByRole('group', { name: 'Events' })).toHaveAccessibleDescription('Choose at least one event.')
  await dialog.getByLabel('Downloads').check()
  for (const [typed, message] of [
    ['http://example.com/hook', 'This must start with https://.'],
    ['https://127.0.0.1/hook', 'This is a private address. Enter a public one.'],
  ] as const) {
    await address.fill(typed)
    await create.click()
    await expect(address).toHaveAccessibleDescription(message)
  }
  await address.fill('https://example.com/hook')
  await create.click()
  await page.getByRole('dialog', { name: 'Webhook ready' }).getByRole('button', { name: 'Close' }).click()
  await expect(row(page, 'example.com')).toContainText(/Downloads.*On.*Kim Doe/)
  await expect(page.getByRole('columnheader', { name: 'Company' })).toHaveCount(0)
})

for (const { colorScheme, width } of extraLooks) {
  test(`passes axe on the webhooks and on a token: ${colorScheme}, ${width} wide`, async ({ page, baseURL }) => {
    const call = asAdmin(baseURL)
    const { company } = (await call('GET', '/v1/identity')).data
    const url = `https://${'long.'.repeat(12)}example.com/${'path/'.repeat(20)}?key=${'k'.repeat(80)}`
    const { data } = await call('POST', '/v1/webhook', { company, url, events: ['upload', 'download', 'link.opened'] })
    await call('PATCH', `/v1/webhook/${data.id}`, { paused: true })
    await call('POST', '/v1/token', { name: 'A script with a name '.repeat(5), scope: 'write' })
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    await openAsAdmin(page, '/webhooks')
    await expect(row(page, 'example.com')).toContainText('Paused')
    await expectClean(page, 'the webhooks')
    await page.locator('[data-opener]').click()
    await expect(page.getByRole('dialog').getByText('Nothing has been sent yet.')).toBeVisible()
    await expectClean(page, 'deliveries')
    await page.goto('/account')
    await expect(row(page, 'A script')).toBeVisible()
    await expectClean(page, 'the account with a token')
  })
}

/** Starts a server that records webhook deliveries. Set `status` to change its responses. */
async function startReceiver() {
  const received: Delivery[] = []
  const receiver = { received, status: 204, url: '' }
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) })
    response.writeHead(receiver.status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return Object.assign(receiver, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

interface Delivery {
  headers: IncomingHttpHeaders
  body: string
}

/** Verifies the signature as described in docs/webhooks.md. */
function isSignatureValid({ headers, body }: Delivery, secret: string): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
