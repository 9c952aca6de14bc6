import type { Page } from '@playwright/test'
import { asBearer } from '../calls.ts'
import { expectClean, looks } from '../expect-clean.ts'
import { addDirectory, asAdmin, expect, openAsAdmin, test } from '../fixtures.ts'
import { addLink, askOwner, dayMs, verifyCode } from '../links/link-steps.ts'

const panel = (page: Page, name: string) => page.getByRole('region', { name })

test('shows transfers, storage and links about to expire on the dashboard', { tag: '@slow' }, async ({ page, baseURL }) => {
  const plans = await addDirectory(baseURL, 'Plans', { 'a.txt': 'x'.repeat(1400), 'b.txt': 'y' })
  const { key } = await addLink(baseURL, plans, { lifetimeMs: 3 * dayMs })
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

  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    await expectClean(page, `${colorScheme}, ${width} wide`)
  }

  const attention = panel(page, 'Needs your attention')
  await page.getByRole('button', { name: 'Needs your attention 1' }).click()
  await expect(attention).toBeInViewport()
  await expect(attention.getByRole('link', { name: 'Plans' })).toHaveAttribute('href', `/links?search=${key}`)
  await expect(attention.getByRole('listitem')).toContainText('Expires in 3 days')
  await attention.getByRole('button', { name: '30 more days for Plans' }).click()
  await expect(page.getByText('“Plans” now expires in 33 days.')).toBeVisible()
  await expect(attention).toContainText('Nothing needs your attention.')
})

test('shows recipients’ requests and uploads next to the files, a request only until it is answered', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const plans = await addDirectory(baseURL, 'Plans', { 'a.txt': 'x' })
  const { key, accessCode } = await addLink(baseURL, plans, { linkType: 'LINK_EDITABLE_DIRECTORY' })
  const { token } = await verifyCode(baseURL, key, accessCode)
  const form = new FormData()
  form.set('file', new Blob(['the signed plan']), 'file')
  await asBearer(baseURL, token ?? '')('PUT', `/v1/file/${plans.id}/signed.pdf`, form)
  await askOwner(baseURL, key, 'time', 'Lee of Initech')
  await openAsAdmin(page, '/dashboard')

  const [attention, news] = [panel(page, 'Needs your attention'), panel(page, 'News from recipients')]
  await expect(attention.getByRole('listitem')).toContainText(/asking for more time for “Plans”.*“Lee of Initech”.*Neptune/)
  await expect(news.getByRole('listitem')).toContainText(/Uploaded “signed.pdf”.*New.*Plans · Neptune/)
  const [table, column] = [page.getByRole('table', { name: 'Files' }), attention]
  const [tableBox, columnBox] = [await table.boundingBox(), await column.boundingBox()]
  expect(columnBox?.x).toBeGreaterThan((tableBox?.x ?? 0) + (tableBox?.width ?? 0))
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('Files')

  await attention.getByRole('button', { name: 'Give 30 more days: Plans' }).click()
  await expect(attention).toContainText('Nothing needs your attention.')
  await page.reload()
  await expect(attention).toContainText('Nothing needs your attention.')
  await news.getByRole('link', { name: 'Uploaded “signed.pdf”' }).click()
  await expect(page).toHaveURL(`/directories/${plans.id}?sort=-created_at`)
})

test.describe('with links that are four days old', () => {
  test.use({ hasServerClock: true })

  test('sends an unopened link and restores a link that stopped working', { tag: '@slow' }, async ({
    page,
    baseURL,
    serverClock,
  }) => {
    serverClock.setAhead(-4 * dayMs)
    await addLink(baseURL, await addDirectory(baseURL, 'Offers'))
    const plans = await addDirectory(baseURL, 'Plans')
    await addLink(baseURL, plans)
    serverClock.setAhead(0)
    await asAdmin(baseURL)('DELETE', `/v1/directory/${plans.id}`)
    await openAsAdmin(page, '/dashboard')
    const attention = panel(page, 'Needs your attention')
    await expect(attention.getByRole('listitem')).toHaveText([
      /Plans.*doesn’t work while its directory is in the trash.*Neptune/,
      /Offers.*Not opened yet/,
    ])
    await attention.getByRole('button', { name: 'Send: Offers' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send Link Details' })
    await dialog.getByLabel('Target e-mail').fill('lee@initech.example')
    await dialog.getByRole('button', { name: 'Send Details' }).click()
    await expect(attention.getByRole('listitem')).toHaveText([/Plans/])
    await attention.getByRole('button', { name: 'Fix: Plans' }).click()
    await page.getByRole('button', { name: 'Restore directory' }).click()
    await expect(page.getByText('The link to “Plans” works again.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(attention.getByRole('listitem')).toHaveText([/Plans.*Not opened yet/])
  })
})

test('guides a new admin through the first steps, and checks off those already done', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  await openAsAdmin(page, '/dashboard')
  const steps = panel(page, 'Set up your portal')
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('Files') // the first steps come after the table of files
  await expect(steps).toContainText('0 of 6 steps are done.')
  await asAdmin(baseURL)('PATCH', '/v1/admin/settings/organisation', { version: 0, values: { name: 'Keller & Partner' } })
  await page.reload()
  await expect(steps).toContainText('1 of 6 steps is done.')
  for (const step of ['Name your organisation', 'Check that emails arrive']) {
    await steps.getByRole('link', { name: step }).click()
    await expect(page.getByRole('heading', { level: 2, name: step })).toBeVisible()
    await page.goBack()
  }
})

test('hides the first steps on request, reports panels that did not load, and loads them on retry', { tag: '@slow' }, async ({
  page,
}) => {
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
  await expect(panel(page, 'Needs your attention')).toContainText('This list did not load.')
  await page.unroute('**/v1/dashboard')
  await panel(page, 'Storage per company').getByRole('button', { name: 'Try again' }).click()
  await expect(panel(page, 'Transfers per day').getByRole('slider')).toBeVisible()
  await expect(panel(page, 'Set up your portal')).toHaveCount(0)
})
