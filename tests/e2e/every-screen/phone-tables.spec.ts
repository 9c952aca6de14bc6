import type { Page } from '@playwright/test'
import { addCompanyWithUser, addDirectory, expect, kim, openAsAdmin, test } from '../fixtures.ts'
import { addLink } from '../links/link-steps.ts'

test.use({ viewport: { width: 390, height: 844 } })

const recently = /just now|min ago/

test('shows every column of the main tables on a phone', { tag: '@slow' }, async ({ page, baseURL }) => {
  await addCompanyWithUser(baseURL, 'Globex', kim)
  const plans = await addDirectory(baseURL, 'Plans', { 'a.txt': 'x' })
  await addLink(baseURL, plans)
  await openAsAdmin(page, '/dashboard')
  await expectAllColumns(page, 'Files', ['a.txt', 'Text file', 'Neptune', 'Plans', '1 B'])
  await page.goto('/files')
  await expectAllColumns(page, 'Files', ['a.txt', 'Text file', 'Neptune', 'Plans', '1 B', recently])
  await page.goto('/links')
  await expectAllColumns(page, 'Links', ['Plans', 'Directory', 'Neptune', recently, 'View Link'])
  await page.goto('/clients')
  await expectAllColumns(page, 'Users', ['Administrator', 'Employee', 'Neptune', 'Active', 'Admin', 'Edit'])
  await page.goto('/companies')
  await expectAllColumns(page, 'Companies', ['Globex', '1', '0 B', recently])
  await page.goto('/activity')
  await expectAllColumns(page, 'Activity', ['Created a link', 'Plans', 'Neptune', '127.0.0.1'])
})

/** Expects every cell of the first row to fit on the screen, and the row to contain all of these texts. */
async function expectAllColumns(page: Page, table: string, texts: (string | RegExp)[]) {
  const row = page.getByRole('table', { name: table }).locator('tbody tr').first()
  await expect(row).toContainText(texts[0] ?? '')
  const cells = row.getByRole('cell')
  const headings = await page.getByRole('table', { name: table }).getByRole('columnheader').count()
  await expect(cells).toHaveCount(headings)
  for (const cell of await cells.all()) {
    const box = await cell.boundingBox()
    expect(box, `${table}: ${await cell.innerText()}`).toMatchObject({ width: expect.any(Number) })
    expect(box?.width).toBeGreaterThan(8)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
  }
  for (const text of texts.slice(1)) await expect(row, table).toContainText(text)
}
