import { stopClock } from '../timers.ts'
import { expect, test } from './gallery-fixtures.ts'

test.describe('a dialog', () => {
  test('focuses its first field, keeps the focus inside, and restores it on close', { tag: '@slow' }, async ({ page }) => {
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

  test('asks before discarding input, and is submitted by Enter in a field', { tag: '@slow' }, async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Open create dialog' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create Directory' })
    await dialog.getByRole('button', { name: 'Create Directory' }).click()
    await expect(dialog.getByText('Enter a name.')).toBeVisible()
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

  test('stays open when a file picker inside it is canceled', { tag: '@slow' }, async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Open upload dialog' }).click()
    const dialog = page.getByRole('dialog', { name: 'Upload file' })
    await dialog.getByLabel('File', { exact: true }).dispatchEvent('cancel', { bubbles: true })
    await expect(dialog).toBeVisible()
    await dialog.dispatchEvent('cancel', { bubbles: false })
    await expect(dialog).toBeHidden()
  })

  test('explains why it cannot be confirmed yet, and confirms once it can', { tag: '@slow' }, async ({ page }) => {
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

  test('focuses the error summary after every failed attempt, and links from it to the field', { tag: '@slow' }, async ({
    page,
  }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Open failed dialog' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create User' })
    const summary = dialog.getByRole('group', { name: 'The user was not created.' })
    await dialog.getByLabel('Name').press('Enter')
    await expect(summary).toBeFocused()
    await expect(summary).toHaveAccessibleDescription('Enter an email address, such as kim@acme.example.')
    await summary.getByRole('link').click()
    await expect(dialog.getByLabel('E-mail address')).toBeFocused()
    await dialog.getByLabel('E-mail address').press('Enter')
    await expect(summary).toBeFocused()
  })
})

test('focuses the error summary of a page after every failed attempt', { tag: '@slow' }, async ({ page }) => {
  await page.goto('/')
  const send = page.getByRole('button', { name: 'Show the summary of errors' })
  const summary = page.getByRole('group', { name: 'The user was not created.' })
  await send.click()
  await expect(summary).toBeFocused()
  await send.click()
  await expect(summary).toBeFocused()
})

test('announces a toast and offers undo', { tag: '@slow' }, async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Delete with undo' }).click()
  await expect(page.locator('[aria-live=polite]').filter({ hasText: 'Deleted “Offer.pdf”.' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByTestId('chosen')).toHaveText('Chosen: undo')
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeHidden()
})

test('keeps a toast visible and clickable above a dialog, whichever opens first', { tag: '@slow' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 }) // where a toast and a dialog's buttons overlap
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

test('hides a toast after six seconds', { tag: '@slow' }, async ({ page }) => {
  await page.clock.install()
  await page.goto('/')
  await stopClock(page)
  await page.getByRole('button', { name: 'Delete with undo' }).click()
  await page.mouse.move(640, 5)
  await page.getByRole('heading', { level: 1 }).click()
  await page.clock.runFor(5_900)
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeVisible()
  await page.clock.runFor(200)
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeHidden()
})
