import type { Page } from '@playwright/test'
import { asBearer } from '../calls.ts'
import { expectClean } from '../expect-clean.ts'
import { chooseAction, openPage, rows } from '../files/directory-steps.ts'
import { addCompanyWithUser, addDirectory, asAdmin, expect, kim, openAsAdmin, test } from '../fixtures.ts'
import { lee } from '../people/user-steps.ts'
import { addFileLink, addLink, linkNames, openLinks } from './link-steps.ts'

const affected = (page: Page) => page.getByRole('list', { name: 'Links that will stop working' }).getByRole('listitem')

test('lists the links that deleting a file or a directory would stop, with recipient and last use', {
  tag: '@slow',
}, async ({ page, baseURL }) => {
  const directory = await addDirectory(baseURL, 'Plans', { 'a.txt': 'x', 'b.txt': 'y' })
  const used = await addFileLink(baseURL, directory.id, 'a.txt')
  await asAdmin(baseURL)('POST', '/v1/link/email', { key: used.key, targetEmail: 'sam@globex.example' })
  await asBearer(baseURL)('POST', '/v1/link/verify', { accessKey: used.key, accessCode: used.accessCode })
  await openPage(page, `/directories/${directory.id}`)
  await chooseAction(page, 'a.txt', 'Delete')
  const dialog = page.getByRole('dialog', { name: 'Delete “a.txt”?' })
  await expect(dialog.getByRole('status')).toHaveText('1 link will stop working.')
  await expect(affected(page)).toHaveText([/^a\.txtNeptune · for sam@globex\.exampleLast used (just now|\d+ min ago)$/])
  await expectClean(page, 'delete a shared file')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(rows(page)).toHaveCount(2)

  for (let i = 0; i < 6; i += 1) await addLink(baseURL, directory)
  await openAsAdmin(page, '/directories')
  await chooseAction(page, 'Plans', 'Delete')
  const directoryDialog = page.getByRole('dialog', { name: 'Delete “Plans”?' })
  await expect(directoryDialog.getByRole('status')).toHaveText('7 links will stop working.')
  await expect(affected(page)).toHaveText([
    /^a\.txtNeptune · for sam@.*Last used/,
    ...Array.from({ length: 4 }, () => /^PlansNeptuneNever used$/),
  ])
  await directoryDialog.getByRole('link', { name: 'Show all 7 links' }).click()
  await expect(page).toHaveURL(new RegExp(`/links\\?directory=${directory.id}&state=active`))
  await expect(linkNames(page)).toHaveCount(7)
  await addLink(baseURL, await addDirectory(baseURL, 'Other'))
  await page.getByRole('button', { name: 'Show all links' }).click()
  await expect(linkNames(page)).toHaveCount(8)
})

test('deletes a file without asking if no working link depends on it, and counts the links of a whole selection', {
  tag: '@slow',
}, async ({ page, baseURL }) => {
  const directory = await addDirectory(baseURL, 'Plans', { 'a.txt': 'x', 'b.txt': 'y', 'c.txt': 'z' })
  for (const name of ['a.txt', 'b.txt']) await addFileLink(baseURL, directory.id, name)
  await openAsAdmin(page, '/files')
  await page
    .getByRole('row', { name: /c\.txt/ })
    .getByRole('button', { name: 'Actions' })
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByText('Deleted “c.txt”.')).toBeVisible()
  await page.getByLabel('Select a.txt').click()
  await page.getByLabel('Select b.txt').click()
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete 2 files?' })
  await expect(dialog.getByRole('status')).toHaveText('2 links will stop working.')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Deleted 2 files.')).toBeVisible()
  await openLinks(page)
  await page.getByLabel('State').selectOption('File deleted or replaced')
  await expect(linkNames(page)).toHaveCount(2)
})

test('opens the dialog if the check takes long, and lets people continue if it fails', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const directory = await addDirectory(baseURL, 'Plans', { 'a.txt': 'x' })
  await openPage(page, `/directories/${directory.id}`)
  let failCheck = () => {}
  await page.route('**/v1/link/affected', async (route) => {
    await new Promise<void>((resolve) => {
      failCheck = resolve
    })
    await route.fulfill({ status: 500, body: '' })
  })
  await chooseAction(page, 'a.txt', 'Delete')
  const dialog = page.getByRole('dialog', { name: 'Delete “a.txt”?' })
  await expect(dialog.getByText('Checking which links would stop working')).toBeAttached()
  failCheck()
  await expect(dialog.getByRole('status')).toHaveText(
    'We couldn’t check whether links would stop working. You can still continue.',
  )
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Deleted “a.txt”.')).toBeVisible()
})

test('hands over the links of a user before their suspension', { tag: '@slow' }, async ({ page, baseURL }) => {
  const { id, company } = await addCompanyWithUser(baseURL, 'Globex', kim)
  await addCompanyWithUser(baseURL, 'Initech', lee)
  const { token } = await asBearer(baseURL)('POST', '/v1/identity/login', { email: kim.email, password: kim.password })
  const directory = await addDirectory(baseURL, 'Plans', {}, company)
  const link = await addLink(baseURL, directory, { call: asBearer(baseURL, token) })
  await openAsAdmin(page, '/clients')
  await page.getByRole('button', { name: 'Edit Kim Doe' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  const dialog = page.getByRole('dialog', { name: 'Suspend user' })
  await expect(dialog.getByRole('status')).toHaveText('1 link stops working while Kim Doe is suspended.')
  await expectClean(page, 'suspend a user with links')
  await dialog.getByRole('radio', { name: 'Hand over' }).check()
  await expect(dialog.getByText('1 link stops working')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await expect(dialog.getByRole('group', { name: 'Hand over to' })).toHaveAccessibleDescription(
    'Choose who takes over the links.',
  )
  await expect(dialog.getByRole('radio', { name: 'Lee Park Has no access to Globex.' })).toBeDisabled()
  await dialog.getByRole('link', { name: 'Choose who takes over the links.' }).click()
  await expect(dialog.getByRole('radio', { name: 'Administrator' })).toBeFocused()
  await dialog.getByRole('radio', { name: 'Administrator' }).check()
  await expectClean(page, 'suspend a user and hand over their links')
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await expect(page.getByText('Suspended Kim Doe. 1 link now belongs to Administrator.')).toBeVisible()
  const call = asAdmin(baseURL)
  const { data } = await call('GET', `/v1/link/${link.key}/info`)
  expect([data.state, data.maker]).toEqual(['active', 'Administrator'])
  const [user] = (await call('GET', '/v1/admin/user?search=kim')).data
  expect(user).toMatchObject({ id, suspended_at: expect.any(String) })
})
