import { screens } from '@neptune/contract'
import type { Page } from '@playwright/test'
import { expectClean, looks } from './expect-clean.ts'
import { addUser, admin, asAdmin, expect, kim, openAsAdmin, signIn, signInElsewhere, test } from './fixtures.ts'

const lee = { name: 'Lee Park', email: 'lee@initech.example', password: 'one more long password' }

test('an admin creates a company and a user in it, who signs in elsewhere and sees only that company’s data, everywhere', async ({
  page,
  browser,
  baseURL,
}) => {
  await openUsers(page)
  await expect(page.getByRole('columnheader')).toHaveText(['Name', 'Title', 'Status', 'Role', 'Edit'])
  await expect(row(page, 'Administrator')).toContainText(/admin@acme\.example.*Employee.*Neptune.*Active.*Admin/)
  await createCompany(page, 'Globex')
  await page.getByRole('button', { name: 'Add user' }).click()
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/v1/admin/user'))
  await fillUser(page, { ...kim, company: 'Globex' })
  await page.getByRole('dialog').getByRole('button', { name: 'Create User' }).click()
  expect((await sent).postDataJSON()).toMatchObject({
    role: 'NEPTUNE_USER',
    dateOfBirth: await page.evaluate(() => new Intl.DateTimeFormat('sv-SE').format()),
  })
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByText('Created Kim Doe.')).toBeVisible()
  await expect(row(page, kim.name)).toContainText(/kim@globex\.example.*Employee.*Globex.*Active.*User/)

  const { company: foreign } = await addUser(baseURL, 'Initech', lee)
  const other = await signInElsewhere(browser, baseURL, kim)
  for (const path of [...Object.values(screens), '/clients?search=lee', `/clients?company=${foreign}`]) {
    await other.goto(path)
    await expect(other.getByRole('heading', { level: 1 })).not.toHaveText(/^(Loading.*)?$/)
    await expect(other.locator('[aria-busy=true]')).toHaveCount(0)
    expect(await other.locator('body').innerText(), path).not.toMatch(/Administrator|admin@acme|Lee Park|lee@initech|Initech/)
  }
  await other.goto('/clients')
  await expect(row(other, kim.name)).toBeVisible()
  await expect(other.getByRole('row')).toHaveCount(2) // the headings and Kim
  await expect(other.getByRole('combobox', { name: 'Company' })).toHaveCount(0)
  const held = {
    'Add user': 'Only administrators add users.',
    'Add company': 'Only administrators add companies.',
    'Edit Kim Doe': 'Only administrators change users.',
  }
  for (const [name, reason] of Object.entries(held)) {
    const button = other.getByRole('button', { name })
    await expect(button).toHaveAttribute('aria-disabled', 'true')
    await expect(button).toHaveAccessibleDescription(reason)
    await button.focus()
    await expect(other.getByText(reason).and(other.locator('[popover]'))).toBeVisible()
    await other.keyboard.press('Enter')
    await expect(other.getByRole('dialog')).toHaveCount(0)
  }
})

