import type { Page } from '@playwright/test'
import { expect, openAsAdmin } from '../fixtures.ts'

/** Opens a section of the settings as the admin. */
export async function openSection(page: Page, section: string) {
  await openAsAdmin(page, `/settings/${section}`)
  await expect(page.getByRole('button', { name: 'Save' })).toBeVisible()
}

/** Saves, and waits until the form has no unsaved changes. The notice can’t tell, because that of an earlier save stays visible. */
export async function save(page: Page) {
  const button = page.getByRole('button', { name: 'Save', exact: true })
  await button.click()
  await expect(button).toHaveAccessibleDescription('You haven’t changed anything yet.')
}
