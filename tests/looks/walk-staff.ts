import { expect } from '@playwright/test'
import { findDirectory, listFiles, type Portal } from './demo.ts'
import type { Stage } from './stage.ts'

const isNarrow = ({ page }: Stage) => (page.viewportSize()?.width ?? 0) < 768

/** Opens the views of directories, files and links, with their dialogs and menus. */
export async function walkWork(stage: Stage, portal: Portal) {
  const { page } = stage
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showOpenFilePicker'))
  await portal.enter(page)
  await stage.open('/dashboard')
  await stage.look('dashboard')
  await page.keyboard.press('Control+k')
  await stage.look('search')
  await page.getByRole('dialog').getByRole('combobox').fill('quay')
  await expect(page.getByRole('option').first()).toBeVisible()
  await stage.lookAndClose('search, found')
  await page.keyboard.press('?')
  await stage.lookAndClose('keys')
  if (isNarrow(stage)) await stage.press('Open menu')
  else await stage.press('Account of {name}', { name: 'Administrator' })
  await stage.look('menu')
  await page.keyboard.press('Escape')

  await stage.open('/directories')
  await stage.look('directories')
  await stage.peek('create a directory', 'Create Directory')
  const directory = await findDirectory(portal, 'Quay house')
  await stage.peek('the menu of a directory', 'Actions for {name}', { name: directory.directory })
  await stage.press('Actions for {name}', { name: directory.directory })
  await stage.choose('Rename')
  await stage.lookAndClose('rename a directory')

  await stage.open(`/directories/${directory.id}`)
  await stage.look('a directory')
  const files = await listFiles(portal, directory)
  const name = files.find(({ file_name }) => file_name.endsWith('.csv'))?.file_name ?? ''
  await stage.press('Actions for {name}', { name })
  await stage.choose('Preview')
  await stage.lookAndClose('a preview of a text')
  await stage.press('Actions for {name}', { name })
  await stage.choose('Rename')
  await stage.lookAndClose('rename a file')
  await stage.press('Upload file')
  await stage.look('upload')
  const opened = page.waitForEvent('filechooser')
  await stage.press('Choose files')
  await (await opened).setFiles([{ name, mimeType: 'text/csv', buffer: Buffer.from('a,b') }])
  await stage.look('upload, chosen')
  await stage.press('Upload')
  await stage.look('upload, the name is taken')
  await stage.press('Upload')
  await expect(page.getByRole('region', { name: stage.say('Uploads') })).toBeVisible()
  await expect(page.getByText(stage.say('{n} uploaded', { n: '1' }))).toBeVisible()
  await stage.look('uploaded, folded')
  await stage.press('Expand uploads')
  await stage.look('uploaded')

  await stage.open('/files')
  await stage.look('files')
  await page.getByRole('row').getByRole('checkbox').nth(2).check()
  await stage.look('files, one selected')
  await stage.open('/files?search=nothing-like-it')
  await stage.look('files, no match')
  await walkLinks(stage)
}

async function walkLinks(stage: Stage) {
  const { page } = stage
  await stage.open('/links')
  await stage.look('links')
  await page.locator('[data-opener]').first().click()
  await stage.lookAndClose('what happened with a link')
  await page.getByRole('row').getByRole('checkbox').nth(1).check()
  await stage.look('links, one selected')
  await stage.peek('send a link', 'Send link details')
  await stage.peek('reset a link', 'Reset access code')
  await stage.peek('delete a link', 'Delete link')
  await page.keyboard.press('Escape')
  await stage.open('/links')
  await stage.press('Create link')
  await expect(page.getByRole('dialog')).toBeVisible()
  await stage.press('Create Link')
  await expect(page.getByText(stage.say('The link was not created.'))).toBeVisible()
  await stage.look('create a link, with errors')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(stage.say('Company'), { exact: true }).selectOption('Saltwater Films')
  await dialog.getByLabel(stage.say('Directory'), { exact: true }).selectOption('Rushes in')
  await dialog.getByLabel(stage.say('Link type'), { exact: true }).selectOption('LINK_EDITABLE_DIRECTORY')
  await expect(dialog.getByLabel(stage.say('Access code'), { exact: true })).not.toHaveValue('')
  await stage.look('create a link')
  await stage.press('Create Link')
  await expect(page.getByRole('heading', { name: stage.say('Link ready') })).toBeVisible()
  await stage.look('a new link')
}

