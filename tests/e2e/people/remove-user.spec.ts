import { asBearer } from '../calls.ts'
import { chooseAction } from '../files/directory-steps.ts'
import {
  addCompanyWithUser,
  addDirectory,
  asAdmin,
  expect,
  kim,
  openAsAdmin,
  signInInNewContext,
  tableRow,
  test,
} from '../fixtures.ts'
import { addLink, linkNames, verifyCode } from '../links/link-steps.ts'
import { lee } from './user-steps.ts'

const mia = { name: 'Mia Moss', email: 'mia@globex.example', password: 'another long password' }

/** Adds Kim and Mia of Globex, Lee of Initech, and a link of Kim's. */
async function addPeopleWithLink(baseURL: string | undefined) {
  const { id, company } = await addCompanyWithUser(baseURL, 'Globex', kim)
  await addCompanyWithUser(baseURL, 'Initech', lee)
  await asAdmin(baseURL)('POST', '/v1/admin/user', { ...mia, company, role: 'NEPTUNE_USER' })
  const { token } = await asBearer(baseURL)('POST', '/v1/identity/login', { email: kim.email, password: kim.password })
  const link = await addLink(baseURL, await addDirectory(baseURL, 'Plans', {}, company), { call: asBearer(baseURL, token) })
  return { id, company, link }
}

test('removes a user and hands their links over to someone who can see them', { tag: '@slow' }, async ({
  page,
  browser,
  baseURL,
}) => {
  const { id, company, link } = await addPeopleWithLink(baseURL)
  const kimsPage = await signInInNewContext(browser, baseURL, kim)
  await openAsAdmin(page, `/users/${id}`)
  await chooseAction(page, kim.name, 'Remove user')
  const dialog = page.getByRole('dialog', { name: 'Remove user' })
  await expect(dialog).toContainText('They own 1 link that hasn’t expired.')
  const confirm = dialog.getByRole('button', { name: 'Remove user' })
  await confirm.click()
  await expect(dialog.getByRole('group', { name: 'Hand over to' })).toHaveAccessibleDescription(
    'Choose who takes over the links.',
  )

  const choice = (name: string) => dialog.getByRole('radio', { name: new RegExp(name) })
  await expect(choice(lee.name)).toBeDisabled()
  await expect(dialog.locator('label').filter({ hasText: lee.name })).toContainText('Has no access to Globex.')
  await dialog.getByLabel('Search users').fill('globex')
  await expect(choice(lee.name)).toHaveCount(0)
  await choice(mia.name).check()
  // Enter searches; it doesn’t remove anyone.
  await dialog.getByLabel('Search users').fill('initech')
  await dialog.getByLabel('Search users').press('Enter')
  await expect(choice(lee.name)).toBeVisible()
  await expect(choice(mia.name)).toBeChecked()
  await confirm.click()
  await expect(page.getByText(`Removed Kim Doe. 1 link now belongs to ${mia.name}.`)).toBeVisible()
  await expect(page).toHaveURL('/clients')
  await expect(tableRow(page, mia.name)).toBeVisible()
  await expect(tableRow(page, kim.name)).toHaveCount(0)

  expect((await verifyCode(baseURL, link.key, link.accessCode)).token).not.toBeNull()
  await kimsPage.goto('/links')
  await expect(kimsPage).toHaveURL(/\/login/)
  await page.goto(`/users/${id}`)
  await expect(page.getByText('User not found.')).toBeVisible()
  await page.goto('/activity?action=user.removed')
  await expect(page.getByRole('table', { name: 'Activity' })).toContainText(/Removed a user.*kim@globex\.example/s)
  await page.goto(`/activity?person=${id}`)
  await expect(page.getByRole('table', { name: 'Activity' })).toContainText(kim.name)
  // The email address is free again.
  await asAdmin(baseURL)('POST', '/v1/admin/user', { ...kim, name: 'Kim Two', company, role: 'NEPTUNE_USER' })
})

test('closes the links of a removed user, which someone else can take over', { tag: '@slow' }, async ({ page, baseURL }) => {
  const { id, link } = await addPeopleWithLink(baseURL)
  await openAsAdmin(page, `/users/${id}`)
  await chooseAction(page, kim.name, 'Remove user')
  const dialog = page.getByRole('dialog', { name: 'Remove user' })
  await dialog.getByRole('radio', { name: /^Close/ }).check()
  await expect(dialog.getByRole('group', { name: 'Hand over to' })).toHaveCount(0)
  await expect(dialog.getByRole('list', { name: 'Links that will stop working' })).toHaveText(/Plans.*Never used/)
  await dialog.getByRole('button', { name: 'Remove user' }).click()
  await expect(page.getByText('Removed Kim Doe. 1 link was closed.')).toBeVisible()
  expect(await verifyCode(baseURL, link.key, link.accessCode)).toMatchObject({ validation: true, expired: true, token: null })
  await page.goto('/links')
  await linkNames(page).getByText('Plans').click()
  const reasons = page.getByRole('list', { name: 'Why it doesn’t work' }).getByRole('listitem')
  await expect(reasons.last()).toHaveText('Its owner, Kim Doe, was removed.Hand over')
  await page.getByRole('button', { name: 'Hand over' }).click()
  await page.getByRole('radio', { name: mia.name }).check()
  await page.getByRole('button', { name: 'Hand over' }).click()
  await expect(page.getByText(`The link to “Plans” now belongs to ${mia.name}.`)).toBeVisible()
  await asAdmin(baseURL)('POST', `/v1/link/${link.key}/extend`)
  expect((await verifyCode(baseURL, link.key, link.accessCode)).token).not.toBeNull()
})
