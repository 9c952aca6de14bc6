import type { Page } from '@playwright/test'
import { expectClean } from '../expect-clean.ts'
import { addCompanyWithUser, asAdmin, expect, kim, signInInNewContext, tableRow, test } from '../fixtures.ts'
import { addKimAndLee, fillUserForm, openUsers } from './user-steps.ts'

const dialogOf = (page: Page) => page.getByRole('dialog')
const accessButton = (page: Page) => dialogOf(page).getByRole('button', { name: 'Access', exact: true })
const companies = (page: Page) => dialogOf(page).getByRole('group', { name: 'Companies' })
const boxes = (page: Page) => companies(page).getByRole('checkbox')
const updateRole = (page: Page) => dialogOf(page).getByRole('button', { name: 'Update Role' })

async function editKim(page: Page) {
  await page.getByRole('button', { name: 'Edit Kim Doe' }).click()
  await accessButton(page).click()
}

/** Returns the labels of the checkboxes, in order. */
const readLabels = (page: Page) => companies(page).getByRole('listitem').allInnerTexts()

/** Records the requests that change something. */
function watchChanges(page: Page) {
  const sent: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!['GET', 'HEAD'].includes(request.method()) && pathname !== '/v1/link/affected')
      sent.push(`${request.method()} ${pathname}`)
  })
  return sent
}

test('creates a user with access to selected companies, who sees only those', async ({ page, browser, baseURL }) => {
  const call = asAdmin(baseURL)
  const ids: Record<string, string> = {}
  for (const name of ['Globex', 'Initech', 'Hooli']) ids[name] = (await call('POST', '/v1/admin/company', { name })).data.id
  for (const name of ['Initech', 'Hooli']) await call('POST', '/v1/directory', { directory: `${name} plans`, client: ids[name] })
  await openUsers(page)
  await page.getByRole('button', { name: 'Add user' }).click()
  await expect(accessButton(page)).toHaveAccessibleDescription('Only their own company')
  await fillUserForm(page, { ...kim, company: 'Globex' })
  await expect(accessButton(page)).toHaveAccessibleDescription('Only Globex')
  await accessButton(page).click()
  await expect(dialogOf(page).getByRole('radio', { name: 'Only Globex' })).toBeChecked()
  await expect(dialogOf(page).getByRole('radio', { name: 'All companies' })).toBeInViewport({ ratio: 1 })
  await dialogOf(page).getByRole('radio', { name: 'Selected companies' }).check()
  await expect(accessButton(page)).toHaveAccessibleDescription('Selected companies: no other one chosen yet')
  await expect(boxes(page)).toHaveCount(4)
  await expect(companies(page)).toBeInViewport({ ratio: 1 })
  expect(await readLabels(page)).toEqual(['Globex', 'Hooli', 'Initech', 'Neptune']) // their own company comes first
  await expect(companies(page).getByRole('checkbox', { name: 'Globex' })).toBeDisabled()
  await dialogOf(page).getByRole('button', { name: 'Create User' }).click()
  await expect(companies(page)).toHaveAccessibleDescription(/1 selected.*Choose at least one other company\./)
  await companies(page).getByRole('checkbox', { name: 'Initech' }).check()
  await expect(companies(page)).toHaveAccessibleDescription('2 selected')
  await expect(accessButton(page)).toHaveAccessibleDescription('Globex and 1 other company')
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/v1/admin/user'))
  await dialogOf(page).getByRole('button', { name: 'Create User' }).click()
  expect((await sent).postDataJSON()).toMatchObject({ company: ids['Globex'], access: 'selected', companies: [ids['Initech']] })
  await expect(dialogOf(page)).toBeHidden()
  await expect(tableRow(page, kim.name)).toContainText(/Employee.*Globex and 1 other company.*Active.*User/)

  const kimsPage = await signInInNewContext(browser, baseURL, kim)
  await kimsPage.goto('/directories')
  await expect(kimsPage.getByText('Initech plans')).toBeVisible()
  await expect(kimsPage.getByText('Hooli plans')).toHaveCount(0)
})

