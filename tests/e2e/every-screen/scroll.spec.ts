import type { Page } from '@playwright/test'
import { addDirectory, asAdmin, expect, openAsAdmin, test } from '../fixtures.ts'
import { addLink } from '../links/link-steps.ts'

/** The window is low enough that every list page can scroll. */
test.use({ viewport: { width: 1280, height: 400 } })

async function fillLists(baseURL: string | undefined) {
  const call = asAdmin(baseURL)
  const { data } = await call('GET', '/v1/identity')
  for (let i = 0; i < 12; i++) await call('POST', '/v1/directory', { directory: `Directory ${i}`, client: data.company })
  const files = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`${i}.txt`, 'x']))
  const plans = await addDirectory(baseURL, 'Plans', files)
  for (let i = 0; i < 8; i++) await addLink(baseURL, plans)
  return plans
}

const readScrollTop = (page: Page) => page.evaluate(() => Math.round(scrollY))

/** Scrolls down by 150 pixels as soon as the page is long enough. Does not scroll to the end, which moves while the page loads. */
async function scrollDown(page: Page) {
  const target = 150
  await expect
    .poll(() =>
      page.evaluate((y) => {
        scrollTo(0, y)
        return Math.round(scrollY)
      }, target),
    )
    .toBe(target)
  return target
}

/** Expects the page to scroll to this position, with a tolerance for rounding. */
const expectScrolledTo = (page: Page, y: number) =>
  expect.poll(async () => Math.abs((await readScrollTop(page)) - y)).toBeLessThanOrEqual(2)

/** Follows a link without moving the page. Playwright's own click would scroll the link into view first. */
const followLink = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().dispatchEvent('click')

/**
 * Records the title and the scroll position in every frame. Returns a function that returns the frames in which the page
 * had the given title.
 */
async function watchFrames(page: Page) {
  await page.evaluate(() => {
    const frames: { title: string; y: number }[] = []
    Object.assign(window, { frames })
    const record = () => {
      frames.push({ title: document.querySelector('h1')?.textContent ?? '', y: Math.round(scrollY) })
      requestAnimationFrame(record)
    }
    record()
  })
  return (title: string) =>
    page.evaluate(
      (wanted) =>
        (window as unknown as { frames: { title: string; y: number }[] }).frames.filter((frame) => frame.title === wanted),
      title,
    )
}

test('opens a page at its top when its link is followed, whether it was open before or not', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  await fillLists(baseURL)
  await openAsAdmin(page, '/directories')
  for (const [from, to] of [
    ['Directories', 'Links'],
    ['Links', 'Directories'],
    ['Directories', 'Links'],
    ['Links', 'Users'],
  ] as const) {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(from)
    await scrollDown(page)
    const framesOf = await watchFrames(page)
    await followLink(page, to)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(to)
    await expect.poll(async () => (await framesOf(to)).length).toBeGreaterThan(3)
    expect(
      (await framesOf(to)).filter(({ y }) => y > 0),
      `${from} to ${to}`,
    ).toEqual([])
    if (to === 'Users') break
  }
})

test('scrolls to the top when the link to the current page is followed', { tag: '@slow' }, async ({ page, baseURL }) => {
  await fillLists(baseURL)
  await openAsAdmin(page, '/links')
  await scrollDown(page)
  await followLink(page, 'Links')
  await expect.poll(() => readScrollTop(page)).toBe(0)
})

test('opens a page at its top when it is opened by its address', { tag: '@slow' }, async ({ page, baseURL }) => {
  const plans = await fillLists(baseURL)
  await openAsAdmin(page, `/directories/${plans.id}`)
  await scrollDown(page)
  await page.goto('/files') // shows the same rows
  await expect(page.getByRole('button', { name: '11.txt', exact: true })).toBeVisible()
  const framesOf = await watchFrames(page)
  await expect.poll(async () => (await framesOf('Files')).length).toBeGreaterThan(10)
  expect((await framesOf('Files')).filter(({ y }) => y > 0)).toEqual([])

  await scrollDown(page)
  await page.goto('/login') // redirects to the dashboard
  await page.goto('/files') // the tab still has the earlier scroll position of this page
  await expect(page.getByRole('button', { name: '11.txt', exact: true })).toBeVisible()
  const framesAgain = await watchFrames(page)
  await expect.poll(async () => (await framesAgain('Files')).length).toBeGreaterThan(10)
  expect((await framesAgain('Files')).filter(({ y }) => y > 0)).toEqual([])
})

test('keeps the position when only the filter of a page changes', { tag: '@slow' }, async ({ page, baseURL }) => {
  await fillLists(baseURL)
  await openAsAdmin(page, '/links')
  await expect(page.getByRole('link', { name: /View Link/ })).toHaveCount(8)
  await scrollDown(page)
  await page.getByLabel('State').evaluate((select: HTMLSelectElement) => {
    select.value = 'active'
    select.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await expect(page).toHaveURL(/state=active/)
  expect(await readScrollTop(page)).toBeGreaterThan(0)
})

test('restores the position on both sides of Back and Forward', { tag: '@slow' }, async ({ page, baseURL }) => {
  await fillLists(baseURL)
  await openAsAdmin(page, '/account')
  await expect(page.getByRole('table', { name: 'Sessions' }).getByText('This browser')).toBeVisible()
  const accountPosition = await scrollDown(page)
  await followLink(page, 'API documentation')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('API')
  await expect(page.getByText(/^\d+ of \d+ endpoints$/)).toBeVisible()
  const docsPosition = await scrollDown(page)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account')
  await expectScrolledTo(page, accountPosition)
  await page.goForward()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('API')
  await expectScrolledTo(page, docsPosition)
})
