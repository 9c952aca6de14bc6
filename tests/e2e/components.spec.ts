import { test as base, expect } from '@playwright/test'
import { startGallery } from '../support/start-gallery.ts'
import { startNeptune } from '../support/start-neptune.ts'
import { expectClean, looks } from './expect-clean.ts'

const test = base.extend<object, { gallery: string }>({
  gallery: [
    async ({ browserName: _ }, use) => {
      const policy = await (async () => {
        await using neptune = await startNeptune()
        return (await fetch(`${neptune.url}/login`)).headers.get('content-security-policy')
      })()
      const gallery = await startGallery(policy ?? '')
      await use(gallery.url)
      await gallery.stop()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ gallery }, use) => use(gallery),
})

for (const { colorScheme: theme, width } of looks) {
  test(`axe finds nothing in any component: ${theme}, ${width} wide`, async ({ page }) => {
    const refused: string[] = []
    page.on('console', (message) => message.type() === 'error' && refused.push(message.text()))
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(`/?theme=${theme}`)
    await page.getByRole('button', { name: 'Show the summary of errors' }).click()
    await expectClean(page, 'the page')
    await page.getByRole('button', { name: 'Delete with undo' }).click()
    await expectClean(page, 'a toast')
    await page.getByRole('button', { name: 'Actions', exact: true }).click()
    await expectClean(page, 'a menu')
    await page.keyboard.press('Escape')
    for (const dialog of ['create', 'delete', 'failed', 'upload']) {
      await page.getByRole('button', { name: `Open ${dialog} dialog` }).click()
      if (dialog === 'failed') await page.getByRole('dialog').getByRole('button', { name: 'Create User' }).click()
      if (dialog === 'failed') await expect(page.getByRole('dialog').getByText('The user was not created.')).toBeVisible()
      if (dialog === 'upload') await page.getByRole('button', { name: 'Remove the last one' }).click()
      await expectClean(page, `the ${dialog} dialog`)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
    await page.goto(`/?theme=${theme}&page=card`)
    await expectClean(page, 'the card')
    expect(refused).toEqual([])
  })
}

test.describe('a dialog', () => {
  test('focuses its first field, keeps Tab inside, and gives focus back', async ({ page }) => {
    await page.goto('/')
    const opener = page.getByRole('button', { name: 'Open create dialog' })
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Create Directory' })
    await expect(dialog.getByLabel('Company')).toBeFocused()
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab')
      const isOutside = await page.evaluate(() => {
        const { activeElement } = document
        return activeElement !== document.body && !activeElement?.closest('dialog')
      })
      expect(isOutside).toBe(false)
    }
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(opener).toBeFocused()
  })

  test('asks before it throws away what was typed, and Enter confirms', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Open create dialog' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create Directory' })
    await dialog.getByRole('button', { name: 'Create Directory' }).click()
    await expect(dialog.getByText('Give the directory a name.')).toBeVisible()
    await dialog.getByLabel('Name').fill('Plans')
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Keep editing' }).click()
    await expect(dialog.getByLabel('Name')).toHaveValue('Plans')
    await page.mouse.click(5, 5)
    await expect(dialog.getByRole('button', { name: 'Discard' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Keep editing' }).click()
    await dialog.getByLabel('Name').press('Enter')
    await expect(dialog).toBeHidden()
  })

  test('stays when a file picker inside it is cancelled', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Open upload dialog' }).click()
    const dialog = page.getByRole('dialog', { name: 'Upload file' })
    await dialog.getByLabel('File', { exact: true }).dispatchEvent('cancel', { bubbles: true })
    await expect(dialog).toBeVisible()
    await dialog.dispatchEvent('cancel', { bubbles: false })
    await expect(dialog).toBeHidden()
  })

  test('says why it cannot be confirmed yet, and then can be', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Open upload dialog' }).click()
    const dialog = page.getByRole('dialog', { name: 'Upload file' })
    const confirm = dialog.getByRole('button', { name: 'Upload file' })
    await expect(confirm).toHaveAccessibleDescription('Choose a file first.')
    await confirm.press('Enter')
    await expect(dialog).toBeVisible()
    await dialog
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'Offer.pdf', mimeType: 'application/pdf', buffer: Buffer.from('x') })
    await confirm.click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Uploaded the file.')).toBeVisible()
  })

  test('tells every failed try by moving to what went wrong, which leads to the field', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Open failed dialog' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create User' })
    const summary = dialog.getByRole('group', { name: 'The user was not created.' })
    await dialog.getByLabel('Name').press('Enter')
    await expect(summary).toBeFocused()
    await expect(summary).toHaveAccessibleDescription('Enter an e-mail address, such as kim@acme.example.')
    await summary.getByRole('link').click()
    await expect(dialog.getByLabel('E-mail address')).toBeFocused()
    await dialog.getByLabel('E-mail address').press('Enter')
    await expect(summary).toBeFocused()
  })
})

