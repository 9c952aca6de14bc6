import type { Page } from '@playwright/test'
import { enter, enterButton, lookAgain, resetLink, share, thanks, title, tryCode } from './access-steps.ts'
import { expectClean, looks } from './expect-clean.ts'
import { asAdmin, expect, test } from './fixtures.ts'
import { chooseFiles, note, uploadDialog, withPlainPicker } from './upload-steps.ts'

test.beforeEach(({ page }) => withPlainPicker(page))

for (const { colorScheme, width } of looks) {
  test.describe(`${colorScheme}, ${width} wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 844 } })

    test('axe finds nothing on any view of a recipient, and nothing scrolls sideways', async ({ page, baseURL }) => {
      await eachView(page, baseURL, (name) => expectClean(page, name))
    })
  })
}

/** Every state of the recipient's side that has a look of its own. */
async function eachView(page: Page, baseURL: string | undefined, look: (name: string) => Promise<void>) {
  const files = { [`${'A long name '.repeat(8)}.pdf`]: '%PDF-1.7', 'Notes.txt': 'notes', 'Film.mp4': 'film' }
  const directory = await share(baseURL, 'LINK_EDITABLE_DIRECTORY', { files })
  await page.goto(`/access/${directory.key}`)
  await expect(enterButton(page)).toBeVisible()
  await look('the code')
  await tryCode(page, 'ABCD')
  await look('a mistyped code')
  await page.getByRole('button', { name: 'Ask for a new code' }).click()
  await look('asking')
  await page.getByRole('button', { name: 'Ask for a new code' }).click()
  await expect(page.getByText(thanks)).toBeVisible()
  await look('asked')
  await page.getByRole('button', { name: 'Back to the access code' }).click()
  await tryCode(page, directory.code)
  await expect(page.getByText('Notes.txt')).toBeVisible()
  await look('an editable directory')
  await page.getByRole('button', { name: 'Upload file' }).click()
  await chooseFiles(page, [note('Plan.txt', 'a plan')])
  await look('the upload dialog')
  await uploadDialog(page).getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(page.getByText('Received: 1 file, 6 B')).toBeVisible()
  await look('received')
  await page.getByRole('searchbox').fill('nothing like it')
  await expect(page.getByText('No file matches')).toBeVisible()
  await look('no match')
  await resetLink(baseURL, directory)
  await lookAgain(page)
  await expect(page.getByRole('alert')).toBeVisible()
  await look('closed')

  const call = asAdmin(baseURL)
  await call('PATCH', `/v1/directory/${directory.directory}`, { directory: 'Old plans' })
  const empty = await share(baseURL)
  await enter(page, empty)
  await expect(page.getByText('No files here yet.')).toBeVisible()
  await look('an empty directory')
  await call('DELETE', `/v1/directory/${empty.directory}`)
  await lookAgain(page)
  await expect(title(page)).toHaveText('This is no longer available.')
  await look('in the trash')

  const file = await share(baseURL, 'LINK_FILE', { files })
  await enter(page, file)
  await expect(page.getByRole('button', { name: 'Download file' })).toBeVisible()
  await look('a file')
}
