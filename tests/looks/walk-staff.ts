import type { CompanyRow } from '@neptune/contract'
import { expect } from '@playwright/test'
import { findDirectory, listFiles, type Portal } from './portals.ts'
import type { ViewDriver } from './view-driver.ts'
import { walkSettings } from './walk-settings.ts'

/** Whether the window is too narrow for the navigation bar. */
const isNarrow = ({ page }: ViewDriver) => (page.viewportSize()?.width ?? 0) < 768

/** Opens the views of directories, files and links, with their dialogs and menus. */
export async function walkFilesAndLinks(driver: ViewDriver, portal: Portal) {
  const { page } = driver
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showOpenFilePicker'))
  await portal.signIn(page)
  await driver.open('/dashboard')
  await driver.capture('dashboard')
  await page.keyboard.press('Control+k')
  await driver.capture('search')
  await page.getByRole('dialog').getByRole('combobox').fill('quay')
  await expect(page.getByRole('option').first()).toBeVisible()
  await driver.captureAndClose('search results')
  await page.keyboard.press('?')
  await driver.captureAndClose('keyboard shortcuts')
  if (isNarrow(driver)) await driver.press('Open menu')
  else await driver.press('Account of {name}', { name: 'Administrator' })
  await driver.capture('menu')
  await page.keyboard.press('Escape')

  await driver.open('/directories')
  await driver.capture('directories')
  await driver.pressAndCapture('create a directory', 'Create Directory')
  const directory = await findDirectory(portal, 'Quay house')
  await driver.pressAndCapture('the menu of a directory', 'Actions for {name}', { name: directory.directory })
  await driver.press('Actions for {name}', { name: directory.directory })
  await driver.choose('Rename')
  await driver.captureAndClose('rename a directory')

  await driver.open(`/directories/${directory.id}`)
  await driver.capture('a directory')
  const files = await listFiles(portal, directory)
  const name = files.find(({ file_name }) => file_name.endsWith('.csv'))?.file_name ?? ''
  await driver.press('Actions for {name}', { name })
  await driver.choose('Preview')
  await driver.captureAndClose('a preview of a text')
  await driver.press('Actions for {name}', { name })
  await driver.choose('Rename')
  await driver.captureAndClose('rename a file')
  await walkSharing(driver, name)
  await driver.press('Upload file')
  await driver.capture('upload')
  const chooserOpened = page.waitForEvent('filechooser')
  await driver.press('Choose files')
  await (await chooserOpened).setFiles([{ name, mimeType: 'text/csv', buffer: Buffer.from('a,b') }])
  await driver.capture('upload, chosen')
  await driver.press('Upload')
  await driver.capture('upload, the name is taken')
  await driver.press('Upload')
  await expect(page.getByRole('region', { name: driver.translate('Uploads') })).toBeVisible()
  await expect(page.getByText(driver.translate('{n} uploaded', { n: '1' }))).toBeVisible()
  await driver.capture('uploaded, collapsed')
  await driver.press('Expand uploads')
  await driver.capture('uploaded')

  await driver.open('/files')
  await driver.capture('files')
  await page.getByRole('row').getByRole('checkbox').nth(2).check()
  await driver.capture('files, one selected')
  await driver.open('/files?search=nothing-like-it')
  await driver.capture('files, no match')
  await walkLinks(driver)
}

/** Opens the views of sharing a directory and one of its files, whose page is open. */
async function walkSharing(driver: ViewDriver, name: string) {
  await driver.pressAndCapture('share a directory', 'Share')
  await driver.press('Actions for {name}', { name })
  await driver.choose('Share')
  await driver.press('Create link')
  await expect(driver.page.getByRole('heading', { name: driver.translate('Link ready') })).toBeVisible()
  await driver.captureAndClose('a file that was shared')
}

