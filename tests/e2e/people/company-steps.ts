import type { Page } from '@playwright/test'
import { addCompanyWithUser, addDirectory, asAdmin, expect, kim, openAsAdmin } from '../fixtures.ts'
import { addLink } from '../links/link-steps.ts'

export const companyRow = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Companies' }).locator('tbody tr').filter({ hasText: name })

export const companyNames = (page: Page) => page.getByRole('table', { name: 'Companies' }).locator('tbody td:first-child')

export async function openCompanies(page: Page, query = '') {
  await openAsAdmin(page, `/companies${query}`)
  await expect(companyNames(page).first()).toBeVisible()
}

/** Chooses an item from the menu of a company, in the list or on its page. */
export async function chooseCompanyAction(page: Page, name: string, item: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Adds Globex with Kim, a directory with two files, and a link to it. Returns the ids, and the key and code of the link. */
export async function addGlobex(baseURL: string | undefined) {
  const { id, company } = await addCompanyWithUser(baseURL, 'Globex', kim)
  const plans = await addDirectory(baseURL, 'Plans', { 'a.txt': 'x'.repeat(600), 'b.txt': 'x'.repeat(250) }, company)
  return { kim: id, company, plans, link: await addLink(baseURL, plans) }
}

/** Sets which companies a user may see. */
export const setAccess = (baseURL: string | undefined, id: string, body: object) =>
  asAdmin(baseURL)('PATCH', `/v1/admin/user/${id}/access`, body)
