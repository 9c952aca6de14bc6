import type { Page } from '@playwright/test'
import { expect, openAsAdmin } from '../fixtures.ts'

export const tiles = (page: Page, list: string) => page.getByRole('list', { name: list, exact: true }).getByRole('listitem')

/** Returns the rows of the folders and files in a directory’s list. */
export const rows = (page: Page) => page.getByRole('table', { name: 'Files' }).locator('[data-row]')

/** Returns the button or link that opens the tile or row. */
export const opener = (page: Page, name: string) =>
  page
    .locator('[data-opener]')
    .and(page.getByRole('button', { name, exact: true }).or(page.getByRole('link', { name, exact: true })))

export async function openPage(page: Page, path: string) {
  await openAsAdmin(page, path)
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(/^(Loading.*|Sign in.*)?$/)
}

/** Chooses an item from the menu of the named file or directory. */
export async function chooseAction(page: Page, name: string, item: string) {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
