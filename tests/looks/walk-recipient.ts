import { expect } from '@playwright/test'
import { createLink, findDirectory, listFiles, type Portal } from './portals.ts'
import type { ViewDriver } from './view-driver.ts'

async function openLink(driver: ViewDriver, { key, accessCode }: { key: string; accessCode: string }, isFile = false) {
  await driver.open(`/access/${key}`)
  await driver.page.getByPlaceholder(driver.translate('Access code')).fill(accessCode)
  await driver.press(isFile ? 'Access File' : 'Access Directory')
  await expect(driver.page.getByPlaceholder(driver.translate('Access code'))).toHaveCount(0)
  await driver.waitUntilLoaded()
}

/** Opens the views of a recipient, from the code to the receipt. */
export async function walkRecipient(driver: ViewDriver, portal: Portal) {
  const { page } = driver
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showOpenFilePicker'))
  const directory = await findDirectory(portal, 'Quay house')
  const files = await listFiles(portal, directory)
  const picture = files.find(({ file_name }) => file_name.endsWith('.jpg')) ?? files[0]
  await openLink(driver, await createLink(portal, 'LINK_DIRECTORY', directory))
  await driver.capture('a directory')
  const values = { name: picture?.file_name ?? '' }
  await driver.press('Actions for {name}', values)
  await driver.capture('the menu of a file')
  await driver.choose('Preview')
  await expect(page.getByRole('dialog').getByRole('img', { name: values.name })).toBeVisible()
  await driver.captureAndClose('a preview')
  await page.getByRole('searchbox').fill('nothing like it')
  await expect(driver.button('Clear search')).toBeVisible()
  await driver.capture('no match')

  await openLink(driver, await createLink(portal, 'LINK_FILE', directory, picture), true)
  await expect(driver.button('Download file')).toBeVisible()
  await driver.capture('a single file')

  const inbox = await findDirectory(portal, 'From contractors')
  const link = await createLink(portal, 'LINK_EDITABLE_DIRECTORY', inbox)
  await openLink(driver, link)
  await driver.capture('a directory to upload to')
  await driver.press('Upload file')
  await driver.capture('upload')
  const chooserOpened = page.waitForEvent('filechooser')
  await driver.press('Choose files')
  const note = { name: `Offer of ${new Date().getFullYear()}.txt`, mimeType: 'text/plain', buffer: Buffer.from('an offer') }
  await (await chooserOpened).setFiles([
    note,
    { ...note, name: 'Terms of delivery and payment, as agreed with you in spring.txt' },
  ])
  await driver.capture('upload, chosen')
  await driver.press('Upload')
  await expect(driver.button('Receipt')).toBeVisible()
  await driver.capture('received')
  await driver.press('Receipt')
  await expect(page.getByRole('heading', { level: 1, name: driver.translate('Receipt'), exact: true })).toBeVisible()
  await driver.waitUntilLoaded()
  await driver.capture('a receipt')

  await driver.open(`/access/${link.key}`)
  await expect(driver.button('Upload file')).toBeVisible()
  const { data } = await portal.call('POST', '/v1/link/initialise', { type: 'RESET', accessKey: link.key })
  const { accessCode }: { accessCode: string } = data
  await portal.call('PATCH', '/v1/link/reset', { accessKey: link.key, accessCode })
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(page.getByRole('alert').first()).toBeVisible()
  await driver.capture('the code was changed')
}