test('a summary of errors takes the focus at each failed try', async ({ page }) => {
  await page.goto('/')
  const send = page.getByRole('button', { name: 'Show the summary of errors' })
  const summary = page.getByRole('group', { name: 'The user was not created.' })
  await send.click()
  await expect(summary).toBeFocused()
  await send.click()
  await expect(summary).toBeFocused()
})

test('a menu opens with the arrow, is walked, searched by letter and left', async ({ page }) => {
  await page.goto('/')
  const opener = page.getByRole('button', { name: 'Actions', exact: true })
  await opener.focus()
  await page.keyboard.press('ArrowDown')
  const item = (name: string) => page.getByRole('menuitem', { name })
  await expect(item('Copy link')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(item('Download')).toBeFocused()
  await page.keyboard.press('End')
  await expect(item('Delete')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(item('Copy link')).toBeFocused()
  await page.keyboard.press('d')
  await expect(item('Download')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('chosen')).toHaveText('Chosen: download')
  await expect(opener).toBeFocused()
})

test.describe('a table', () => {
  test('is walked with the arrows from one row’s button to the next, and Enter or Space opens a row', async ({ page }) => {
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
    await expect(page.getByText(/\d selected/)).toBeHidden()
    await expect(table.locator('tbody [data-opener][tabindex="0"]')).toHaveCount(1)
    await page.keyboard.press('Shift+Tab')
    await expect(table.getByRole('checkbox', { name: 'Select Plans' })).toBeFocused()
  })

  test('opens a row by a click anywhere on it, but not by one on a control or one that selects text', async ({ page }) => {
    await page.goto('/')
    const row = page.getByRole('table', { name: 'Links' }).getByRole('row', { name: 'Contracts' })
    const opened = page.getByTestId('opened')
    await row.getByRole('checkbox').click()
    await row.getByRole('button', { name: 'Actions for Contracts' }).click()
    await page.keyboard.press('Escape')
    const box = await row.getByText('Initech').boundingBox()
    if (!box) throw new Error('the row is not drawn')
    await page.mouse.move(box.x + 1, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + 40, box.y + box.height / 2)
    await page.mouse.up()
    expect(await page.evaluate(() => String(getSelection()))).not.toBe('')
    await expect(opened).toHaveText('Opened: nothing')
    await row.getByText('18 days left').click()
    await expect(opened).toHaveText('Opened: Contracts')
  })

  test('has nothing to press where rows cannot be opened', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('table', { name: 'Plain' }).locator('tbody').locator('button, [tabindex]')).toHaveCount(0)
  })

  test('selects rows one by one, in a range and all, and says how many', async ({ page }) => {
    await page.goto('/')
    const table = page.getByRole('table', { name: 'Links' })
    const boxes = table.getByRole('checkbox')
    await boxes.nth(1).click()
    await boxes.nth(3).click({ modifiers: ['Shift'] })
    await expect(page.getByText('3 selected')).toBeVisible()
    await expect(boxes.nth(0)).toHaveJSProperty('indeterminate', true)
    await boxes.nth(0).click()
    await expect(page.getByText('5 selected')).toBeVisible()
    await boxes.nth(0).click()
    await expect(page.getByText(/\d selected/)).toBeHidden()
  })

  test('says how it is sorted', async ({ page }) => {
    await page.goto('/')
    const header = page.getByRole('table', { name: 'Links' }).getByRole('columnheader', { name: 'Name' })
    await expect(header).toHaveAttribute('aria-sort', 'ascending')
    await header.getByRole('button').click()
    await expect(header).toHaveAttribute('aria-sort', 'descending')
  })
})