/** Opens the views of users, emails, activity, tokens and webhooks. */
export async function walkPeople(stage: Stage, portal: Portal) {
  const { page } = stage
  await portal.enter(page)
  await stage.open('/clients')
  await stage.look('users')
  await stage.peek('add a company', 'Create company')
  await stage.peek('add a user', 'Add user')
  await stage.peek('edit a user', 'Edit {name}', { name: 'Mira Lindholm' })
  await page.getByLabel(stage.say('Company'), { exact: true }).selectOption('Brandt Precision')
  await stage.peek('rename a company', 'Rename company')
  for (const path of ['mail', 'activity', 'trash', 'trash?of=directories', 'account']) {
    await stage.open(`/${path}`)
    await stage.look(path.replace('?of=', ', '))
  }
  await stage.peek('edit details', 'Edit details')
  await stage.open('/mail')
  await stage.peek('send a test mail', 'Send a test email')
  await walkTokens(stage)
  await walkWebhooks(stage)

  await page.context().setOffline(true)
  await expect(page.getByRole('status').filter({ hasText: /offline/i })).toBeVisible()
  await stage.look('offline')
  await page.context().setOffline(false)
  await page.route('**/v1/link?**', (route) => route.abort())
  await stage.open('/links')
  await expect(stage.button('Try again')).toBeVisible()
  await stage.look('a list that did not load')
}

async function walkTokens(stage: Stage) {
  const { page } = stage
  await stage.open('/account')
  await stage.press('Create token')
  await page.getByRole('dialog').getByLabel(stage.say('Name'), { exact: true }).fill('Nightly backup')
  await stage.look('create a token')
  await stage.press('Create token')
  await expect(page.getByRole('dialog', { name: stage.say('API token ready') })).toBeVisible()
  await stage.look('a new token')
  await stage.press('Close')
  await stage.look('account with a token')
  await stage.peek('revoke a token', 'Revoke {name}', { name: 'Nightly backup' })
  await stage.press('Revoke {name}', { name: 'Nightly backup' })
  await stage.press('Revoke token')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await stage.open('/clients')
  await stage.press('Edit {name}', { name: 'Mira Lindholm' })
  await stage.press('API tokens')
  await stage.lookAndClose('the tokens of another user')
}

async function walkWebhooks(stage: Stage) {
  const { page } = stage
  const dialog = page.getByRole('dialog')
  const url = 'http://127.0.0.1:9/a-path/of-some-length/hook'
  await stage.open('/webhooks')
  await stage.press('Create webhook')
  await expect(dialog).toBeVisible()
  await stage.press('Create webhook')
  await expect(dialog.getByText(stage.say('The webhook was not created.'))).toBeVisible()
  await stage.look('create a webhook, with errors')
  await dialog.getByLabel(stage.say('Company'), { exact: true }).selectOption('Brandt Precision')
  await dialog.getByLabel(stage.say('Address'), { exact: true }).fill(url)
  for (const box of await dialog.getByRole('checkbox').all()) await box.check()
  await stage.look('create a webhook')
  await stage.press('Create webhook')
  await expect(page.getByRole('dialog', { name: stage.say('Webhook ready') })).toBeVisible()
  await stage.look('a new webhook')
  await stage.press('Close')
  await stage.look('webhooks')
  const chooseAction = async (item: Parameters<Stage['choose']>[0]) => {
    await stage.press('Actions for {name}', { name: url })
    await stage.choose(item)
  }
  await stage.peek('the menu of a webhook', 'Actions for {name}', { name: url })
  await chooseAction('Send test')
  await expect(dialog.getByRole('listitem').first()).toContainText(stage.say('The connection was refused.'))
  await stage.lookAndClose('deliveries')
  await chooseAction('Edit')
  await stage.lookAndClose('edit a webhook')
  await chooseAction('Delete')
  await stage.look('delete a webhook')
  await stage.press('Delete webhook')
  await expect(dialog).toHaveCount(0)
}