async function walkLinks(driver: ViewDriver) {
  const { page } = driver
  await driver.open('/links')
  await driver.capture('links')
  await page.locator('[data-opener]').first().click()
  await driver.captureAndClose('the activity of a link')
  await page.getByRole('row').getByRole('checkbox').nth(1).check()
  await driver.capture('links, one selected')
  await driver.pressAndCapture('send a link', 'Send link details')
  await driver.pressAndCapture('reset a link', 'Reset access code')
  await driver.pressAndCapture('delete a link', 'Delete link')
  await page.keyboard.press('Escape')
  await driver.open('/links')
  await driver.press('Create link')
  await expect(page.getByRole('dialog')).toBeVisible()
  await driver.press('Create Link')
  await expect(page.getByText(driver.translate('The link was not created.'))).toBeVisible()
  await driver.capture('create a link, with errors')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(driver.translate('Company'), { exact: true }).selectOption('Saltwater Films')
  await dialog.getByLabel(driver.translate('Directory'), { exact: true }).selectOption('Rushes in')
  await dialog.getByLabel(driver.translate('Link type'), { exact: true }).selectOption('LINK_EDITABLE_DIRECTORY')
  await expect(dialog.getByLabel(driver.translate('Access code'), { exact: true })).not.toHaveValue('')
  await driver.capture('create a link')
  await driver.press('Create Link')
  await expect(page.getByRole('heading', { name: driver.translate('Link ready') })).toBeVisible()
  await driver.capture('a new link')
}

/** Opens the views of users, companies, emails, activity, the trash, the account, tokens, webhooks and settings. */
export async function walkAdministration(driver: ViewDriver, portal: Portal) {
  const { page } = driver
  await portal.signIn(page)
  await driver.open('/clients')
  await driver.capture('users')
  await driver.pressAndCapture('add a company', 'Create company')
  await driver.pressAndCapture('add a user', 'Add user')
  await driver.pressAndCapture('edit a user', 'Edit {name}', { name: 'Mira Lindholm' })
  await walkAccess(driver)
  await walkUser(driver)
  await driver.open('/clients')
  await page.getByLabel(driver.translate('Company'), { exact: true }).selectOption('Brandt Precision')
  await driver.pressAndCapture('rename a company', 'Rename company')
  await walkCompanies(driver, portal)
  for (const path of ['mail', 'activity', 'trash', 'trash?of=directories', 'account']) {
    await driver.open(`/${path}`)
    await driver.capture(path.replace('?of=', ', '))
  }
  await driver.pressAndCapture('edit details', 'Edit details')
  await driver.open('/mail')
  await driver.pressAndCapture('send a test email', 'Send a test email')
  await walkTokens(driver)
  await walkWebhooks(driver)
  await walkSettings(driver, portal)

  await page.context().setOffline(true)
  const offline = driver.translate('You’re offline. Neptune can’t be reached.')
  await expect(page.getByRole('status').filter({ hasText: offline })).toBeVisible()
  await driver.capture('offline')
  await page.context().setOffline(false)
  await page.route('**/v1/link?**', (route) => route.abort())
  await driver.open('/links')
  await expect(driver.button('Try again')).toBeVisible()
  await driver.capture('a list that did not load')
}

async function walkUser(driver: ViewDriver) {
  await driver.page.getByRole('link', { name: 'Mira Lindholm' }).click()
  await expect(driver.page.getByRole('heading', { level: 1, name: 'Mira Lindholm' })).toBeVisible()
  await driver.capture('a user')
  await driver.pressAndCapture('sign a user out', 'Sign out everywhere')
  for (const [name, item] of [
    ['suspend a user', 'Suspend'],
    ['remove a user', 'Remove user'],
  ] as const) {
    await driver.press('Actions for {name}', { name: 'Mira Lindholm' })
    await driver.choose(item)
    await driver.captureAndClose(name)
  }
}

async function walkAccess(driver: ViewDriver) {
  const dialog = driver.page.getByRole('dialog')
  await driver.press('Edit {name}', { name: 'Mira Lindholm' })
  await dialog.getByLabel(driver.translate('Role'), { exact: true }).selectOption('NEPTUNE_USER')
  await driver.press('Access')
  await dialog.getByRole('radio', { name: driver.translate('Selected companies') }).check()
  await expect(dialog.getByRole('checkbox').nth(1)).toBeVisible()
  await dialog.getByRole('checkbox').nth(1).check()
  await driver.capture('the access of a user')
  await driver.page.keyboard.press('Escape')
  await driver.press('Discard')
  await expect(dialog).toHaveCount(0)
}

