import { accessButton, heading, readDownload, refocusWindow, submitCode, waitForDownload } from '../access/access-steps.ts'
import { expectClean } from '../expect-clean.ts'
import { chooseAction, openPage, rows } from '../files/directory-steps.ts'
import { addDirectory, asAdmin, expect, test } from '../fixtures.ts'

/** Adds a folder with a file to a directory. Returns the ids of both. */
async function addFolder(baseURL: string | undefined, directory: string, name: string, file: string) {
  const call = asAdmin(baseURL)
  const { data } = await call('POST', `/v1/directory/${directory}/folders`, { paths: [[name]] })
  const form = new FormData()
  form.set('file', new Blob([file]), 'file')
  const uploaded = await call('PUT', `/v1/file/${data[0].id}/${file}`, form)
  return { folder: data[0].id as string, file: uploaded.data.id as string }
}

test('shares selected files of a directory and its folders, which recipients see as a list without folders', async ({
  page,
  browser,
  baseURL,
}) => {
  const { id } = await addDirectory(baseURL, 'Confidential clients', { 'offer.txt': 'the offer', 'other.txt': 'secret' })
  const receipts = await addFolder(baseURL, id, 'Private receipts', 'flight.txt')
  await openPage(page, `/directories/${id}?search=f`)
  await expect(rows(page)).toHaveText([/flight\.txt.*Private receipts/, /offer\.txt/])
  for (const name of ['flight.txt', 'offer.txt']) await rows(page).filter({ hasText: name }).getByRole('checkbox').check()
  const selection = page.getByRole('region', { name: 'Selection' })
  const part = await waitForDownload(page, () => selection.getByRole('button', { name: 'Download' }).click())
  expect(part.suggestedFilename()).toBe('Confidential clients.zip')
  const content = await readDownload(part)
  expect([content.includes('the offer'), content.includes('flight.txt'), content.includes('secret')]).toEqual([true, true, false])
  await selection.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share 2 files' })
  await expect(dialog.getByRole('radio')).toHaveCount(0) // recipients can only download them
  await expect(dialog).toContainText('No mail server is set up, so pass the link and its code on yourself.')
  await expectClean(page, 'the dialog to share several files')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const ready = page.getByRole('dialog', { name: 'Link ready' })
  await expect(ready).toContainText('2 files')
  const address = await ready.getByLabel('Link', { exact: true }).inputValue()
  const code = await ready.getByLabel('Access code', { exact: true }).inputValue()

  const context = await browser.newContext()
  const recipient = await context.newPage()
  await recipient.goto(address)
  await expect(recipient.getByText('Files have been shared with you')).toBeVisible()
  await expect(accessButton(recipient)).toHaveText('Access File')
  await submitCode(recipient, code)
  await expect(heading(recipient)).toHaveText('2 files')
  await expect(recipient.locator('#announcement')).toHaveText('Access granted. 2 files')
  await expect(rows(recipient)).toHaveText([/flight\.txt/, /offer\.txt/])
  await expect(recipient.locator('body')).not.toContainText(/Confidential|Private|other\.txt/)
  const file = await waitForDownload(recipient, () => recipient.getByRole('button', { name: 'offer.txt', exact: true }).click())
  expect(await readDownload(file)).toBe('the offer')
  const zip = await waitForDownload(recipient, () => recipient.getByRole('button', { name: 'Download all' }).click())
  expect(zip.suggestedFilename()).toBe('files.zip')
  await recipient.getByRole('searchbox').fill('other')
  await expect(recipient.getByText('No file matches “other”.')).toBeVisible()
  await recipient.getByRole('searchbox').fill('')
  await expectClean(recipient, 'a list of several shared files')

  const call = asAdmin(baseURL)
  await call('DELETE', `/v1/file/${receipts.file}`)
  await refocusWindow(recipient)
  await expect(heading(recipient)).toHaveText('1 file')
  await expect(rows(recipient)).toHaveText([/offer\.txt/])
  await page.goto('/links')
  await expect(page.getByRole('row').filter({ hasText: 'Confidential clients' })).toContainText('1 file')
  await page.locator('[data-opener]').filter({ hasText: 'Confidential clients' }).click()
  const details = page.getByRole('dialog', { name: '1 file · Confidential clients' })
  await expect(details.getByRole('list', { name: 'Files' }).getByRole('listitem')).toHaveText(['offer.txt'])
  await page.keyboard.press('Escape')
  await call('DELETE', `/v1/directory/${id}`)
  await refocusWindow(recipient)
  await expect(heading(recipient)).toHaveText('This is no longer available.')
  await page.reload()
  await expect(page.getByRole('row').filter({ hasText: 'Confidential clients' })).toContainText('File deleted')
  await context.close()
})