test('changes the access alone, or access and role with one press', { tag: '@slow' }, async ({ page, baseURL }) => {
  await addKimAndLee(baseURL)
  await openUsers(page)
  const sent = watchChanges(page)
  await editKim(page)
  await expect(updateRole(page)).toHaveAttribute('aria-disabled', 'true')
  await dialogOf(page).getByRole('radio', { name: 'All companies' }).check()
  await expect(dialogOf(page).getByText(/^Update Role saves the access, too\./)).toBeVisible()
  await expect(dialogOf(page).getByRole('button', { name: 'Edit details' })).toHaveAccessibleDescription(
    /Save or discard the changed access first\./,
  )
  await updateRole(page).click()
  await expect(page.getByText('Saved the access of Kim Doe.')).toBeVisible()
  await expect(tableRow(page, kim.name)).toContainText('Globex and all other companies')
  expect(sent).toEqual([expect.stringMatching(/^PATCH \/v1\/admin\/user\/[\w-]+\/access$/)])

  // Choosing the saved access again counts as unchanged.
  await editKim(page)
  await dialogOf(page).getByRole('radio', { name: 'Only Globex' }).check()
  await dialogOf(page).getByRole('radio', { name: 'All companies' }).check()
  await expect(updateRole(page)).toHaveAttribute('aria-disabled', 'true')
  await dialogOf(page).getByLabel('Role').selectOption('Admin')
  await expect(dialogOf(page).getByText('Admins have access to everything in every company.')).toBeVisible()
  await expect(accessButton(page)).toHaveCount(0)
  await updateRole(page).click()
  await expect(dialogOf(page)).toBeHidden()
  expect(sent.splice(0)).toHaveLength(2)
  await expect(tableRow(page, kim.name).getByRole('cell', { name: 'Admin', exact: true })).toBeVisible()
  await expect(tableRow(page, kim.name)).toContainText('Globex and all other companies')

  await page.getByRole('button', { name: 'Edit Kim Doe' }).click()
  await dialogOf(page).getByLabel('Role').selectOption('User')
  await expect(accessButton(page)).toHaveAccessibleDescription('All companies')
  await accessButton(page).click()
  await dialogOf(page).getByRole('radio', { name: 'Selected companies' }).check()
  await companies(page).getByRole('checkbox', { name: 'Initech' }).check()
  await updateRole(page).click()
  await expect(page.getByText('Kim Doe now has the role User.')).toBeVisible()
  await expect(tableRow(page, kim.name)).toContainText('Globex and 1 other company')
  expect(sent).toEqual([expect.stringMatching(/\/access$/), 'PATCH /v1/admin/role'])
})