async function walkCompanies(driver: ViewDriver, { call }: Portal) {
  const { data: companies }: { data: CompanyRow[] } = await call('GET', '/v1/company?sort=-bytes')
  const { data: admin }: { data: { company: string } } = await call('GET', '/v1/identity')
  const [largest, second] = companies.filter(({ id }) => id !== admin.company) // nobody can archive their own company
  if (!largest || !second) throw new Error('The portal has no companies.')
  await call('PATCH', `/v1/admin/company/${largest.id}`, { quota: Math.ceil(largest.bytes / 0.97), note: 'Pays late.' })
  await call('PATCH', `/v1/admin/company/${second.id}`, { quota: Math.ceil(second.bytes / 0.85) })
  await driver.open('/companies')
  await driver.capture('companies')
  await driver.pressAndCapture('the menu of a company', 'Actions for {name}', { name: largest.name })
  await driver.open(`/companies/${largest.id}`)
  await driver.capture('a company')
  await driver.pressAndCapture('set a quota', 'Set quota')
  await driver.pressAndCapture('edit a note', 'Edit note')
  await driver.pressAndCapture('edit the brand of a company', 'Edit brand')
  await driver.press('Actions for {name}', { name: largest.name })
  await driver.choose('Archive (a company)')
  await driver.captureAndClose('archive a company')
  await call('POST', `/v1/admin/company/${largest.id}/archive`)
  await driver.open('/companies?state=archived')
  await driver.capture('archived companies')
  await driver.open(`/companies/${largest.id}`)
  await driver.capture('an archived company')
  await driver.pressAndCapture('restore a company', 'Restore company')
  await call('POST', `/v1/admin/company/${largest.id}/restore`)
  await driver.open('/clients')
  await driver.press('Add user')
  await driver.page.getByRole('dialog').getByLabel(driver.translate('Company'), { exact: true }).selectOption('new')
  await driver.capture('create a company on top of another dialog')
  for (let open = 2; open > 0; open--) {
    await driver.page.keyboard.press('Escape')
    await expect(driver.page.getByRole('dialog')).toHaveCount(open - 1)
  }
}

async function walkTokens(driver: ViewDriver) {
  const { page } = driver
  await driver.open('/account')
  await driver.press('Create token')
  await page.getByRole('dialog').getByLabel(driver.translate('Name'), { exact: true }).fill('Nightly backup')
  await driver.capture('create a token')
  await driver.press('Create token')
  await expect(page.getByRole('dialog', { name: driver.translate('API token ready') })).toBeVisible()
  await driver.capture('a new token')
  await driver.press('Close')
  await driver.capture('account with a token')
  await driver.pressAndCapture('revoke a token', 'Revoke {name}', { name: 'Nightly backup' })
  await driver.press('Revoke {name}', { name: 'Nightly backup' })
  await driver.press('Revoke token')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await driver.open('/clients')
  await driver.press('Edit {name}', { name: 'Mira Lindholm' })
  await driver.press('API tokens')
  await driver.captureAndClose('the tokens of another user')
}

async function walkWebhooks(driver: ViewDriver) {
  const { page } = driver
  const dialog = page.getByRole('dialog')
  const url = 'http://127.0.0.1:9/a-path/of-some-length/hook'
  await driver.open('/webhooks')
  await driver.press('Create webhook')
  await expect(dialog).toBeVisible()
  await driver.press('Create webhook')
  await expect(dialog.getByText(driver.translate('The webhook was not created.'))).toBeVisible()
  await driver.capture('create a webhook, with errors')
  await dialog.getByLabel(driver.translate('Company'), { exact: true }).selectOption('Brandt Precision')
  await dialog.getByLabel(driver.translate('Address'), { exact: true }).fill(url)
  for (const box of await dialog.getByRole('checkbox').all()) await box.check()
  await driver.capture('create a webhook')
  await driver.press('Create webhook')
  await expect(page.getByRole('dialog', { name: driver.translate('Webhook ready') })).toBeVisible()
  await driver.capture('a new webhook')
  await driver.press('Close')
  await driver.capture('webhooks')
  const chooseAction = async (item: Parameters<ViewDriver['choose']>[0]) => {
    await driver.press('Actions for {name}', { name: url })
    await driver.choose(item)
  }
  await driver.pressAndCapture('the menu of a webhook', 'Actions for {name}', { name: url })
  await chooseAction('Send test')
  await expect(dialog.getByRole('listitem').first()).toContainText(driver.translate('The connection was refused.'))
  await driver.captureAndClose('deliveries')
  await chooseAction('Edit')
  await driver.captureAndClose('edit a webhook')
  await chooseAction('Delete')
  await driver.capture('delete a webhook')
  await driver.press('Delete webhook')
  await expect(dialog).toHaveCount(0)
}
