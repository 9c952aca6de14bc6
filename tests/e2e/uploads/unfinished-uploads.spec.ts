import { expectClean } from '../expect-clean.ts'
import { expect, openAsAdmin, test } from '../fixtures.ts'
import { startUpload } from './unfinished-upload-steps.ts'

test('shows staff a directory’s unfinished uploads, which they can cancel with the keyboard', async ({ page, baseURL }) => {
  const { directory, send } = await startUpload(baseURL)
  await openAsAdmin(page, `/directories/${directory.id}`)
  const line = page.getByText('1 unfinished upload · 4.0 KB reserved')
  await line.focus()
  await page.keyboard.press('Enter')
  const list = page.getByRole('list', { name: 'Unfinished uploads' })
  await expect(list.getByRole('listitem')).toContainText(/Film\.mp4.*4\.0 KB of 10\.0 KB · Recipient of a link/)
  await page.keyboard.press('Tab')
  await expect(list.getByRole('button', { name: 'Cancel Film.mp4' })).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Cancel upload' })
  await expect(dialog).toContainText('4.0 KB of “Film.mp4” has been uploaded.')
  await dialog.getByRole('button', { name: 'Cancel upload' }).click()
  await expect(page.getByText('Cancelled the upload of “Film.mp4”.')).toBeVisible()
  await expect(line).toBeHidden()
  expect((await send(4000, 1)).status).toBe(404)
})

test.describe('in German, dark theme, on a phone', () => {
  test.use({ locale: 'de-DE', colorScheme: 'dark', viewport: { width: 390, height: 844 } })

  test('shows a directory’s unfinished uploads without overflow', { tag: '@slow' }, async ({ page, baseURL }) => {
    const { directory } = await startUpload(baseURL)
    await openAsAdmin(page, `/directories/${directory.id}`)
    await page.getByText('1 unfertiger Upload · 4,0 KB reserviert').click()
    await expectClean(page, 'unfinished uploads')
    await page.getByRole('button', { name: 'Film.mp4 abbrechen' }).click()
    await expect(page.getByRole('dialog', { name: 'Upload abbrechen' })).toBeVisible()
    await expectClean(page, 'cancel an upload')
  })
})
