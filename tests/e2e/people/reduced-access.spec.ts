import type { Page } from '@playwright/test'
import { asBearer } from '../calls.ts'
import { expectClean } from '../expect-clean.ts'
import { addCompanyWithUser, addDirectory, asAdmin, expect, kim, openAsAdmin, test } from '../fixtures.ts'
import { addLink, verifyCode } from '../links/link-steps.ts'
import { lee, openUsers } from './user-steps.ts'

/** Adds Kim of Globex, with access to all companies and a link in Initech and in Globex, and Lee of Initech. */
async function addKimWithLinks(baseURL: string | undefined) {
  const { id, company: globex } = await addCompanyWithUser(baseURL, 'Globex', kim)
  const { company: initech } = await addCompanyWithUser(baseURL, 'Initech', lee)
  await asAdmin(baseURL)('PATCH', `/v1/admin/user/${id}/access`, { access: 'all' })
  const { token } = await asBearer(baseURL)('POST', '/v1/identity/login', { email: kim.email, password: kim.password })
  const call = asBearer(baseURL, token)
  const kept = await addLink(baseURL, await addDirectory(baseURL, 'Plans', {}, globex), { call })
  const lost = await addLink(baseURL, await addDirectory(baseURL, 'Payroll', {}, initech), { call })
  await verifyCode(baseURL, lost.key, lost.accessCode)
  return { id, kept, lost }
}

const lostLinks = (page: Page) => page.getByRole('list', { name: 'Links that will stop working' }).getByRole('listitem')

test('lists the links that reduced access would stop, and hands over only these', { tag: '@slow' }, async ({ page, baseURL }) => {
  const { id, kept, lost } = await addKimWithLinks(baseURL)
  await openAsAdmin(page, `/users/${id}`)
  await page.getByRole('button', { name: 'Change access' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change access' })
  const save = dialog.getByRole('button', { name: 'Save' })
  await dialog.getByRole('radio', { name: 'Only Globex' }).check()
  await expect(dialog.getByRole('status')).toHaveText(
    '1 link stops working, because Kim Doe will no longer be allowed to share it.',
  )
  await expect(lostLinks(page)).toHaveText([/^PayrollInitechLast used (just now|\d+ min ago)$/])
  await expectClean(page, 'less access with links')
  await save.click()
  await expect(dialog.getByRole('group', { name: 'Their links' })).toHaveAccessibleDescription(
    'Choose what happens to these links.',
  )
  await dialog.getByRole('radio', { name: 'Hand over' }).check()
  await expect(dialog.getByRole('list', { name: 'Links that get a new owner' })).toContainText('Payroll')
  // Lee sees Initech, but not Globex, where Kim keeps her link.
  await dialog.getByRole('radio', { name: new RegExp(lee.name) }).check()
  await save.click()
  await expect(page.getByText('Saved the access of Kim Doe. 1 link now belongs to Lee Park.')).toBeVisible()
  for (const { key, accessCode } of [kept, lost]) expect((await verifyCode(baseURL, key, accessCode)).token).not.toBeNull()
  const owners = await Promise.all(
    [kept, lost].map(async ({ key }) => (await asAdmin(baseURL)('GET', `/v1/link/${key}/info`)).data.maker),
  )
  expect(owners).toEqual([kim.name, lee.name])
})

test('pauses the links of an admin who becomes a user with less access, if that is chosen', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const { id, kept, lost } = await addKimWithLinks(baseURL)
  await asAdmin(baseURL)('PATCH', `/v1/admin/user/${id}/access`, { access: 'own' })
  await asAdmin(baseURL)('PATCH', '/v1/admin/role', { email: kim.email, role: 'NEPTUNE_ADMIN' })
  await openUsers(page)
  await page.getByRole('button', { name: 'Edit Kim Doe' }).click()
  const dialog = page.getByRole('dialog', { name: 'Update User' })
  await dialog.getByLabel('Role').selectOption('User')
  await expect(lostLinks(page)).toHaveText([/^PayrollInitech/])
  await dialog.getByRole('radio', { name: 'Pause' }).check()
  await dialog.getByRole('button', { name: 'Update Role' }).click()
  await expect(page.getByText('Kim Doe now has the role User.')).toBeVisible()
  expect(await verifyCode(baseURL, lost.key, lost.accessCode)).toMatchObject({ paused: true, token: null })
  expect((await verifyCode(baseURL, kept.key, kept.accessCode)).token).not.toBeNull()
})
