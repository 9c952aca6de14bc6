import { expectClean, extraLooks } from '../expect-clean.ts'
import { addCompanyWithUser, addDirectory, asAdmin, expect, kim, openAsAdmin, signIn, test } from '../fixtures.ts'
import { openSection, save } from './settings-steps.ts'

test('saves a setting in readable units, applies it immediately, and restores the default', async ({ page, baseURL }) => {
  await openAsAdmin(page, '/dashboard')
  await page.getByRole('button', { name: /Administrator/ }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await expect(page).toHaveURL(/\/settings\/organisation$/)
  await expect(page).toHaveTitle('Organisation · Settings · Neptune')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Storage' }).click()
  await expect(page).toHaveTitle('Storage · Settings · Neptune')

  const largest = page.getByLabel('Largest file', { exact: true })
  await expect(largest).toHaveValue('20')
  await expect(page.getByLabel('Largest file: unit')).toHaveValue('GiB')
  await expect(largest).toHaveAccessibleDescription(/Default: 20 GiB\./)
  const saveButton = page.getByRole('button', { name: 'Save' })
  await expect(saveButton).toHaveAccessibleDescription('You haven’t changed anything yet.')
  await largest.fill('0')
  await saveButton.click()
  await expect(largest).toBeFocused()
  await expect(largest).toHaveAccessibleDescription(/Enter at least 1 B\./)
  await largest.fill('1')
  await page.getByLabel('Largest file: unit').selectOption('MB')
  await save(page)
  await expect(page.getByRole('button', { name: 'Discard changes' })).toHaveCount(0)
  await expect(addDirectory(baseURL, 'Plans', { 'large.bin': Buffer.alloc(1_000_001) })).rejects.toThrow('413')
  const { data } = await asAdmin(baseURL)('GET', '/v1/admin/settings')
  expect(data.storage).toMatchObject({ version: 1, values: { max_upload_bytes: 1_000_000, trash_days: 30 } })

  await page.getByRole('button', { name: 'Use the default: Largest file' }).click()
  await expect(largest).toBeFocused()
  await save(page)
  expect((await asAdmin(baseURL)('GET', '/v1/admin/settings')).data.storage.values.max_upload_bytes).toBe(20 * 2 ** 30)
})

test.describe('with settings of the operator', () => {
  test.use({ settings: { TRASH_DAYS: '14' } })

  test('shows a locked field with the name of its variable, and asks before other changes remove data', { tag: '@slow' }, async ({
    page,
    baseURL,
  }) => {
    await openSection(page, 'storage')
    const trash = page.getByLabel('Keep deleted files for', { exact: true })
    await expect(trash).toBeDisabled()
    await expect(trash).toHaveValue('14')
    await expect(trash).toHaveAccessibleDescription(/Set by the operator \(TRASH_DAYS\)\./)
    await page.getByLabel('Keep the activity log for', { exact: true }).fill('90')
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Permanently delete older data?' })
    await expect(dialog).toHaveAccessibleDescription('Activity that is more than 90 days old is permanently deleted.')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const read = async () => (await asAdmin(baseURL)('GET', '/v1/admin/settings')).data.storage.values.activity_days
    expect(await read()).toBeNull()
    await page.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('button', { name: 'Save and delete' }).click()
    await expect(page.getByText('Your changes are saved and in effect.')).toBeVisible()
    expect(await read()).toBe(90)
  })
})

test('warns of settings that someone else changed meanwhile, and lets the admin keep their own or use the new ones', {
  tag: '@slow',
}, async ({ page, baseURL }) => {
  await openSection(page, 'links')
  const call = asAdmin(baseURL)
  const expiry = page.getByLabel('New links expire after', { exact: true })
  await expiry.fill('60')
  await page.getByLabel('Email about uploads after', { exact: true }).fill('10')
  await call('PATCH', '/v1/admin/settings/links', { version: 0, values: { default_days: 45, max_files: 20 } })
  await page.getByRole('button', { name: 'Save' }).click()
  const notice = page.getByRole('alert')
  await expect(notice).toContainText('Someone else has changed these settings in the meantime.')
  await expect(notice).toContainText('“New links expire after” is now 45 days. You entered something else.')
  await expect(notice).toContainText(
    '“Files that can be uploaded through a link” is now 20 files. This page shows the new value.',
  )
  await expect(expiry).toHaveValue('60')
  await expect(page.getByLabel('Files that can be uploaded through a link', { exact: true })).toHaveValue('20')
  await save(page)
  await expect(notice).toHaveCount(0)
  const { values } = (await call('GET', '/v1/admin/settings')).data.links
  expect(values).toMatchObject({ default_days: 60, notice_minutes: 10, max_files: 20 })

  await expiry.fill('7')
  await call('PATCH', '/v1/admin/settings/links', { version: 2, values: { default_days: 90 } })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Use the new settings' }).click()
  await expect(expiry).toHaveValue('90')
  await expect(page.getByRole('button', { name: 'Discard changes' })).toHaveCount(0)
})

test('asks before unsaved changes are lost by a link, Back or signing out', async ({ page }) => {
  await openSection(page, 'organisation')
  const links = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
  await links.filter({ hasText: 'Security' }).click()
  const idle = page.getByLabel('Sign people out when idle for', { exact: true })
  await expect(idle).toHaveValue('12')
  await idle.fill('2')
  await expect(page.getByText('Some may have to sign in again, perhaps you too.')).toBeVisible()
  const dialog = page.getByRole('dialog', { name: 'Discard your changes?' })
  for (const leave of [
    () => links.filter({ hasText: 'Storage' }).click(),
    () => page.goBack(),
    async () => {
      await page.getByRole('button', { name: /Administrator/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
    },
  ]) {
    await leave()
    await dialog.getByRole('button', { name: 'Keep editing' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page).toHaveURL(/\/settings\/security$/)
    await expect(idle).toHaveValue('2')
  }
  await page.goBack()
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await expect(page).toHaveURL(/\/settings\/organisation$/)
  await links.filter({ hasText: 'Security' }).click()
  await expect(idle).toHaveValue('12')
})

test('shows no settings to users who are not admins', { tag: '@slow' }, async ({ page, baseURL }) => {
  await addCompanyWithUser(baseURL, 'Globex', kim)
  await page.goto('/login')
  await signIn(page, kim)
  await page.getByRole('button', { name: 'Account of Kim Doe' }).click()
  await expect(page.getByRole('menuitem', { name: 'Account' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Settings' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  const requests: string[] = []
  page.on('request', (request) => request.url().includes('/v1/admin/settings') && requests.push(request.url()))
  await page.goto('/settings/email')
  await expect(page.getByText('Only administrators can change settings.')).toBeVisible()
  await expect(page.getByRole('textbox')).toHaveCount(0)
  expect(requests).toEqual([])
})

for (const { colorScheme, width } of extraLooks) {
  test.describe(`${colorScheme}, ${width} wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 844 } })

    test('passes axe in every section with a Save button without scrolling horizontally', async ({ page }) => {
      for (const section of ['organisation', 'appearance', 'links', 'email', 'security', 'storage']) {
        await openSection(page, section)
        await expectClean(page, section)
      }
    })
  })
}
