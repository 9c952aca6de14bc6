import { test as base, type Locator, type Page } from '@playwright/test'
import { readQr } from '../../support/formats/read-qr.ts'
import { readEmails } from '../../support/read-emails.ts'
import { findFreePort } from '../../support/services/free-port.ts'
import { startNeptune } from '../../support/start-neptune.ts'
import { asBearer } from '../calls.ts'
import { admin, expect, signIn } from '../fixtures.ts'
import { codeScreenTitle } from './access-steps.ts'

/** A server that staff open under a different host name than the one in `PUBLIC_URL`. */
const test = base.extend<{ portal: Awaited<ReturnType<typeof startNeptune>> & { publicUrl: string } }>({
  portal: async ({ browserName: _ }, use) => {
    const port = await findFreePort()
    const publicUrl = `http://localhost:${port}`
    await using neptune = await startNeptune({
      PORT: `${port}`,
      PUBLIC_URL: publicUrl,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
    })
    await use({ ...neptune, publicUrl })
  },
  baseURL: async ({ portal }, use) => use(portal.url),
})

test('copies, shows and encodes links on PUBLIC_URL, whatever host name the page was opened at', { tag: '@slow' }, async ({
  page,
  context,
  portal,
}) => {
  expect(new URL(portal.url).hostname).toBe('127.0.0.1')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { token } = await asBearer(portal.url)('POST', '/v1/identity/login', admin)
  await createDirectory(portal.url, token)
  await page.goto('/login')
  await signIn(page)
  await expect(page).toHaveURL(`${portal.url}/dashboard`)

  await page.getByRole('link', { name: 'Links', exact: true }).click()
  await page.getByRole('button', { name: 'Create link' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Directory').selectOption('Plans')
  await dialog.getByLabel('Link type').selectOption('Editable directory')
  const key = dialog.getByLabel('Key', { exact: true })
  await expect(key).not.toHaveValue('')
  const url = `${portal.publicUrl}/access/${await key.inputValue()}`
  await dialog.getByRole('button', { name: 'Create Link' }).click()

  const ready = page.getByRole('region', { name: 'Link ready' })
  await expectCopied(page, ready, 'Link', url)
  await ready.getByRole('button', { name: 'Copy details' }).click()
  await expect.poll(() => readClipboard(page)).toContain(`\nLink: ${url}\n`)
  expect(readQr(await readModules(ready.getByRole('img', { name: /^QR code/ })))).toBe(url)

  await ready.getByRole('button', { name: 'Send' }).click()
  await expectCopied(page, page.getByRole('dialog', { name: 'Send Link Details' }), 'Access URL', url)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Plans Not opened yet' }).click()
  const details = page.getByRole('dialog', { name: 'Plans' })
  await expect(details.getByText(url)).toBeVisible()
  await details.getByRole('button', { name: 'Copy link' }).click()
  await expect.poll(() => readClipboard(page)).toBe(url)
  await page.keyboard.press('Escape')
  const view = page.getByRole('link', { name: 'View Link to Plans (opens in a new tab)' })
  await expect(view).toHaveAttribute('href', new URL(url).pathname)
  await expect(view).toHaveAttribute('target', '_blank')

  await page.goto(url)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(codeScreenTitle)
  expect(page.url()).toBe(url)
})

test('sends emails whose links are all on PUBLIC_URL, whatever host name the requests used', async ({ portal }) => {
  const { url, publicUrl, folder } = portal
  const asStranger = asBearer(url)
  const { token } = await asStranger('POST', '/v1/identity/login', admin)
  const asStaff = asBearer(url, token)
  const { id, company } = await createDirectory(url, token)
  const { data: reserved } = await asStaff('POST', '/v1/link/initialise', { company, directory: id })
  const expiry = new Date(Date.now() + 24 * 60 * 60_000).toISOString()
  const link = { linkType: 'LINK_EDITABLE_DIRECTORY', directory: id, ...reserved, expiry }
  const { data: row } = await asStaff('POST', '/v1/link', link)
  expect(row.url).toBe(`${publicUrl}/access/${reserved.key}`)
  const { data: visit } = await asStranger('POST', '/v1/link/verify', {
    accessKey: reserved.key,
    accessCode: reserved.accessCode,
  })
  const asRecipient = asBearer(url, visit.token)
  const form = new FormData()
  form.set('file', new Blob(['signed']), 'signed.txt')
  await asRecipient('PUT', `/v1/file/${id}/signed.txt`, form)
  const { data: issued } = await asRecipient('POST', '/v1/receipt', {})
  expect(issued.receipt.server).toBe(publicUrl)

  await asStaff('POST', '/v1/link/email', { key: reserved.key, targetEmail: 'lee@initech.example' })
  await asRecipient('POST', `/v1/receipt/${issued.receipt.id}/email`, { email: 'lee@initech.example' })
  await asStranger('POST', '/v1/identity/forgot', { email: admin.email })
  await asStranger('POST', '/v1/ask', { accessKey: reserved.key, wants: 'code' })
  await asStaff('POST', `/v1/link/${reserved.key}/extend`, {})
  await asStaff('POST', '/v1/admin/mail/test', { to: admin.email })

  for (const { subject, text } of await readEmails(folder, 6)) {
    const addresses = text.match(/https?:\/\/[^\s/]+/g) ?? []
    expect(addresses.length, subject).toBeGreaterThan(0)
    for (const address of addresses) expect(address, subject).toBe(publicUrl)
  }
})

/** Expects the field to show this text, and its button to copy it. */
async function expectCopied(page: Page, scope: Locator, label: string, text: string) {
  await expect(scope.getByLabel(label, { exact: true })).toHaveValue(text)
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await scope.getByRole('button', { name: `Copy ${label[0]?.toLowerCase()}${label.slice(1)}`, exact: true }).click()
  await expect.poll(() => readClipboard(page)).toBe(text)
}

const readClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

/** Returns which modules of the QR code are dark. The SVG path has one square per dark module, inside a quiet zone of four modules. */
async function readModules(image: Locator): Promise<boolean[][]> {
  const [size, pathData] = await image.evaluate((svg: SVGSVGElement) => [
    svg.viewBox.baseVal.width - 8,
    svg.querySelector('path')?.getAttribute('d') ?? '',
  ])
  const dark = new Set([...String(pathData).matchAll(/M(\d+) (\d+)/g)].map(([, x, y]) => `${Number(x) - 4} ${Number(y) - 4}`))
  return Array.from({ length: Number(size) }, (_, y) => Array.from({ length: Number(size) }, (_, x) => dark.has(`${x} ${y}`)))
}

async function createDirectory(url: string, token: string): Promise<{ id: string; company: string }> {
  const call = asBearer(url, token)
  const { data } = await call('GET', '/v1/identity')
  return (await call('POST', '/v1/directory', { directory: 'Plans', client: data.company })).data
}
