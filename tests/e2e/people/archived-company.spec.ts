import { addCompanyWithUser, addDirectory, asAdmin, expect, kim, openAsAdmin, test } from '../fixtures.ts'
import { addLink, askOwner, linkNames } from '../links/link-steps.ts'

test('disables actions that would fail for the links of an archived company, and keeps the company in filters', {
  tag: '@slow',
}, async ({ page, baseURL }) => {
  const { company } = await addCompanyWithUser(baseURL, 'Globex', kim)
  const call = asAdmin(baseURL)
  const { key } = await addLink(baseURL, await addDirectory(baseURL, 'Plans', { 'a.txt': 'x' }, company))
  await addLink(baseURL, await addDirectory(baseURL, 'Own'))
  await askOwner(baseURL, key, 'code')
  await openAsAdmin(page, '/links')
  const requests = page.getByRole('region', { name: 'Requests from recipients' })
  await expect(requests).toBeVisible()
  await call('POST', `/v1/admin/company/${company}/archive`)
  await page.reload()
  await expect(linkNames(page)).toHaveCount(2)
  await expect(requests).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Links', exact: true })).toBeVisible() // no open request is counted

  const reason = 'The link doesn’t work while Globex is archived.'
  await page.getByLabel('Select Plans').check()
  const bar = page.getByRole('region', { name: 'Selection' })
  for (const name of ['Reset access code', 'Send link details'])
    await expect(bar.getByRole('button', { name })).toHaveAccessibleDescription(reason)
  await linkNames(page).getByText('Plans').click()
  const dialog = page.getByRole('dialog', { name: 'Plans' })
  for (const name of ['30 more days', 'Send link details'])
    await expect(dialog.getByRole('button', { name })).toHaveAccessibleDescription(reason)
  await dialog.getByRole('button', { name: 'Actions for Plans' }).click()
  await expect(page.getByRole('menuitem', { name: 'Reset access code' })).toHaveAccessibleDescription(reason)
  await expect(page.getByRole('menuitem', { name: 'Delete link' })).not.toHaveAccessibleDescription(reason)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')

  for (const path of ['/links', '/directories', '/files']) {
    await page.goto(path)
    await expect(page.getByLabel('Company').locator('optgroup[label="Archived"] option')).toHaveText(['Globex'])
    await page.getByLabel('Company').selectOption('Globex')
    await expect(page.getByText('Globex is archived: you can see and download everything')).toBeVisible()
  }
  await call('POST', `/v1/admin/company/${company}/restore`)
  await page.goto('/links')
  await expect(requests.getByRole('button', { name: 'Create a new code: Plans' })).toBeVisible()
})
