import type { Page } from '@playwright/test'
import { expectClean, looks } from '../expect-clean.ts'
import { asAdmin, expect, test } from '../fixtures.ts'
import { chooseFiles, removeFilePicker, textFile, uploadDialog } from '../uploads/upload-steps.ts'
import {
  accessButton,
  addSharedLink,
  heading,
  openSharedLink,
  refocusWindow,
  requestSentMessage,
  resetLink,
  submitCode,
} from './access-steps.ts'

test.beforeEach(({ page }) => removeFilePicker(page))

for (const { colorScheme, width } of looks) {
  test.describe(`${colorScheme}, ${width} wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 844 } })

    test('passes axe on every recipient view without scrolling horizontally', { tag: '@slow' }, async ({ page, baseURL }) => {
      await forEachView(page, baseURL, (name) => expectClean(page, name))
    })
  })
}

/** Opens each view that a recipient can see and runs `check` on it. */
async function forEachView(page: Page, baseURL: string | undefined, check: (name: string) => Promise<void>) {
  const files = { [`${'A long name '.repeat(8)}.pdf`]: '%PDF-1.7', 'Notes.txt': 'notes', 'Film.mp4': 'film' }
  const directory = await addSharedLink(baseURL, 'LINK_EDITABLE_DIRECTORY', { files })
  await page.goto(`/access/${directory.key}`)
  await expect(accessButton(page)).toBeVisible()
  await check('the code')
  await submitCode(page, 'ABCD')
  await check('a mistyped code')
  await page.getByRole('button', { name: 'Ask for a new code' }).click()
  await check('asking')
  await page.getByRole('button', { name: 'Ask for a new code' }).click()
  await expect(page.getByText(requestSentMessage)).toBeVisible()
  await check('asked')
  await page.getByRole('button', { name: 'Back to the access code' }).click()
  await submitCode(page, directory.code)
  await expect(page.getByText('Notes.txt')).toBeVisible()
  await check('an editable directory')
  await page.getByRole('button', { name: 'Upload file' }).click()
  await chooseFiles(page, [textFile('Plan.txt', 'a plan')])
  await check('the upload dialog')
  await uploadDialog(page).getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(page.getByText('Received: 1 file, 6 B')).toBeVisible()
  await check('received')
  await page.getByRole('searchbox').fill('nothing like it')
  await expect(page.getByText('No file matches')).toBeVisible()
  await check('no match')
  await resetLink(baseURL, directory)
  await refocusWindow(page)
  await expect(page.getByRole('alert')).toBeVisible()
  await check('closed')

  const call = asAdmin(baseURL)
  await call('PATCH', `/v1/directory/${directory.directory}`, { directory: 'Old plans' })
  const empty = await addSharedLink(baseURL)
  await openSharedLink(page, empty)
  await expect(page.getByText('No files here yet.')).toBeVisible()
  await check('an empty directory')
  await call('DELETE', `/v1/directory/${empty.directory}`)
  await refocusWindow(page)
  await expect(heading(page)).toHaveText('This is no longer available.')
  await check('in the trash')

  const file = await addSharedLink(baseURL, 'LINK_FILE', { files })
  await openSharedLink(page, file)
  await expect(page.getByRole('button', { name: 'Download file' })).toBeVisible()
  await check('a file')
}