test.describe('tiles', () => {
  test('are walked with the arrows, row by row', async ({ page }) => {
    await page.goto('/')
    const list = page.getByRole('list', { name: 'Directories', exact: true })
    const tile = (name: string) => list.getByRole('link', { name })
    await tile('Offer').focus()
    await page.keyboard.press('ArrowRight')
    await expect(tile('Annual accounts')).toBeFocused()
    await page.keyboard.press('End')
    await expect(tile('notes')).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(tile('Offer')).toBeFocused() // the fifth of four columns stands below the first
    await page.keyboard.press('Tab')
    await expect(list.getByRole('button', { name: 'Actions for Offer.pdf' })).toBeFocused()
  })

  test('leave the focus to their neighbour when they are removed', async ({ page }) => {
    await page.goto('/')
    const list = page.getByRole('list', { name: 'Removable' })
    for (const [removed, next] of [
      ['Two', 'Three'],
      ['Three', 'One'],
    ] as const) {
      await list.getByRole('button', { name: `Actions for ${removed}` }).focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
      await expect(list.getByRole('button', { name: removed, exact: true })).toHaveCount(0)
      await expect(list.getByRole('button', { name: next, exact: true })).toBeFocused()
    }
    await list.getByRole('button', { name: 'Actions for One' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await expect(page.getByRole('main')).toBeFocused()
  })

  test('show their glyph when a picture does not come', async ({ page }) => {
    await page.goto('/')
    const tile = page.getByRole('list', { name: 'Files', exact: true }).getByRole('listitem').filter({ hasText: 'Site.jpg' })
    await tile.scrollIntoViewIfNeeded()
    await expect(tile.locator('svg').first()).toBeVisible()
    await expect(tile.locator('img')).toHaveCount(0)
  })
})

test('what is out of sight is not drawn, but is still there to be found and read out', async ({ page }) => {
  await page.goto('/')
  const drawn = (selector: string) =>
    page
      .locator(selector)
      .last()
      .evaluate((item) => item.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }))
  const row = 'table:has(caption:text("Several lines")) tbody tr'
  const tile = 'ul[aria-label=Files] > li'
  for (const selector of [row, tile]) {
    await expect.poll(() => drawn(selector)).toBe(false)
    await expect(page.locator(selector).last()).not.toHaveText('')
    await page.locator(selector).last().scrollIntoViewIfNeeded()
    await expect.poll(() => drawn(selector)).toBe(true)
    await page.evaluate(() => window.scrollTo(0, 0))
  }
})

test('a selection takes the place of the filters, and the list below stays where it is', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  const section = page.locator('section[data-section=Filters]')
  const place = () => section.evaluate((element) => element.getBoundingClientRect().height)
  const before = await place()
  // By key: rows above that are drawn only once they are near may still move the page under a pointer.
  await page.getByRole('button', { name: 'Select three' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Delete the three' })).toBeVisible()
  await expect(page.getByLabel('Search links')).toBeHidden()
  expect(await place()).toBe(before)
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Clear selection' }).press('Enter')
  await expect(page.getByLabel('Search links')).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})

test('a toast can be undone, and is announced', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Delete with undo' }).click()
  await expect(page.locator('[aria-live=polite]').filter({ hasText: 'Deleted “Offer.pdf”.' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByTestId('chosen')).toHaveText('Chosen: undo')
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeHidden()
})

test('a toast is seen, and can be pressed, over a dialog: come before it or while it is open', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 }) // where a toast and a dialog's buttons want the same place
  await page.goto('/')
  await page.getByRole('button', { name: 'Delete with undo' }).click()
  await page.getByRole('button', { name: 'Open upload dialog' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upload file' })
  await expect(dialog.getByText('Deleted “Offer.pdf”.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByTestId('chosen')).toHaveText('Chosen: undo')
  await dialog.getByRole('button', { name: 'Remove the last one' }).click()
  await dialog.getByRole('button', { name: 'Put back' }).click()
  await expect(dialog.getByText('Undone.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Remove the last one' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('region', { name: 'Notifications' }).getByText('Removed the last one.')).toBeVisible()
})

test('a list loads its next page by itself, also after a filter made it as long as before', async ({ page }) => {
  await page.goto('/')
  const filter = page.getByRole('button', { name: 'Filter the list' })
  await filter.scrollIntoViewIfNeeded()
  await expect(page.getByTestId('asked')).toHaveText('Asked for: filter 0')
  await filter.click()
  await expect(page.getByTestId('asked')).toHaveText('Asked for: filter 0, filter 1')
})

test('a toast leaves after six seconds', async ({ page }) => {
  await page.clock.install()
  await page.goto('/')
  await page.getByRole('button', { name: 'Delete with undo' }).click()
  await page.mouse.move(640, 5)
  await page.getByRole('heading', { level: 1 }).click()
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeVisible()
  await page.clock.runFor(7_000)
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeHidden()
})

for (const hasClipboard of [true, false]) {
  test(`a copy field copies ${hasClipboard ? 'through' : 'without'} the clipboard API`, async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    if (!hasClipboard) {
      await page.addInitScript(() =>
        Object.defineProperty(navigator.clipboard, 'writeText', { value: () => Promise.reject(new Error('forbidden')) }),
      )
    }
    await page.goto('/')
    await page.getByRole('button', { name: 'Copy access code' }).click()
    await expect(page.getByRole('status').filter({ hasText: /copied/i })).toBeAttached()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('K7QM-2XWP-9DRT')
  })
}

test('a button one may not press says why, and does nothing', async ({ page }) => {
  await page.goto('/')
  const button = page.getByRole('button', { name: 'Choose a file' })
  await button.focus()
  await expect(button).toBeFocused()
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await expect(button).toHaveAccessibleDescription('Choose a company and a directory first.')
})
