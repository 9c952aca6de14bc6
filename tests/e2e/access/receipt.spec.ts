import { generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync, truncateSync } from 'node:fs'
import { canonicalJson, type SignedReceipt } from '@neptune/contract'
import type { Page, TestInfo } from '@playwright/test'
import { readEmails } from '../../support/read-emails.ts'
import { startNeptune } from '../../support/start-neptune.ts'
import { asBearer } from '../calls.ts'
import { expectClean, looks } from '../expect-clean.ts'
import { asAdmin, expect, signIn, test } from '../fixtures.ts'
import {
  chooseFiles,
  chooseInFileChooser,
  megabyte,
  removeFilePicker,
  sha256,
  startDrag,
  textFile,
  uploadDialog,
  writeFile,
} from '../uploads/upload-steps.ts'
import { accessEndedMessage, addSharedLink, openSharedLink, resetLink, submitCode } from './access-steps.ts'

const twoFiles = [textFile('Offer.pdf', 'ours'), textFile('Plan.txt', 'a plan')]

/** Uploads two files as a recipient and opens the receipt page. */
async function uploadAndOpenReceipt(page: Page, baseURL: string | undefined, files = twoFiles) {
  const link = await addSharedLink(baseURL, 'LINK_EDITABLE_DIRECTORY', { files: { 'Offer.pdf': 'theirs' } })
  await removeFilePicker(page)
  await openSharedLink(page, link)
  await uploadFiles(page, files)
  await expect(page.getByText('Received: 2 files, 10 B')).toBeVisible()
  await page.getByRole('button', { name: 'Receipt', exact: true }).click()
  await expect(page).toHaveTitle('Receipt · Neptune')
  return link
}

async function downloadReceipt(page: Page): Promise<{ path: string; text: string; signed: SignedReceipt }> {
  const downloadStarted = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download signed file' }).click()
  const download = await downloadStarted
  expect(download.suggestedFilename()).toMatch(/^receipt-.+\.json$/)
  const path = await download.path()
  const text = readFileSync(path, 'utf8')
  return { path, text, signed: JSON.parse(text) }
}

/** Uploads files and issues a receipt with the API. */
async function issueReceipt(baseURL: string | undefined, files: Record<string, string>) {
  const { key, code, directory } = await addSharedLink(baseURL, 'LINK_EDITABLE_DIRECTORY')
  const { data } = await asBearer(baseURL)('POST', '/v1/link/verify', { accessKey: key, accessCode: code })
  const call = asBearer(baseURL, data.token)
  for (const [name, bytes] of Object.entries(files)) {
    const form = new FormData()
    form.set('file', new Blob([bytes]), 'file')
    await call('PUT', `/v1/file/${directory}/${encodeURIComponent(name)}`, form)
  }
  return (await call('POST', '/v1/receipt', {})).data as SignedReceipt
}

const chooseJson = (page: Page, button: string, name: string, json: string) =>
  chooseInFileChooser(page, () => page.getByRole('button', { name: button }).click(), {
    name,
    mimeType: 'application/json',
    buffer: Buffer.from(json),
  })

const chooseReceipt = (page: Page, text: string) => chooseJson(page, 'Choose receipt', 'receipt.json', text)

const chooseFile = (page: Page, info: TestInfo, name: string, bytes: string | Uint8Array) =>
  chooseInFileChooser(page, () => page.getByRole('button', { name: 'Choose file' }).click(), writeFile(info, name, bytes))

const resultMessage = (page: Page) => page.getByRole('status').filter({ hasText: /genuine|be checked/i })

async function uploadFiles(page: Page, files: typeof twoFiles) {
  await page.getByRole('button', { name: 'Upload file' }).click()
  await chooseFiles(page, files)
  await uploadDialog(page).getByRole('button', { name: 'Upload', exact: true }).click()
}

