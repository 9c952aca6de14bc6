import type { Page } from '@playwright/test'
import { expectClean, looks } from '../expect-clean.ts'
import { addDirectory, asAdmin, expect, openAsAdmin, test } from '../fixtures.ts'

/** Creates a link to a directory that expires in this number of days, and returns its key. */
async function addExpiringLink(baseURL: string | undefined, directory: string, days: number): Promise<string> {
  const call = asAdmin(baseURL)
  const { company } = (await call('GET', '/v1/identity')).data
  const reserved = (await call('POST', '/v1/link/initialise', { company, directory })).data
  const expiry = new Date(Date.now() + days * 24 * 60 * 60_000).toISOString()
  await call('POST', '/v1/link', { linkType: 'LINK_DIRECTORY', directory, ...reserved, expiry })
  return reserved.key
}

const panel = (page: Page, name: string) => page.getByRole('region', { name })

test('shows transfers, recent activity, storage and links about to expire on the dashboard', async ({ page, baseURL }) => {
  const { id } = await addDirectory(baseURL, 'Plans', { 'a.txt': 'x'.repeat(1400), 'b.txt': 'y' })
  const key = await addExpiringLink(baseURL, id, 3)
  await openAsAdmin(page, '/dashboard')

  const transfers = panel(page, 'Transfers per day')
  await expect(transfers.getByRole('definition').first()).toHaveText('2 · 1.4 KB')
  await expect(transfers.getByRole('row')).toHaveCount(31)
  await expect(transfers.getByRole('row').last().getByRole('cell')).toHaveText(['2, 1.4 KB', '0, 0 B'])
  await transfers.getByRole('slider', { name: 'Day' }).focus()
  await expect(transfers.getByRole('definition').first()).toHaveText('2 · 1.4 KB')
  await expect(transfers.getByRole('slider')).toHaveAttribute('aria-valuetext', /: 2 uploads, 1\.4 KB; 0 downloads, 0 B$/)
  await page.keyboard.press('ArrowLeft')
  await expect(transfers.getByRole('slider')).toHaveAttribute('aria-valuetext', /: 0 uploads, 0 B; 0 downloads, 0 B$/)
  await expect(transfers.getByRole('definition').first()).toHaveText('0 · 0 B')

  await expect(panel(page, 'Storage per company').getByRole('listitem')).toHaveText(/Neptune.*2 files, 1\.4 KB/)
  await expect(panel(page, 'Recent activity').getByRole('listitem').first()).toContainText(/Created a link.*Plans.*You/)

  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    await expectClean(page, `${colorScheme}, ${width} wide`)
  }

  const expiring = panel(page, 'Links about to expire')
  await expect(expiring.getByRole('link', { name: 'Plans' })).toHaveAttribute('href', `/links?search=${key}`)
  await expect(expiring.getByRole('listitem')).toContainText('in 3 days')
  await expiring.getByRole('button', { name: '30 more days for Plans' }).click()
  await expect(page.getByText('“Plans” now expires in 33 days.')).toBeVisible()
  await expect(expiring).toContainText('No link expires within the next 7 days.')
})

test('guides a new admin through the first steps, and checks off those already done', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  await openAsAdmin(page, '/dashboard')
  const steps = panel(page, 'Set up your portal')
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('Files') // the first steps come after the table of files
  // One step is done from the start: this admin's password is not the generated one.
  await expect(steps).toContainText('1 of 6 steps is done.')
  await asAdmin(baseURL)('PATCH', '/v1/admin/settings/organisation', { version: 0, values: { name: 'Keller & Partner' } })
  await page.reload()
  await expect(steps).toContainText('2 of 6 steps are done.')
  for (const step of ['Name your organisation', 'Check that emails arrive']) {
    await steps.getByRole('link', { name: step }).click()
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(step)
    await page.goBack()
  }
})

test('hides the first steps on request, and keeps working when one panel fails', { tag: '@slow' }, async ({ page }) => {
  await openAsAdmin(page, '/dashboard')
  await panel(page, 'Set up your portal').getByRole('button', { name: 'Hide these steps' }).click()
  await expect(panel(page, 'Set up your portal')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Set up your portal' })).toHaveCount(0)
  const problem = { type: 'about:blank', title: '', status: 400, code: 'request.invalid', detail: 'It failed.' }
  await page.route('**/v1/dashboard', (route) =>
    route.fulfill({ status: 400, json: problem, contentType: 'application/problem+json' }),
  )
  await page.reload()
  await expect(panel(page, 'Transfers per day')).toContainText('The transfers did not load.')
  await expect(panel(page, 'Recent activity').getByRole('listitem').first()).toContainText('Signed in')
  await page.unroute('**/v1/dashboard')
  await panel(page, 'Storage per company').getByRole('button', { name: 'Try again' }).click()
  await expect(panel(page, 'Transfers per day').getByRole('slider')).toBeVisible()
  await expect(panel(page, 'Set up your portal')).toHaveCount(0)
})
