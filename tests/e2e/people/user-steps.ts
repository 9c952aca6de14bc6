import type { Page } from '@playwright/test'
import { addCompanyWithUser, expect, kim, openAsAdmin } from '../fixtures.ts'

export const lee = { name: 'Lee Park', email: 'lee@initech.example', password: 'one more long password' }

export const userNames = (page: Page) => page.getByRole('table', { name: 'Users' }).locator('tbody tr:has(button) td:first-child')

export async function openUsers(page: Page) {
  await openAsAdmin(page, '/clients')
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
}

export async function createCompany(page: Page, name: string) {
  await page.getByRole('button', { name: 'Create company' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(name)
  await page.getByRole('dialog').getByRole('button', { name: 'Create company' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
}

export async function fillUserForm(page: Page, user: typeof kim & { company: string }) {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill(user.name)
  await dialog.getByLabel('E-mail address').fill(user.email)
  await dialog.getByLabel('Company').selectOption(user.company)
  await dialog.getByLabel('Password', { exact: true }).fill(user.password)
}

/** Adds Kim of Globex, then Lee of Initech. Returns Lee. */
export async function addKimAndLee(baseURL: string | undefined) {
  await addCompanyWithUser(baseURL, 'Globex', kim)
  return addCompanyWithUser(baseURL, 'Initech', lee)
}