test('does not send the access again if only the change of the role failed', { tag: '@slow' }, async ({ page, baseURL }) => {
  await addKimAndLee(baseURL)
  await openUsers(page)
  await page.getByRole('button', { name: 'Edit Kim Doe' }).click()
  await dialogOf(page).getByLabel('Role').selectOption('Admin')
  await updateRole(page).click()
  await expect(dialogOf(page)).toBeHidden()
  await expect(tableRow(page, kim.name)).toContainText('Admin')
  const sent = watchChanges(page)
  await page.getByRole('button', { name: 'Edit Kim Doe' }).click()
  await dialogOf(page).getByLabel('Role').selectOption('User')
  await accessButton(page).click()
  await dialogOf(page).getByRole('radio', { name: 'All companies' }).check()
  const problem = {
    type: 'about:blank',
    title: '',
    status: 409,
    code: 'user.last_admin',
    detail: 'This is the last administrator who can sign in. Make someone else an administrator first.',
  }
  await page.route('**/v1/admin/role', (route) =>
    route.fulfill({ status: 409, json: problem, contentType: 'application/problem+json' }),
  )
  await updateRole(page).click()
  await expect(dialogOf(page).getByRole('group', { name: problem.detail })).toBeFocused()
  await page.unroute('**/v1/admin/role')
  await updateRole(page).click()
  await expect(dialogOf(page)).toBeHidden()
  expect(sent).toEqual([expect.stringMatching(/\/access$/), 'PATCH /v1/admin/role', 'PATCH /v1/admin/role'])
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('searches very many companies on the server, by keyboard, and shows the selected ones first', { tag: '@slow' }, async ({
    page,
    baseURL,
  }) => {
    const { id } = await addCompanyWithUser(baseURL, 'Globex', kim)
    const call = asAdmin(baseURL)
    const ids: string[] = []
    for (let i = 0; i < 60; i++) ids.push((await call('POST', '/v1/admin/company', { name: `Client ${100 + i}` })).data.id)
    await call('PATCH', `/v1/admin/user/${id}/access`, { access: 'selected', companies: [ids[58], ids[59]] })
    await openUsers(page)
    await expect(tableRow(page, kim.name)).toContainText('Globex and 2 other companies')
    await expectClean(page, 'a user with other companies')
    const sent = watchChanges(page)
    await editKim(page)
    await expect(boxes(page)).toHaveCount(50)
    expect((await readLabels(page)).slice(0, 4)).toEqual(['Globex', 'Client 158', 'Client 159', 'Client 100'])
    await companies(page).getByRole('button', { name: 'Show more' }).click()
    await expect(boxes(page)).toHaveCount(62) // with Neptune
    await expectClean(page, 'selected companies')

    const search = dialogOf(page).getByRole('searchbox', { name: 'Search companies' })
    const searched = page.waitForRequest(/\/v1\/admin\/company\?.*search=client\+?(%20)?1[^&]*/i)
    await search.fill('client 10')
    await searched
    await expect(boxes(page)).toHaveCount(11) // 100 to 110
    await search.press('Enter') // must not confirm the dialog
    await search.press('ArrowDown')
    await expect(companies(page).getByRole('checkbox', { name: 'Client 100' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await expect(companies(page)).toHaveAccessibleDescription('5 selected')
    await expect(dialogOf(page)).toBeVisible()
    expect(sent).toEqual([])
    await page.keyboard.press('Shift+Tab') // the list is one tab stop
    await expect(search).toBeFocused()
    await search.fill('')
    await expect(boxes(page)).toHaveCount(50)
    expect((await readLabels(page)).slice(0, 6)).toEqual([
      'Globex',
      'Client 158',
      'Client 159',
      'Client 101',
      'Client 110',
      'Client 100',
    ])
    await companies(page).getByRole('checkbox', { name: 'Client 158' }).uncheck()
    await expect(accessButton(page)).toHaveAccessibleDescription('Globex and 3 other companies')
    await search.fill('nobody')
    await expect(companies(page).getByText('No company matches “nobody”.')).toBeVisible()
    await page.keyboard.press('Escape')
    await dialogOf(page).getByRole('button', { name: 'Keep editing' }).click()
    const saved = page.waitForRequest('**/access')
    await updateRole(page).click()
    expect((await saved).postDataJSON()).toEqual({ access: 'selected', companies: [ids[59], ids[1], ids[10]] })
    await expect(tableRow(page, kim.name)).toContainText('Globex and 3 other companies')
  })
})

test('offers to load the selected companies again if they did not load', { tag: '@slow' }, async ({ page, baseURL }) => {
  const { id } = await addCompanyWithUser(baseURL, 'Globex', kim)
  const { data } = await asAdmin(baseURL)('POST', '/v1/admin/company', { name: 'Hooli' })
  await asAdmin(baseURL)('PATCH', `/v1/admin/user/${id}/access`, { access: 'selected', companies: [data.id] })
  const problem = { type: 'about:blank', title: '', status: 400, code: 'request.invalid', detail: 'It failed.' }
  await page.route('**/v1/admin/company?*user=*', (route) =>
    route.fulfill({ status: 400, json: problem, contentType: 'application/problem+json' }),
  )
  await openUsers(page)
  await editKim(page)
  await expect(accessButton(page)).toHaveAccessibleDescription('Globex and 1 other company')
  await expect(dialogOf(page).getByRole('alert')).toContainText('The companies did not load.')
  await expect(updateRole(page)).toHaveAttribute('aria-disabled', 'true')
  await page.unroute('**/v1/admin/company?*user=*')
  await dialogOf(page).getByRole('button', { name: 'Try again' }).click()
  await expect(companies(page).getByRole('checkbox', { name: 'Hooli' })).toBeChecked()
})
