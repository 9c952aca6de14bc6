import { expectClean, looks } from '../expect-clean.ts'
import { disableTimers } from '../timers.ts'
import { expect, test } from './gallery-fixtures.ts'

for (const { colorScheme: theme, width } of looks) {
  test(`passes axe in every component: ${theme}, ${width} wide`, { tag: '@slow' }, async ({ page }) => {
    const consoleErrors: string[] = []
    page.on('console', (message) => message.type() === 'error' && consoleErrors.push(message.text()))
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
    expect(consoleErrors).toEqual([])
  })
}

test('opens a menu with an arrow key, and supports arrows, End, first letters and Enter in it', { tag: '@slow' }, async ({
  page,
}) => {
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

for (const hasClipboard of [true, false]) {
  test(`copies from a copy field ${hasClipboard ? 'with the clipboard API' : 'if the clipboard API refuses'}`, {
    tag: '@slow',
  }, async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    if (!hasClipboard) {
      await page.addInitScript(() =>
        Object.defineProperty(navigator.clipboard, 'writeText', { value: () => Promise.reject(new Error('forbidden')) }),
      )
    }
    await disableTimers(page, 2000) // how long the page shows "copied"
    await page.goto('/')
    await page.getByRole('button', { name: 'Copy access code' }).click()
    await expect(page.getByRole('status').filter({ hasText: /copied/i })).toBeAttached()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('K7QM-2XWP-9DRT')
  })
}

test('explains why a disabled button is disabled, and keeps it focusable', { tag: '@slow' }, async ({ page }) => {
  await page.goto('/')
  const button = page.getByRole('button', { name: 'Choose a file' })
  await button.focus()
  await expect(button).toBeFocused()
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await expect(button).toHaveAccessibleDescription('Choose a company and a directory first.')
})
