import type { Browser, Page } from '@playwright/test'
import { chooseAction } from '../files/directory-steps.ts'
import { asAdmin, expect, openAsAdmin } from '../fixtures.ts'
import { addProvider, expectDashboard, pretendOpenSession, providerName, signInAtProvider, test } from './provider-steps.ts'

const turnPasswordsOff = async (baseURL: string | undefined) => {
  const call = asAdmin(baseURL)
  const { version } = (await call('GET', '/v1/admin/settings')).data.security
  await call('PATCH', '/v1/admin/settings/security', { version, values: { password_sign_in: false } })
}

/** Signs Kim in with the provider, in a separate browser. */
async function openAsKim(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const page = await (await browser.newContext(baseURL ? { baseURL } : {})).newPage()
  await page.goto('/login')
  await signInAtProvider(page)
  await expectDashboard(page)
  return page
}

test('lets someone without a password change their details and set one, after a confirmation', { tag: '@slow' }, async ({
  page,
  baseURL,
  provider,
}) => {
  await addProvider(baseURL, provider)
  pretendOpenSession(provider)
  await page.goto('/account')
  await signInAtProvider(page)
  const details = page.getByRole('region', { name: 'Your details' })
  await details.getByRole('button', { name: 'Edit details' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit details' })
  await expect(dialog.getByLabel('Name', { exact: true })).toBeVisible()
  await expect(dialog.getByLabel('Current password')).toHaveCount(0)
  await dialog.getByLabel('Name', { exact: true }).fill('Kim Duck')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const confirmation = page.getByRole('dialog', { name: 'Confirm that it’s you' })
  await expect(confirmation.getByRole('button', { name: `Confirm with ${providerName}` })).toBeVisible()
  await expect(confirmation.getByLabel('Password')).toHaveCount(0)
  provider.tamper = undefined
  await confirmation.getByRole('button', { name: `Confirm with ${providerName}` }).click()
  await expect(page.getByText('Saved your details.')).toBeVisible()
  await expect(details).toContainText('Kim Duck')

  const setSection = page.getByRole('region', { name: 'Set password' })
  await expect(setSection.getByLabel('Current password')).toHaveCount(0)
  await setSection.getByLabel('New password', { exact: true }).fill('another long password')
  await setSection.getByRole('button', { name: 'Set password' }).dblclick()
  await expect(page.getByText('Your password was set. You’ve been signed out everywhere else.')).toBeVisible()
  const changeSection = page.getByRole('region', { name: 'Change password' })
  await expect(changeSection.getByLabel('Current password', { exact: true })).toBeVisible()
  await expect(changeSection.getByRole('button', { name: 'Change password' })).toBeFocused()
})

test('says that passwords are turned off, and refuses to lock out the only admin who can sign in', { tag: '@slow' }, async ({
  page,
  baseURL,
  provider,
  browser,
}) => {
  const call = asAdmin(baseURL)
  const { id } = (await call('POST', '/v1/admin/company', { name: 'Globex' })).data
  const rules = { company: id, role: 'NEPTUNE_ADMIN' as const, access: 'own' as const }
  await addProvider(baseURL, provider, () => ({ domains: ['acme.example'], create: rules }))
  const kimsPage = await openAsKim(browser, baseURL)
  await turnPasswordsOff(baseURL)
  await kimsPage.goto('/account')
  const section = kimsPage.getByRole('region', { name: 'Change password' })
  await expect(section).toHaveText('Change passwordYour organisation has turned off passwords.')

  const message =
    'Passwords are turned off, and this would leave no administrator who signs in with a provider. Have another one sign in with it first, or turn passwords on.'
  const dialog = page.getByRole('dialog')
  const confirm = async (name: string) => {
    await dialog.getByRole('button', { name, exact: true }).click()
    await expect(dialog.getByRole('group').filter({ hasText: message })).toBeVisible()
  }
  const [kim] = (await call('GET', '/v1/admin/user?search=kim')).data
  for (const action of ['Suspend', 'Remove user']) {
    await openAsAdmin(page, `/users/${kim.id}`)
    await chooseAction(page, kim.name, action)
    await confirm(action)
  }
  await openAsAdmin(page, `/users/${kim.id}`)
  await page.getByRole('button', { name: 'Update User' }).click()
  await dialog.getByLabel('Role').selectOption('User')
  await confirm('Update Role')
  await openAsAdmin(page, `/companies/${id}`)
  await chooseAction(page, 'Globex', 'Archive')
  await confirm('Archive')

  const reason = 'Your organisation has turned off passwords.'
  await openAsAdmin(page, `/users/${kim.id}`)
  await page.getByRole('button', { name: `Actions for ${kim.name}` }).click()
  await expect(page.getByRole('menuitem', { name: 'Reset password' })).toHaveAccessibleDescription(reason)
  await page.goto('/clients')
  await page.getByRole('button', { name: 'Add user' }).click()
  const create = page.getByRole('dialog', { name: 'Create User' })
  const password = create.getByLabel('Password', { exact: true })
  await expect(password).toBeDisabled()
  await expect(password).toHaveAccessibleDescription(reason)
  await expect(create.getByRole('button', { name: 'Set a password now' })).toHaveCount(0)
  await kimsPage.reload()
  await expect(kimsPage.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible()
})
