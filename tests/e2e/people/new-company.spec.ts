import type { Page } from '@playwright/test'
import { expectClean } from '../expect-clean.ts'
import { addCompanyWithUser, asAdmin, expect, kim, openAsAdmin, signInInNewContext, test } from '../fixtures.ts'
import { setAccess } from './company-steps.ts'
import { openUsers } from './user-steps.ts'

const createDialog = (page: Page) => page.getByRole('dialog', { name: 'Create company' })

async function createCompany(page: Page, name: string) {
  await createDialog(page).getByLabel('Name').fill(name)
  await createDialog(page).getByRole('button', { name: 'Create company' }).click()
  await expect(createDialog(page)).toBeHidden()
}

test('creates a company from the select in Create User, and keeps what was typed', { tag: '@slow' }, async ({ page }) => {
  await openUsers(page)
  await page.getByRole('button', { name: 'Add user' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create User' })
  await dialog.getByLabel('Name', { exact: true }).fill(kim.name)
  await dialog.getByLabel('Password', { exact: true }).fill(kim.password)
  const company = dialog.getByLabel('Company')
  await company.focus()
  await company.selectOption('New company…')
  await expect(createDialog(page).getByLabel('Name')).toBeFocused()
  await expectClean(page, 'Create company on top of Create User')
  await page.keyboard.press('Escape')
  await expect(createDialog(page)).toBeHidden()
  await expect(dialog).toBeVisible()
  await expect(company).toBeFocused()
  await expect(company.locator('option:checked')).toHaveText('Neptune') // the only company so far

  await company.selectOption('New company…')
  await createDialog(page).getByLabel('Name').fill('Neptune')
  await createDialog(page).getByRole('button', { name: 'Create company' }).click()
  await expect(createDialog(page).getByLabel('Name')).toHaveAccessibleDescription(/already exists/)
  await createCompany(page, 'Globex')
  await expect(page.getByText('Created Globex.')).toBeVisible()
  await expect(company).toBeFocused()
  await expect(company.locator('option:checked')).toHaveText('Globex')
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue(kim.name)
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveValue(kim.password)
  await dialog.getByLabel('E-mail address').fill(kim.email)
  await dialog.getByRole('button', { name: 'Create User' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('row').filter({ hasText: kim.name })).toContainText('Globex')
})

test('opens the dialog from the open list of the select, but not with keys in the closed one', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  await asAdmin(baseURL)('POST', '/v1/admin/company', { name: 'Globex' })
  await openUsers(page)
  await page.getByRole('button', { name: 'Add user' }).click()
  const company = page.getByRole('dialog', { name: 'Create User' }).getByLabel('Company')
  await expect(company.getByRole('option')).toHaveText(['Choose a company', 'Globex', 'Neptune', 'New company…'])
  await company.focus()
  await page.keyboard.type('New')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await expect(createDialog(page)).toHaveCount(0)
  await expect(company.locator('option:checked')).toHaveText(/^(Globex|Neptune)$/)
  await page.keyboard.press('Space')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(createDialog(page)).toBeVisible()
})

test('creates a company from the list of selected companies, and selects it', { tag: '@slow' }, async ({ page, baseURL }) => {
  await addCompanyWithUser(baseURL, 'Globex', kim)
  await openUsers(page)
  await page.getByRole('button', { name: 'Edit Kim Doe' }).click()
  const dialog = page.getByRole('dialog', { name: 'Update User' })
  await dialog.getByRole('button', { name: 'Access', exact: true }).click()
  await dialog.getByRole('radio', { name: 'Selected companies' }).check()
  await dialog.getByRole('button', { name: 'New company…' }).click()
  await createCompany(page, 'Hooli')
  await expect(dialog.getByRole('checkbox', { name: 'Hooli' })).toBeChecked()
  await dialog.getByRole('button', { name: 'Update Role' }).click()
  await expect(page.getByRole('row').filter({ hasText: kim.name })).toContainText('Globex and 1 other company')
})

test('offers New company… in selects for a company, but only to admins', { tag: '@slow' }, async ({ page, browser, baseURL }) => {
  const { id } = await addCompanyWithUser(baseURL, 'Globex', kim)
  const { data } = await asAdmin(baseURL)('POST', '/v1/admin/company', { name: 'Hooli' })
  const selects = [
    ['/directories', 'Create Directory'],
    ['/links', 'Create link'],
    ['/dashboard', 'Upload file'],
    ['/webhooks', 'Create webhook'],
  ] as const
  await openAsAdmin(page, '/dashboard')
  for (const [index, [path, button]] of selects.entries()) {
    await page.goto(path)
    await page.getByRole('button', { name: button }).first().click()
    const company = page.getByRole('dialog').getByLabel('Company')
    await company.selectOption('New company…')
    await createCompany(page, `Client ${index}`)
    await expect(company.locator('option:checked'), path).toHaveText(`Client ${index}`)
  }
  await setAccess(baseURL, id, { access: 'selected', companies: [data.id] })
  const kimsPage = await signInInNewContext(browser, baseURL, kim)
  await kimsPage.goto('/directories')
  await kimsPage.getByRole('button', { name: 'Create Directory' }).first().click()
  await expect(kimsPage.getByRole('dialog').getByRole('option')).toHaveText(['Choose a company', 'Globex', 'Hooli'])
})
