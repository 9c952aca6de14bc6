import type { Page } from '@playwright/test'
import { addSharedLink, phoneViewport } from '../access/access-steps.ts'
import { expectClean } from '../expect-clean.ts'
import { addDirectory, expect, test } from '../fixtures.ts'
import { chooseAction, openPage } from './directory-steps.ts'
import { makePdf } from './make-pdf.ts'

const viewer = (page: Page) => page.getByRole('dialog')
const pdfPage = (page: Page, number: number, total: number) =>
  viewer(page).getByRole('region', { name: `Page ${number} of ${total}`, exact: true })

/** Returns how many pages are currently drawn. */
const countDrawn = (page: Page) => viewer(page).locator('[data-drawn=true]').count()

const makePageTexts = (count: number) => Array.from({ length: count }, (_, index) => `This is page ${index + 1}`)

test('draws the pages of a PDF only near the viewport, and moves through them with the keyboard', async ({ page, baseURL }) => {
  const { id } = await addDirectory(baseURL, 'Plans', {
    'a.pdf': makePdf({ pages: makePageTexts(40), link: 'https://example.org/plan' }),
  })
  await openPage(page, `/directories/${id}`)
  await chooseAction(page, 'a.pdf', 'Preview')
  await expect(pdfPage(page, 1, 40).getByText('This is page 1')).toBeVisible()
  await expect(pdfPage(page, 1, 40)).toHaveAttribute('data-drawn', 'true')
  expect(await countDrawn(page)).toBeLessThan(8)
  const link = pdfPage(page, 1, 40).getByRole('link', { name: 'https://example.org/plan' })
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow')
  await expect(link).toHaveAttribute('target', '_blank')
  await expectClean(page, 'a PDF')

  await expect(viewer(page).getByRole('region', { name: 'a.pdf' })).toBeFocused()
  await page.keyboard.press('End')
  await expect(pdfPage(page, 40, 40).getByText('This is page 40')).toBeInViewport()
  await expect(pdfPage(page, 40, 40)).toHaveAttribute('data-drawn', 'true')
  await expect(pdfPage(page, 1, 40)).toHaveAttribute('data-drawn', 'false')
  const field = viewer(page).getByRole('textbox', { name: 'Page number' })
  await expect(field).toHaveValue('40')
  await field.fill('20')
  await page.keyboard.press('Enter')
  await expect(pdfPage(page, 20, 40).getByText('This is page 20')).toBeInViewport()

  const measureWidth = () => pdfPage(page, 20, 40).evaluate((element) => element.getBoundingClientRect().width)
  const fitted = await measureWidth()
  await viewer(page).getByRole('region', { name: 'a.pdf' }).focus()
  await page.keyboard.press('+')
  await expect.poll(measureWidth).toBeCloseTo(fitted * 1.5, 0)
  await page.keyboard.press('0')
  await expect.poll(measureWidth).toBeCloseTo(fitted, 0)
  await expect(field).toHaveValue('20')
})

test('shows the first page of a large PDF after loading a small part of it', { tag: '@slow' }, async ({ page, baseURL }) => {
  const size = 30 * 2 ** 20
  const { id } = await addDirectory(baseURL, 'Plans', { 'a.pdf': makePdf({ pages: makePageTexts(3), padding: size }) })
  await openPage(page, `/directories/${id}`)
  let loaded = 0
  page.on('response', async (response) => {
    if (!response.url().includes('/v1/preview/') || response.status() !== 206) return
    loaded += Number(response.headers()['content-length'])
  })
  await chooseAction(page, 'a.pdf', 'Preview')
  await expect(pdfPage(page, 1, 3)).toHaveAttribute('data-drawn', 'true')
  expect(loaded).toBeGreaterThan(0)
  expect(loaded).toBeLessThan(size / 10)
})

test('runs no scripts of a PDF, and says when a PDF can’t be displayed', async ({ page, baseURL }) => {
  const script = 'app.alert\\(1\\); this.submitForm\\("/v1/stats?ran"\\)'
  const { id } = await addDirectory(baseURL, 'Plans', {
    'a.pdf': makePdf({ pages: ['Hello'], script, link: 'javascript:alert(1)' }),
    'b.pdf': '%PDF-1.4 and nothing more',
  })
  const problems: string[] = []
  page.on('dialog', (dialog) => problems.push(dialog.type()) && void dialog.dismiss())
  page.on('request', (request) => request.url().includes('?ran') && problems.push(request.url()))
  page.on('console', (message) => message.text().includes('Content Security Policy') && problems.push(message.text()))
  await openPage(page, `/directories/${id}`)
  await chooseAction(page, 'a.pdf', 'Preview')
  await expect(pdfPage(page, 1, 1)).toHaveAttribute('data-drawn', 'true')
  await expect(pdfPage(page, 1, 1).getByText('Hello')).toBeVisible()
  await expect(viewer(page).getByRole('link')).toHaveCount(0)
  await page.keyboard.press('ArrowRight')
  await expect(viewer(page).getByText('This PDF can’t be displayed. It may be damaged.')).toBeVisible()
  await expect(viewer(page).getByRole('button', { name: 'Download' }).last()).toBeVisible()
  expect(problems).toEqual([])
})

test.describe('in German', () => {
  test.use({ locale: 'de-DE' })

  test('fits a PDF to a phone, in the recipient’s language', { tag: '@slow' }, async ({ page, baseURL }) => {
    await page.setViewportSize(phoneViewport)
    const link = await addSharedLink(baseURL, 'LINK_DIRECTORY', { files: { 'a.pdf': makePdf({ pages: makePageTexts(3) }) } })
    await page.goto(`/access/${link.key}`)
    await page.getByPlaceholder('Zugangscode').fill(link.code)
    await page.getByRole('button', { name: 'Verzeichnis öffnen' }).click()
    await page.getByRole('button', { name: /^Aktionen für/ }).click()
    await page.getByRole('menuitem', { name: 'Vorschau' }).click()
    const first = viewer(page).getByRole('region', { name: 'Seite 1 von 3' })
    await expect(first.getByText('This is page 1')).toBeVisible()
    const { width } = await first.evaluate((element) => element.getBoundingClientRect())
    expect(width).toBeGreaterThan(phoneViewport.width * 0.85)
    expect(width).toBeLessThanOrEqual(phoneViewport.width)
    await expect(viewer(page).getByRole('textbox', { name: 'Seitenzahl' })).toHaveValue('1')
    await viewer(page).getByRole('button', { name: 'Vergrößern' }).click()
    await expectClean(page, 'a PDF on a phone, in German')
  })
})
