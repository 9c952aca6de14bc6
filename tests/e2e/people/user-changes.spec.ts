import { expect, kim, signIn, signInInNewContext, tableRow, test } from '../fixtures.ts'
import { addKimAndLee, lee, openUsers } from './user-steps.ts'

test('changes a user’s role and ends that user’s sessions', { tag: '@slow' }, async ({ page, browser, baseURL }) => {
  await addKimAndLee(baseURL)
  const kimsPage = await signInInNewContext(browser, baseURL, kim)
  await openUsers(page)
  await page.getByRole('button', { name: 'Edit Kim Doe' }).click()
  const dialog = page.getByRole('dialog', { name: 'Update User' })
  await expect(dialog).toContainText('kim@globex.example')
  const role = dialog.getByLabel('Role')
  const confirm = dialog.getByRole('button', { name: 'Update Role' })
  await expect(role.locator('option:checked')).toHaveText('User')
  await expect(role).toHaveAccessibleDescription('They already have the role User.')
  await expect(confirm).toHaveAttribute('aria-disabled', 'true')
  await expect(confirm).toHaveAccessibleDescription('They already have the role User.')
  await role.selectOption('Admin')
  await expect(role).toHaveAccessibleDescription(
    'Current role: User. Update Role makes them an Admin and signs them out everywhere.',
  )
  const sent = page.waitForRequest('**/v1/admin/role')
  await confirm.click()
  expect((await sent).postDataJSON()).toEqual({ email: kim.email, role: 'NEPTUNE_ADMIN' })
  await expect(dialog).toBeHidden()
  await expect(tableRow(page, kim.name).getByRole('cell', { name: 'Admin', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit Kim Doe' })).toBeFocused()
  await kimsPage.getByRole('link', { name: 'Links', exact: true }).click()
  await expect(kimsPage).toHaveURL(/\/login$/)

  // For an admin the dialog opens with their role selected, so that confirming by accident changes nothing.
  await page.getByRole('button', { name: 'Edit Kim Doe' }).click()
  await expect(role.locator('option:checked')).toHaveText('Admin')
  await expect(confirm).toHaveAttribute('aria-disabled', 'true')
  await expect(confirm).toHaveAccessibleDescription('They already have the role Admin.')
  await role.selectOption('User')
  await expect(role).toHaveAccessibleDescription(
    'Current role: Admin. Update Role makes them a User and signs them out everywhere.',
  )
  await confirm.click()
  await expect(tableRow(page, kim.name).getByRole('cell', { name: 'User', exact: true })).toBeVisible()
})

test('marks a suspended user, who cannot sign in until restored', { tag: '@slow' }, async ({ page, browser, baseURL }) => {
  await addKimAndLee(baseURL)
  const kimsPage = await signInInNewContext(browser, baseURL, kim)
  await openUsers(page)
  await page.getByRole('button', { name: 'Edit Kim Doe' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  const dialog = page.getByRole('dialog', { name: 'Suspend user' })
  await expect(dialog).toContainText('No links will stop working.')
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(tableRow(page, kim.name)).toContainText('Suspended')
  await kimsPage.getByRole('link', { name: 'Links', exact: true }).click()
  await expect(kimsPage).toHaveURL(/\/login$/)
  await signIn(kimsPage, kim)
  await expect(kimsPage.getByRole('alert')).toBeVisible()
  await page.getByRole('button', { name: 'Edit Kim Doe' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await expect(tableRow(page, kim.name)).toContainText('Active')
  await signIn(kimsPage, kim)
  await expect(kimsPage).toHaveURL(/\/links$/)
})

test('lets an admin edit a name and email address, and shows a taken address below its field', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  await addKimAndLee(baseURL)
  await openUsers(page)
  await page.getByRole('button', { name: 'Edit Kim Doe' }).click()
  await page.getByRole('dialog', { name: 'Update User' }).getByRole('button', { name: 'Edit details' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit details' })
  const email = dialog.getByLabel('E-mail address')
  await expect(dialog.getByLabel('Current password')).toHaveCount(0)
  await dialog.getByLabel('Name', { exact: true }).fill('Kim Duck')
  await email.fill(lee.email)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(email).toHaveAccessibleDescription('Another user already has this email address.')
  await email.fill('duck@globex.example')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Saved the details of Kim Duck.')).toBeVisible()
  await expect(tableRow(page, 'Kim Duck')).toContainText('duck@globex.example')
  await page.goto('/activity')
  await expect(tableRow(page, 'Changed a user’s email address')).toContainText(`was ${kim.email}`)
})

test('prevents changing one’s own role, and shows in the dialog why a suspension was rejected', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  await addKimAndLee(baseURL)
  await openUsers(page)
  await page.getByRole('button', { name: 'Edit Administrator' }).click()
  const dialog = page.getByRole('dialog', { name: 'Update User' })
  const confirm = dialog.getByRole('button', { name: 'Update Role' })
  await expect(confirm).toHaveAttribute('aria-disabled', 'true')
  await expect(confirm).toHaveAccessibleDescription('You can’t change your own role.')
  await expect(dialog.getByLabel('Role')).toBeDisabled()
  await expect(dialog.getByLabel('Role').locator('option:checked')).toHaveText('Admin')
  await expect(dialog.getByRole('button', { name: 'Suspend' })).toHaveAccessibleDescription(/You can’t suspend yourself\./)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Edit Kim Doe' }).click()
  const detail = 'This is the last administrator who can sign in. Make someone else an administrator first.'
  const problem = { type: 'about:blank', title: '', status: 409, code: 'user.last_admin', detail }
  await page.route('**/suspend', (route) =>
    route.fulfill({ status: 409, json: problem, contentType: 'application/problem+json' }),
  )
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  const suspension = page.getByRole('dialog', { name: 'Suspend user' })
  await suspension.getByRole('button', { name: 'Suspend' }).click()
  await expect(suspension.getByRole('group', { name: detail })).toBeFocused()
})

test('renames the company of the filtered list unless the name is taken', { tag: '@slow' }, async ({ page, baseURL }) => {
  await addKimAndLee(baseURL)
  await openUsers(page)
  const rename = page.getByRole('button', { name: 'Rename company' })
  await expect(page.getByLabel('Company').getByRole('option')).toHaveCount(4) // all, Globex, Initech, Neptune
  await expect(rename).toHaveCount(0)
  await page.getByLabel('Company').selectOption('Globex')
  await rename.click()
  const dialog = page.getByRole('dialog', { name: 'Rename company' })
  const name = dialog.getByLabel('Name', { exact: true })
  const confirm = dialog.getByRole('button', { name: 'Rename' })
  await expect(name).toBeFocused()
  await expect(name).toHaveValue('Globex')
  await name.fill(' ')
  await confirm.click()
  await expect(name).toHaveAccessibleDescription('Enter a name.')
  await name.fill('initech')
  await confirm.click()
  await expect(name).toHaveAccessibleDescription(/A company with this name already exists/)
  await name.fill('Globex & Sons')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Renamed to “Globex & Sons”.')).toBeVisible()
  await expect(page.getByLabel('Company').locator('option:checked')).toHaveText('Globex & Sons')
  await expect(tableRow(page, kim.name)).toContainText('Globex & Sons')
  await expect(rename).toBeFocused()
})
