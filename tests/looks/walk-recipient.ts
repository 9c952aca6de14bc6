import { expect } from '@playwright/test'
import { createLink, findDirectory, listFiles, type Portal } from './demo.ts'
import type { Stage } from './stage.ts'

async function enter(stage: Stage, { key, accessCode }: { key: string; accessCode: string }, isFile = false) {
  await stage.open(`/access/${key}`)
  await stage.page.getByPlaceholder(stage.say('Access code')).fill(accessCode)
  await stage.press(isFile ? 'Access File' : 'Access Directory')
  await expect(stage.page.getByPlaceholder(stage.say('Access code'))).toHaveCount(0)
  await stage.waitUntilLoaded()
}

/** Opens the views of a recipient, from the code to the receipt. */
export async function walkRecipient(stage: Stage, portal: Portal) {
  const { page } = stage
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showOpenFilePicker'))
  const directory = await findDirectory(portal, 'Quay house')
  const files = await listFiles(portal, directory)
  const picture = files.find(({ file_name }) => file_name.endsWith('.jpg')) ?? files[0]
  await enter(stage, await createLink(portal, 'LINK_DIRECTORY', directory))
  await stage.look('a directory')
  const values = { name: picture?.file_name ?? '' }
  await stage.press('Actions for {name}', values)
  await stage.look('the menu of a file')
  await stage.choose('Preview')
  await expect(page.getByRole('dialog').getByRole('img', { name: values.name })).toBeVisible()
  await stage.lookAndClose('a preview')
  await page.getByRole('searchbox').fill('nothing like it')
  await expect(stage.button('Clear search')).toBeVisible()
  await stage.look('no match')

  await enter(stage, await createLink(portal, 'LINK_FILE', directory, picture), true)
  await expect(stage.button('Download file')).toBeVisible()
  await stage.look('a single file')

  const inbox = await findDirectory(portal, 'From contractors')
  const link = await createLink(portal, 'LINK_EDITABLE_DIRECTORY', inbox)
  await enter(stage, link)
  await stage.look('a directory to upload to')
  await stage.press('Upload file')
  await stage.look('upload')
  const opened = page.waitForEvent('filechooser')
  await stage.press('Choose files')
  const note = { name: `Offer of ${new Date().getFullYear()}.txt`, mimeType: 'text/plain', buffer: Buffer.from('an offer') }
  await (await opened).setFiles([note, { ...note, name: 'Terms of delivery and payment, as agreed with you in spring.txt' }])
  await stage.look('upload, chosen')
  await stage.press('Upload')
  await expect(stage.button('Receipt')).toBeVisible()
  await stage.look('received')
  await stage.press('Receipt')
  await expect(page.getByRole('heading', { level: 1, name: stage.say('Receipt'), exact: true })).toBeVisible()
  await stage.waitUntilLoaded()
  await stage.look('a receipt')

  await stage.open(`/access/${link.key}`)
  await expect(stage.button('Upload file')).toBeVisible()
  const { data } = await portal.call('POST', '/v1/link/initialise', { type: 'RESET', accessKey: link.key })
  const { accessCode }: { accessCode: string } = data
  await portal.call('PATCH', '/v1/link/reset', { accessKey: link.key, accessCode })
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(page.getByRole('alert').first()).toBeVisible()
  await stage.look('the code was changed')
}