test('shares the folder that is open, not the directory that contains it', { tag: '@slow' }, async ({ page, baseURL }) => {
  const { id } = await addDirectory(baseURL, 'Plans', { 'above.txt': 'x' })
  const { folder } = await addFolder(baseURL, id, 'Offers', 'offer.txt')
  await openPage(page, `/directories/${folder}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Share “Offers”' })
  const created = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/v1/link'))
  await dialog.getByRole('button', { name: 'Create link' }).click()
  expect((await created).postDataJSON()).toMatchObject({ linkType: 'LINK_DIRECTORY', directory: folder })
  await page.getByRole('dialog', { name: 'Link ready' }).getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Upload file' }).click()
  const upload = page.getByRole('dialog', { name: 'Upload File' })
  await expect(upload.getByLabel('Directory').locator('option:checked')).toHaveText('Plans / Offers')
})

test('pins a link to the version that is current, and previews and downloads older versions', async ({ page, baseURL }) => {
  const { id, ids } = await addDirectory(baseURL, 'Plans', { 'plan.txt': 'the first plan' })
  await openPage(page, `/directories/${id}`)
  await chooseAction(page, 'plan.txt', 'Share')
  const dialog = page.getByRole('dialog', { name: 'Share “plan.txt”' })
  await expect(dialog).toContainText('No mail server is set up')
  await dialog.getByRole('button', { name: 'More options' }).click()
  const version = dialog.getByLabel('Version')
  await expect(version.locator('option:checked')).toHaveText('Always the newest version')
  await version.selectOption('This version')
  await expect(version).toHaveAccessibleDescription(/^Recipients keep getting version 1 from /)
  const created = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/v1/link'))
  await dialog.getByRole('button', { name: 'Create link' }).click()
  expect((await created).postDataJSON()).toMatchObject({ file: ids['plan.txt'], version: ids['plan.txt'] })

  const form = new FormData()
  form.set('file', new Blob(['the second plan']), 'file')
  await asAdmin(baseURL)('PUT', `/v1/file/${id}/plan.txt?conflict=replace`, form)
  await openPage(page, `/directories/${id}`)
  await chooseAction(page, 'plan.txt', 'Details')
  const versions = page.getByRole('listitem').filter({ hasText: /Version [12]/ })
  await expect(versions).toHaveText([/Version 2.*Current/, /Version 1.*1 link shows this version/])
  await chooseAction(page, 'Version 1', 'Preview')
  const viewer = page.getByRole('dialog', { name: 'plan.txt' }).last() // over the drawer of the same name
  await expect(viewer).toContainText('the first plan')
  const old = await waitForDownload(page, () => viewer.getByRole('button', { name: 'Download' }).click())
  expect(await readDownload(old)).toBe('the first plan')
  await page.keyboard.press('Escape')
  await chooseAction(page, 'Version 2', 'Preview')
  await expect(viewer).toContainText('the second plan')
})

test('ignores addresses that were entered before it was known that there is no mail server', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const { id } = await addDirectory(baseURL, 'Plans')
  const loaded = Promise.withResolvers<void>()
  await page.route('**/v1/mail/way', async (route) => {
    await loaded.promise
    await route.continue()
  })
  await openPage(page, `/directories/${id}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Share “Plans”' })
  await dialog.getByLabel('Send it to').fill('ann@client.example, rob')
  await expect(dialog.getByRole('button', { name: 'Create and send' })).toBeVisible()
  loaded.resolve()
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(page.getByRole('dialog', { name: 'Link ready' })).toBeVisible()
  expect((await asAdmin(baseURL)('GET', '/v1/link')).data).toMatchObject([{ email: null }])
})