test('what is wrong stands under its field', async ({ page, baseURL }) => {
  await openUsers(page)
  await page.getByRole('button', { name: 'Add user' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create User' })
  const confirm = dialog.getByRole('button', { name: 'Create User' })
  let calls = 0
  page.on('request', (request) => request.method() === 'POST' && calls++)
  await confirm.click()
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveAccessibleDescription('Enter a name.')
  await expect(dialog.getByLabel('E-mail address')).toHaveAccessibleDescription('Enter an e-mail address.')
  await expect(dialog.getByLabel('Company')).toHaveAccessibleDescription('Choose a company.')
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveAccessibleDescription('12 characters at least.')
  await expect(dialog.getByRole('group', { name: 'The user was not created.' })).toBeFocused()
  expect(calls).toBe(0)

  const password = dialog.getByLabel('Password', { exact: true })
  await fillUser(page, { ...kim, email: 'Kim <kim@globex.example>', password: 'short', company: 'Neptune' })
  await expect(password).toHaveAccessibleDescription('12 characters at least: 7 more.')
  await confirm.click()
  await expect(password).toHaveAttribute('aria-invalid', 'true')
  await expect(password).toHaveAccessibleDescription('12 characters at least: 7 more.')
  expect(calls).toBe(0)
  await password.fill('administrator1')
  await expect(password).not.toHaveAttribute('aria-invalid')
  await expect(password).toHaveAccessibleDescription('Long enough. Several words that do not belong together are best.')
  await confirm.click()
  await expect(dialog.getByLabel('E-mail address')).toHaveAccessibleDescription(/must be an e-mail address/)

  await fillUser(page, { ...kim, email: admin.email.toUpperCase(), company: 'Neptune' })
  await confirm.click()
  await expect(dialog.getByLabel('E-mail address')).toHaveAccessibleDescription('Somebody has this e-mail address already.')
  await dialog.getByRole('link', { name: 'Somebody has this e-mail address already.' }).click()
  await expect(dialog.getByLabel('E-mail address')).toBeFocused()

  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toBeHidden()

  await asAdmin(baseURL)('POST', '/v1/admin/company', { name: 'Globex' })
  await page.getByRole('button', { name: 'Add company' }).click()
  const company = page.getByRole('dialog', { name: 'Create Company' })
  await company.getByLabel('Name').fill('globex')
  await company.getByRole('button', { name: 'Create Company' }).click()
  await expect(company.getByLabel('Name')).toHaveAccessibleDescription(/There is a company of this name already/)
})

test('search, company and order live in the address: reload and Back find the same list', async ({ page, baseURL }) => {
  await addPeople(baseURL)
  await openUsers(page)
  await expect(names(page)).toHaveText([/^Admin/, /^Kim/, /^Lee/])
  await page.getByLabel('Sort').selectOption('Newest first')
  await expect(page).toHaveURL(/sort=-created_at/)
  await expect(names(page)).toHaveText([/^Lee/, /^Kim/, /^Admin/])
  await page.getByLabel('Company').selectOption('Globex')
  await expect(names(page)).toHaveText([/^Kim/])
  await page.reload()
  await expect(names(page)).toHaveText([/^Kim/])
  await expect(page.getByLabel('Company').locator('option:checked')).toHaveText('Globex')
  await expect(page.getByLabel('Sort').locator('option:checked')).toHaveText('Newest first')
  await page.goBack()
  await expect(names(page)).toHaveText([/^Lee/, /^Kim/, /^Admin/])

  const search = page.getByLabel('Search users')
  await search.pressSequentially('lee')
  await expect(names(page)).toHaveText([/^Lee/])
  await expect(page).toHaveURL(/search=lee/)
  await page.reload()
  await expect(search).toHaveValue('lee')
  await expect(names(page)).toHaveText([/^Lee/])
  const count = page.getByRole('status').filter({ hasText: 'All 1 shown' })
  await count.evaluate((element) => element.setAttribute('data-test', 'count'))
  await search.fill('nobody of this name')
  await expect(page.getByText('No user matches “nobody of this name”.')).toBeVisible()
  await expect(page.locator('[data-test=count]')).toHaveText('None shown') // in the same live region, so it is read out
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter')
  await expect(search).toHaveValue('')
  await expect(search).toBeFocused()
  await expect(page).toHaveURL(/\/clients$/)
  await expect(names(page)).toHaveText([/^Admin/, /^Kim/, /^Lee/])
})

test('typing asks once it pauses, gives up what it asked before, and keeps the rows meanwhile', async ({ page, baseURL }) => {
  await addPeople(baseURL)
  await openUsers(page)
  await expect(names(page)).toHaveCount(3)
  await page.route('**/v1/admin/user?*search=k&*', () => undefined) // never answered
  await page.route('**/v1/admin/user?*search=k', () => undefined)
  const givenUp = page.waitForEvent('requestfailed', (request) => /search=k(&|$)/.test(request.url()))
  const asked = page.waitForRequest(/search=k(&|$)/)
  await page.getByLabel('Search users').press('k')
  await asked
  await expect(names(page)).toHaveCount(3)
  await page.getByLabel('Search users').pressSequentially('im')
  await givenUp
  await expect(names(page)).toHaveText([/^Kim/])
})

test('a list that does not load says so, with the request to quote, and loads when tried again', async ({ page }) => {
  await openUsers(page)
  const problem = { type: 'about:blank', title: '', status: 500, code: 'server.failed', detail: 'It failed.', requestId: 'r-17' }
  await page.route('**/v1/admin/user?*', (route) =>
    route.fulfill({ status: 500, json: problem, contentType: 'application/problem+json' }),
  )
  await page.reload()
  await expect(page.getByRole('alert')).toContainText(/The users did not load\..*It failed\..*r-17/)
  await page.unroute('**/v1/admin/user?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(row(page, 'Administrator')).toBeVisible()
})

test('a long list grows page by page', async ({ page }) => {
  const user = { company: 'c', company_name: 'Globex', role: 'NEPTUNE_USER', suspended_at: null }
  const people = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({
      ...user,
      id: `u${from + i}`,
      name: `Person ${from + i}`,
      email: `p${from + i}@x.example`,
    }))
  await page.route('**/v1/admin/user?*', (route) => {
    const isSecond = new URL(route.request().url()).searchParams.get('cursor') === 'second'
    return route.fulfill({ json: isSecond ? { data: people(51, 10), next: null } : { data: people(1, 50), next: 'second' } })
  })
  await openUsers(page)
  await expect(names(page)).toHaveCount(50)
  await page.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded()
  await expect(names(page)).toHaveCount(60)
  await expect(page.getByText('All 60 shown')).toBeAttached()
})

test('a change of role shows, and ends the other’s session', async ({ page, browser, baseURL }) => {
  await addPeople(baseURL)
  const other = await signInElsewhere(browser, baseURL, kim)
  await openUsers(page)
  await page.getByRole('button', { name: 'Edit Kim Doe' }).click()
  const dialog = page.getByRole('dialog', { name: 'Update User' })
  await expect(dialog).toContainText('kim@globex.example')
  const role = dialog.getByLabel('Role')
  const confirm = dialog.getByRole('button', { name: 'Update Role' })
  await expect(role.locator('option:checked')).toHaveText('User')
  await expect(role).toHaveAccessibleDescription('Already User: nothing would change.')
  await expect(confirm).toHaveAttribute('aria-disabled', 'true')
  await expect(confirm).toHaveAccessibleDescription('Already User: nothing would change.')
  await role.selectOption('Admin')
  await expect(role).toHaveAccessibleDescription('Now User. Update Role makes them an Admin and signs them out everywhere.')
  await confirm.click()
  await expect(dialog).toBeHidden()
  await expect(row(page, kim.name).getByRole('cell', { name: 'Admin', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit Kim Doe' })).toBeFocused()
  await other.getByRole('link', { name: 'Links', exact: true }).click()
  await expect(other).toHaveURL(/\/login$/)

  await page.getByRole('button', { name: 'Edit Kim Doe' }).click()
  await expect(role.locator('option:checked')).toHaveText('User')
  await expect(role).toHaveAccessibleDescription('Now Admin. Update Role makes them a User and signs them out everywhere.')
  await role.selectOption('Admin')
  await expect(confirm).toHaveAccessibleDescription('Already Admin: nothing would change.')
  await role.selectOption('User')
  await confirm.click()
  await expect(row(page, kim.name).getByRole('cell', { name: 'User', exact: true })).toBeVisible()
})

test('who is suspended shows so, and stays out until restored', async ({ page, browser, baseURL }) => {
  await addPeople(baseURL)
  const other = await signInElsewhere(browser, baseURL, kim)
  await openUsers(page)
  await page.getByRole('button', { name: 'Edit Kim Doe' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(row(page, kim.name)).toContainText('Suspended')
  await other.getByRole('link', { name: 'Links', exact: true }).click()
  await expect(other).toHaveURL(/\/login$/)
  await signIn(other, kim)
  await expect(other.getByRole('alert')).toBeVisible()
  await page.getByRole('button', { name: 'Edit Kim Doe' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await expect(row(page, kim.name)).toContainText('Active')
  await signIn(other, kim)
  await expect(other).toHaveURL(/\/links$/)
})

test('nobody changes their own role, and a refusal stays in the dialog', async ({ page, baseURL }) => {
  await addPeople(baseURL)
  await openUsers(page)
  await page.getByRole('button', { name: 'Edit Administrator' }).click()
  const dialog = page.getByRole('dialog', { name: 'Update User' })
  const confirm = dialog.getByRole('button', { name: 'Update Role' })
  await expect(confirm).toHaveAttribute('aria-disabled', 'true')
  await expect(confirm).toHaveAccessibleDescription('Nobody changes their own role.')
  await expect(dialog.getByLabel('Role')).toBeDisabled()
  await expect(dialog.getByLabel('Role').locator('option:checked')).toHaveText('Admin')
  await expect(dialog.getByRole('button', { name: 'Suspend' })).toHaveAccessibleDescription(/Nobody suspends themselves\./)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Edit Kim Doe' }).click()
  const detail = 'This is the last administrator. Make somebody else one first.'
  const refusal = { type: 'about:blank', title: '', status: 409, code: 'user.last_admin', detail }
  await page.route('**/suspend', (route) =>
    route.fulfill({ status: 409, json: refusal, contentType: 'application/problem+json' }),
  )
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await expect(dialog.getByRole('group', { name: detail })).toBeFocused()
})

test('the company a list is narrowed to gets another name, unless one has it already', async ({ page, baseURL }) => {
  await addPeople(baseURL)
  await openUsers(page)
  const rename = page.getByRole('button', { name: 'Rename company' })
  await expect(page.getByLabel('Company').getByRole('option')).toHaveCount(4) // all, Globex, Initech, Neptune
  await expect(rename).toHaveCount(0)
  await page.getByLabel('Company').selectOption('Globex')
  await rename.click()
  const dialog = page.getByRole('dialog', { name: 'Rename Company' })
  const name = dialog.getByLabel('Name', { exact: true })
  const confirm = dialog.getByRole('button', { name: 'Rename' })
  await expect(name).toBeFocused()
  await expect(name).toHaveValue('Globex')
  await name.fill(' ')
  await confirm.click()
  await expect(name).toHaveAccessibleDescription('Enter a name.')
  await name.fill('initech')
  await confirm.click()
  await expect(name).toHaveAccessibleDescription(/There is a company of this name already/)
  await name.fill('Globex & Sons')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Renamed to “Globex & Sons”.')).toBeVisible()
  await expect(page.getByLabel('Company').locator('option:checked')).toHaveText('Globex & Sons')
  await expect(row(page, kim.name)).toContainText('Globex & Sons')
  await expect(rename).toBeFocused()
})

test('a choice of all looks like any other choice', async ({ page }) => {
  await openUsers(page)
  const colour = (label: string) => page.getByLabel(label).evaluate((select) => getComputedStyle(select).color)
  await expect(page.getByLabel('Company').locator('option:checked')).toHaveText('All companies')
  expect(await colour('Company')).toBe(await colour('Sort'))
})

test('by keyboard: Enter opens, Enter creates, and the focus comes back', async ({ page }) => {
  await openUsers(page)
  const opener = page.getByRole('button', { name: 'Add user' })
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Create User' })
  await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused()
  await expect(dialog.getByRole('option', { name: 'Neptune' })).toBeAttached()
  await page.keyboard.type(kim.name)
  await page.keyboard.press('Tab')
  await page.keyboard.type(kim.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type('Nep')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type(kim.password)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
  await expect(row(page, kim.name)).toBeVisible()
})

for (const { colorScheme, width } of looks) {
  test.describe(`${colorScheme}, ${width} wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 844 } })

    test('axe finds nothing on the page and in its dialogs, and nothing scrolls sideways', async ({ page, baseURL }) => {
      const { id } = await addPeople(baseURL)
      await asAdmin(baseURL)('POST', `/v1/admin/user/${id}/suspend`)
      await openUsers(page)
      const look = (name: string) => expectClean(page, name)
      await expect(names(page)).toHaveCount(3)
      await look('users')
      for (const [opener, title] of [
        ['Add user', 'Create User'],
        ['Edit Kim Doe', 'Update User'],
        ['Edit Lee Park', 'Update User'],
        ['Edit Administrator', 'Update User'],
        ['Add company', 'Create Company'],
      ] as const) {
        await page.getByRole('button', { name: opener }).click()
        await expect(page.getByRole('dialog', { name: title })).toBeVisible()
        await look(opener)
        if (opener === 'Add user') {
          await page.getByRole('dialog').getByRole('button', { name: title }).click()
          await expect(page.getByText('Choose a company.').first()).toBeVisible()
          await look(`${opener}, with errors`)
        }
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toHaveCount(0)
      }
      await page.getByLabel('Company').selectOption('Globex')
      await page.getByRole('button', { name: 'Rename company' }).click()
      await expect(page.getByRole('dialog', { name: 'Rename Company' })).toBeVisible()
      await look('Rename company')
      await page.goto('/clients?search=nobody')
      await expect(page.getByRole('button', { name: 'Clear filters' })).toBeVisible()
      await look('no match')
    })
  })
}

for (const width of [390, 320]) {
  test.describe(`${width} wide`, () => {
    test.use({ viewport: { width, height: 844 } })

    test('a row says title, company and state in full', async ({ page, baseURL }) => {
      const { id } = await addUser(baseURL, 'Acme Logistics GmbH', kim)
      await asAdmin(baseURL)('POST', `/v1/admin/user/${id}/suspend`)
      await openUsers(page)
      await expect(row(page, kim.name)).toContainText(/Employee.*Acme Logistics GmbH.*Suspended.*User/)
      const cut = await row(page, kim.name).evaluate((element) =>
        [...element.querySelectorAll('*')]
          .filter(({ clientWidth, scrollWidth }) => clientWidth > 1 && scrollWidth > clientWidth) // 1: for screen readers only
          .map(({ outerHTML }) => outerHTML),
      )
      expect(cut).toEqual([])
      const company = page.getByText('Employee', { exact: true }).last().locator('+ div')
      expect(await company.evaluate((element) => getComputedStyle(element, '::before').content)).toBe('"·"')
      await expectClean(page, 'users')
    })
  })
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

const names = (page: Page) => page.getByRole('table', { name: 'Users' }).locator('tbody tr:has(button) td:first-child')

async function openUsers(page: Page) {
  await openAsAdmin(page, '/clients')
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
}

async function createCompany(page: Page, name: string) {
  await page.getByRole('button', { name: 'Add company' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(name)
  await page.getByRole('dialog').getByRole('button', { name: 'Create Company' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
}

async function fillUser(page: Page, user: typeof kim & { company: string }) {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill(user.name)
  await dialog.getByLabel('E-mail address').fill(user.email)
  await dialog.getByLabel('Company').selectOption(user.company)
  await dialog.getByLabel('Password', { exact: true }).fill(user.password)
}

/** Kim of Globex, then Lee of Initech. */
async function addPeople(baseURL: string | undefined) {
  await addUser(baseURL, 'Globex', kim)
  return addUser(baseURL, 'Initech', lee)
}
