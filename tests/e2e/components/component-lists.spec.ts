import { expect, test } from './gallery-fixtures.ts'

test.describe('a table', () => {
  test('moves between rows with the arrow keys, and opens a row with Enter or Space', { tag: '@slow' }, async ({ page }) => {
    await page.goto('/')
    const table = page.getByRole('table', { name: 'Links' })
    const opener = (name: string) => table.getByRole('button', { name, exact: true })
    const opened = page.getByTestId('opened')
    await opener('Annual accounts and the auditor’s report of the year 2026.pdf').focus()
    await page.keyboard.press('ArrowDown')
    await expect(opener('Contracts')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(opened).toHaveText('Opened: Contracts')
    await page.keyboard.press('End')
    await expect(opener('Plans')).toBeFocused()
    await page.keyboard.press('Space')
    await expect(opened).toHaveText('Opened: Plans')
    await expect(page.getByRole('region', { name: 'Selection' })).toBeHidden()
    await expect(table.locator('tbody [data-opener][tabindex="0"]')).toHaveCount(1)
    await page.keyboard.press('Shift+Tab')
    await expect(table.getByRole('checkbox', { name: 'Select Plans' })).toBeFocused()
  })

  test('opens a row on a click anywhere except on a control or while selecting text', { tag: '@slow' }, async ({ page }) => {
    await page.goto('/')
    const row = page.getByRole('table', { name: 'Links' }).getByRole('row', { name: 'Contracts' })
    const opened = page.getByTestId('opened')
    await row.getByRole('checkbox').click()
    await row.getByRole('button', { name: 'Actions for Contracts' }).click()
    await page.keyboard.press('Escape')
    const box = await row.getByText('Initech').boundingBox()
    if (!box) throw new Error('the row is not rendered')
    await page.mouse.move(box.x + 1, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + 40, box.y + box.height / 2)
    await page.mouse.up()
    expect(await page.evaluate(() => String(getSelection()))).not.toBe('')
    await expect(opened).toHaveText('Opened: nothing')
    await row.getByText('18 days left').click()
    await expect(opened).toHaveText('Opened: Contracts')
  })

  test('has no focusable controls when rows cannot be opened', { tag: '@slow' }, async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('table', { name: 'Plain' }).locator('tbody').locator('button, [tabindex]')).toHaveCount(0)
  })

  test('selects a range of rows and all rows, and shows the count', { tag: '@slow' }, async ({ page }) => {
    await page.goto('/')
    const table = page.getByRole('table', { name: 'Links' })
    const boxes = table.getByRole('checkbox')
    const selection = page.getByRole('region', { name: 'Selection' })
    await boxes.nth(1).click()
    await boxes.nth(3).click({ modifiers: ['Shift'] })
    await expect(selection).toContainText('3 selected')
    await expect(boxes.nth(0)).toHaveJSProperty('indeterminate', true)
    await boxes.nth(0).click()
    await expect(selection).toContainText('5 selected')
    await boxes.nth(0).click()
    await expect(selection).toBeHidden()
  })

  test('announces its sort order', { tag: '@slow' }, async ({ page }) => {
    await page.goto('/')
    const header = page.getByRole('table', { name: 'Links' }).getByRole('columnheader', { name: 'Name' })
    await expect(header).toHaveAttribute('aria-sort', 'ascending')
    await header.getByRole('button').click()
    await expect(header).toHaveAttribute('aria-sort', 'descending')
  })
})

test.describe('tiles', () => {
  test('can be navigated in two dimensions with the arrow keys', { tag: '@slow' }, async ({ page }) => {
    await page.goto('/')
    const list = page.getByRole('list', { name: 'Directories', exact: true })
    const tile = (name: string) => list.getByRole('link', { name })
    await tile('Offer').focus()
    await page.keyboard.press('ArrowRight')
    await expect(tile('Annual accounts')).toBeFocused()
    await page.keyboard.press('End')
    await expect(tile('notes')).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(tile('Offer')).toBeFocused() // in four columns, the fifth tile is below the first
    await page.keyboard.press('Tab')
    await expect(list.getByRole('button', { name: 'Actions for Offer.pdf' })).toBeFocused()
  })

  test('move the focus to a neighbor when one is removed', { tag: '@slow' }, async ({ page }) => {
    await page.goto('/')
    const list = page.getByRole('list', { name: 'Removable' })
    await list.getByRole('button', { name: 'Two', exact: true }).focus()
    for (const [removed, next] of [
      ['Two', 'Three'],
      ['Three', 'One'],
    ] as const) {
      await page.keyboard.press('Tab')
      await expect(list.getByRole('button', { name: `Actions for ${removed}` })).toBeFocused()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
      await expect(list.getByRole('button', { name: removed, exact: true })).toHaveCount(0)
      await expect(list.getByRole('button', { name: next, exact: true })).toBeFocused()
    }
    await list.getByRole('button', { name: 'Actions for One' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await expect(page.getByRole('main')).toBeFocused()
  })

  test('show an icon when the thumbnail fails to load', { tag: '@slow' }, async ({ page }) => {
    await page.goto('/')
    const tile = page.getByRole('list', { name: 'Files', exact: true }).getByRole('listitem').filter({ hasText: 'Site.jpg' })
    await tile.scrollIntoViewIfNeeded()
    await expect(tile.locator('svg').first()).toBeVisible()
    await expect(tile.locator('img')).toHaveCount(0)
  })
})

test('skips rendering off-screen items, but keeps their text in the document', { tag: '@slow' }, async ({ page }) => {
  await page.goto('/')
  const isRendered = (selector: string) =>
    page
      .locator(selector)
      .last()
      .evaluate((item) => item.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }))
  const row = 'table:has(caption:text("Several lines")) tbody tr'
  const tile = 'ul[aria-label=Files] > li'
  for (const selector of [row, tile]) {
    await expect.poll(() => isRendered(selector)).toBe(false)
    await expect(page.locator(selector).last()).not.toHaveText('')
    await page.locator(selector).last().scrollIntoViewIfNeeded()
    await expect.poll(() => isRendered(selector)).toBe(true)
    await page.evaluate(() => window.scrollTo(0, 0))
  }
})

test('shows the selection bar at the bottom of the window without moving the list', { tag: '@slow' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  const section = page.locator('section[data-section=Filters]')
  const measureHeight = () => section.evaluate((element) => element.getBoundingClientRect().height)
  const before = await measureHeight()
  // Uses the keyboard, because rows above that render late may move the page under the pointer.
  await page.getByRole('button', { name: 'Select three' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Delete the three' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Selection' })).toBeInViewport({ ratio: 1 })
  expect(await measureHeight()).toBe(before)
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Clear selection' }).press('Enter')
  await expect(page.getByRole('region', { name: 'Selection' })).toBeHidden()
  await expect(page.getByRole('main')).toBeFocused()
})

test('loads the next page automatically, even when a filter leaves the list equally long', { tag: '@slow' }, async ({ page }) => {
  await page.goto('/')
  const filter = page.getByRole('button', { name: 'Filter the list' })
  await filter.scrollIntoViewIfNeeded()
  await expect(page.getByTestId('asked')).toHaveText('Asked for: filter 0')
  await filter.click()
  await expect(page.getByTestId('asked')).toHaveText('Asked for: filter 0, filter 1')
})
