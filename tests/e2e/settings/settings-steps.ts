import type { Page } from '@playwright/test'
import { expect, openAsAdmin } from '../fixtures.ts'

/** Opens a section of the settings as the admin. */
export async function openSection(page: Page, section: string) {
  await openAsAdmin(page, `/settings/${section}`)
  await expect(page.getByRole('button', { name: 'Save' })).toBeVisible()
}

/** Saves, and waits until the server has confirmed it. */
export async function save(page: Page) {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Your changes are saved and in effect.').last()).toBeVisible()
}