for (const width of [1280, 390]) {
  test(`aligns the receipt button with the edge of its banner, ${width} wide`, { tag: '@slow' }, async ({ page, baseURL }) => {
    await page.setViewportSize({ width, height: 844 })
    const link = await addSharedLink(baseURL, 'LINK_EDITABLE_DIRECTORY')
    await removeFilePicker(page)
    await openSharedLink(page, link)
    await uploadFiles(page, twoFiles)
    const button = page.getByRole('button', { name: 'Receipt', exact: true })
    const [inner, outer] = [await button.boundingBox(), await button.locator('..').boundingBox()]
    const padding = await button.locator('..').evaluate((banner) => Number.parseFloat(getComputedStyle(banner).paddingRight))
    expect(inner && outer && outer.x + outer.width - inner.x - inner.width).toBeCloseTo(padding, 0)
  })
}

test('counts only the current visit’s uploads, and issues a receipt per visit', { tag: '@slow' }, async ({ page, baseURL }) => {
  const link = await addSharedLink(baseURL, 'LINK_EDITABLE_DIRECTORY')
  await removeFilePicker(page)
  await openSharedLink(page, link)
  await uploadFiles(page, twoFiles)
  await expect(page.getByText('Received: 2 files, 10 B')).toBeVisible()
  const reset = Promise.withResolvers<void>()
  await page.route('**/v1/upload', async (route) => {
    await reset.promise
    await route.continue()
  })
  await uploadFiles(page, [textFile('Late.txt', 'late')])
  const code = await resetLink(baseURL, link)
  reset.resolve()
  await expect(page.getByRole('alert')).toHaveText(accessEndedMessage)
  await submitCode(page, code)
  await expect(page.getByText('Received: 1 file, 4 B')).toBeVisible()
  await page.getByRole('button', { name: 'Receipt', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Files' }).getByRole('listitem')).toHaveText([/Late\.txt/])
})

test('keeps the receipt available after the tray is cleared and after a reload', { tag: '@slow' }, async ({ page, baseURL }) => {
  const link = await addSharedLink(baseURL, 'LINK_EDITABLE_DIRECTORY')
  await removeFilePicker(page)
  await openSharedLink(page, link)
  await uploadFiles(page, twoFiles)
  const received = page.getByText('Received: 2 files, 10 B')
  await expect(received).toBeVisible()
  await page.getByRole('button', { name: 'Clear finished' }).click()
  await expect(received).toBeVisible()
  await page.reload()
  await expect(received).toBeVisible()
  await page.getByRole('button', { name: 'Receipt', exact: true }).click()
  await expect(page).toHaveTitle('Receipt · Neptune')
  await expect(page.getByText('Plan.txt')).toBeVisible()
})

test('issues a receipt for received files that verifies as genuine, and rejects an altered copy', async ({
  page,
  baseURL,
}, info) => {
  const link = await uploadAndOpenReceipt(page, baseURL)
  const files = page.getByRole('list', { name: 'Files' }).getByRole('listitem')
  await expect(files).toHaveCount(2)
  await expect(files.filter({ hasText: 'Offer (1).pdf' })).toContainText(sha256('ours'))
  await expect(files.filter({ hasText: 'Plan.txt' })).toContainText(sha256('a plan'))
  await expect(page.getByText(link.key)).toBeVisible()
  // What people can read comes first, then the file for a program.
  await expect(page.getByRole('main').getByRole('button')).toHaveText([
    'Print or save as PDF',
    'Send by email',
    'Download signed file',
  ])
  await expect(page.getByText('It isn’t for reading')).toBeVisible()
  const { path, text, signed } = await downloadReceipt(page)
  expect(signed.receipt.files.map(({ name }) => name).sort()).toEqual(['Offer (1).pdf', 'Plan.txt'])

  await page.getByRole('link', { name: 'Check a receipt' }).click()
  await expect(page).toHaveTitle('Check a receipt · Neptune')
  const area = await page.getByText('Drop a receipt here').boundingBox()
  const drag = await startDrag(page, [path], area ?? undefined)
  await drag('dragEnter')
  await drag('dragOver')
  await drag('drop')
  await expect(resultMessage(page)).toContainText('Genuine')
  await expect(page.getByText('Offer (1).pdf')).toBeVisible()

  await chooseFile(page, info, 'renamed since.pdf', 'ours')
  await expect(page.getByText('This file matches “Offer (1).pdf” in the receipt, byte for byte.')).toBeVisible()
  await chooseFile(page, info, 'Plan.txt', 'a plot')
  await expect(page.getByText('This file is not in this receipt.')).toBeVisible()
  await expect(page.getByText('The receipt has a file named “Plan.txt”, but with different content.')).toBeVisible()

  await chooseReceipt(page, text.replace('"total_bytes": 10', '"total_bytes": 11'))
  await expect(resultMessage(page)).toContainText('Not genuine: it was changed, or another portal issued it')
  await expect(page.getByText('Offer (1).pdf')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Choose file' })).toHaveCount(0)
  await chooseReceipt(page, text.replace(sha256('ours'), sha256('forged')))
  await expect(resultMessage(page)).toContainText('Not genuine')
  await chooseReceipt(page, 'no receipt')
  await expect(resultMessage(page)).toContainText('Can’t be checked')
  await page.getByText('Paste the receipt instead').click()
  await page.getByLabel('Receipt', { exact: true }).fill(text)
  await expect(resultMessage(page)).toContainText('Genuine')
})

test('emails a receipt while the visit is open, and shows staff the same one', { tag: '@slow' }, async ({
  page,
  browser,
  baseURL,
  neptune,
}) => {
  const link = await uploadAndOpenReceipt(page, baseURL)
  const address = page.url()
  const send = page.getByRole('button', { name: 'Send by email' })
  await send.click()
  await expect(page.getByLabel('E-mail address')).toHaveAccessibleDescription('Enter an email address.')
  await page.getByLabel('E-mail address').fill('kim, lee@acme.example')
  await send.click()
  await expect(page.getByLabel('E-mail address')).toHaveAccessibleDescription(/must be an email address/)
  await page.getByLabel('E-mail address').fill('kim@acme.example')
  await send.click()
  await expect(page.getByText('This portal can’t send email yet. Print the receipt or save it as PDF instead.')).toBeVisible()
  await expect
    .poll(async () =>
      (await asAdmin(baseURL)('GET', '/v1/admin/mail?search=kim@acme.example')).data.map(
        ({ letter }: { letter: string }) => letter,
      ),
    )
    .toEqual(['receipt'])
  const [email] = await readEmails(neptune.folder, 1)
  expect(email?.to).toContain('kim@acme.example')
  expect(email?.text).toContain(new URL(address).pathname)
  await page.getByRole('link', { name: 'Back to Plans' }).click()
  await expect(page.getByText('Received: 2 files, 10 B')).toBeVisible()
  await page.getByRole('button', { name: 'Receipt', exact: true }).click()
  await expect(page).toHaveURL(address) // a second request returns the same receipt

  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const staff = await context.newPage()
  await staff.goto('/links')
  await signIn(staff)
  await staff.getByRole('button', { name: /^Plans/ }).click()
  const receipts = staff.getByRole('dialog', { name: 'Plans' }).getByRole('list', { name: 'Receipts' })
  await expect(receipts.getByRole('listitem')).toHaveText([/^2 files, 10 B.*from 127\.0\.0\.1$/])
  await receipts.getByRole('link').click()
  await expect(staff).toHaveURL(address)
  await expect(staff.getByRole('button', { name: 'Download signed file' })).toBeVisible()
  await expect(staff.getByRole('button', { name: 'Send by email' })).toHaveCount(0) // staff have no visit
  expect(link.key).toBe((await downloadReceipt(staff)).signed.receipt.link.key)
  await context.close()
})

test('verifies another portal’s receipt only with that portal’s key', { tag: '@slow' }, async ({ page, baseURL }) => {
  const signed = await issueReceipt(baseURL, { 'Offer.pdf': 'an offer' })
  const key = await (await fetch(`${baseURL}/.well-known/neptune-key.json`)).text()
  await using other = await startNeptune()
  await page.goto(`${other.url}/verify`)
  await chooseReceipt(page, JSON.stringify(signed))
  await expect(resultMessage(page)).toContainText('Not genuine')
  await expect(page.getByText('Offer.pdf')).toHaveCount(0)
  await page.getByText('Check a receipt from another portal').click()
  await chooseJson(page, 'Choose key', 'notes.json', '{}')
  await expect(page.getByText('“notes.json” doesn’t contain a key.')).toBeVisible()
  await chooseJson(page, 'Choose key', 'neptune-key.json', key)
  await expect(resultMessage(page)).toContainText('Genuine')
  await expect(page.getByText('It was signed with the key in “neptune-key.json”.')).toBeVisible()
  await page.getByRole('button', { name: 'Use this portal’s key' }).click()
  await expect(resultMessage(page)).toContainText('Not genuine')
})

test('shows the progress of reading a large file, and lets the visitor cancel it', { tag: '@slow' }, async ({ page }, info) => {
  const size = 1024 * megabyte
  const path = writeFile(info, 'Film.mp4', '')
  truncateSync(path, size) // a sparse file, which takes no disk space
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const received_at = '2026-12-03T14:05:00.000Z'
  const receipt = {
    version: 1,
    id: 'r1',
    issued_at: received_at,
    server: 'https://files.acme.example',
    company: 'Acme GmbH',
    link: { key: '7YqPz4', name: 'Films' },
    files: [{ name: 'Film.mp4', size, sha256: sha256(''), received_at }],
    total_files: 1,
    total_bytes: size,
  }
  const signature = sign(null, Buffer.from(canonicalJson(receipt)), privateKey).toString('base64url')
  const { x } = publicKey.export({ format: 'jwk' })
  const keys = { keys: [{ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA', kid: 'k1', x }] }
  await page.goto('/verify')
  await page.getByText('Check a receipt from another portal').click()
  await chooseJson(page, 'Choose key', 'neptune-key.json', JSON.stringify(keys))
  await chooseReceipt(page, JSON.stringify({ receipt, key: 'k1', signature }))
  await chooseInFileChooser(page, () => page.getByRole('button', { name: 'Choose file' }).click(), path)
  const bar = page.getByRole('progressbar', { name: 'Reading “Film.mp4”' })
  await expect.poll(() => bar.evaluate((element: HTMLProgressElement) => element.value)).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(bar).toHaveCount(0)
  await expect(page.getByText('byte for byte')).toHaveCount(0)
  await expect(page.getByText('not in this receipt')).toHaveCount(0)
})

test('passes axe on the receipt and verification pages', { tag: '@slow' }, async ({ page, baseURL }, info) => {
  const longName = 'A very long name of a file that nobody would read to its end, version 12.pdf'
  await uploadAndOpenReceipt(page, baseURL, [textFile('Offer.pdf', 'ours'), textFile(longName, 'a plan')])
  const { text, signed } = await downloadReceipt(page)
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`/receipt/${signed.receipt.id}`)
    await expect(page.getByRole('button', { name: 'Send by email' })).toBeVisible()
    await expect(page.getByText(longName)).toBeVisible()
    await expectClean(page, `${width} receipt`)
    await page.goto('/verify')
    await chooseReceipt(page, text)
    await chooseFile(page, info, 'Offer.pdf', 'ours')
    await expect(page.getByText('byte for byte')).toBeVisible()
    await page.getByText('Check a receipt from another portal').click()
    await expectClean(page, `${width} genuine`)
    await chooseReceipt(page, text.replace('Offer (1).pdf', 'Offer (2).pdf'))
    await expect(resultMessage(page)).toContainText('Not genuine')
    await expectClean(page, `${width} forged`)
  }
})
