import { screens } from '@neptune/contract'
import { expectClean, extraLooks } from '../expect-clean.ts'
import { addCompanyWithUser, admin, asAdmin, expect, kim, signInInNewContext, tableRow, test } from '../fixtures.ts'
import { addKimAndLee, createCompany, fillUserForm, lee, openUsers, userNames } from './user-steps.ts'

test('lets an admin create a company with a user, who sees only that company’s data on every screen', { tag: '@slow' }, async ({
  page,
  browser,
  baseURL,
}) => {
  await openUsers(page)
  await expect(page.getByRole('columnheader')).toHaveText(['Name', 'Title', 'Status', 'Role', 'Edit'])
  await expect(tableRow(page, 'Administrator')).toContainText(/admin@acme\.example.*Employee.*Neptune.*Active.*Admin/)
  await createCompany(page, 'Globex')
  await page.getByRole('button', { name: 'Add user' }).click()
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/v1/admin/user'))
  await fillUserForm(page, { ...kim, company: 'Globex' })
  await page.getByRole('dialog').getByRole('button', { name: 'Create User' }).click()
  expect((await sent).postDataJSON()).toMatchObject({
    role: 'NEPTUNE_USER',
    dateOfBirth: await page.evaluate(() => new Intl.DateTimeFormat('sv-SE').format()),
  })
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByText('Created Kim Doe.')).toBeVisible()
  await expect(tableRow(page, kim.name)).toContainText(/kim@globex\.example.*Employee.*Globex.*Active.*User/)

  const { company: otherCompany } = await addCompanyWithUser(baseURL, 'Initech', lee)
  const kimsPage = await signInInNewContext(browser, baseURL, kim)
  for (const path of [...Object.values(screens), '/clients?search=lee', `/clients?company=${otherCompany}`]) {
    await kimsPage.goto(path)
    await expect(kimsPage.getByRole('heading', { level: 1 })).not.toHaveText(/^(Loading.*)?$/)
    await expect(kimsPage.locator('[aria-busy=true]')).toHaveCount(0)
    expect(await kimsPage.locator('body').innerText(), path).not.toMatch(/Administrator|admin@acme|Lee Park|lee@initech|Initech/)
  }
  await kimsPage.goto('/clients')
  await expect(tableRow(kimsPage, kim.name)).toBeVisible()
  await expect(kimsPage.getByRole('row')).toHaveCount(2) // the header row and Kim
  await expect(kimsPage.getByRole('combobox', { name: 'Company' })).toHaveCount(0)
  // Only admins can add and change users, so other users don't see these buttons.
  await expect(kimsPage.getByRole('columnheader')).toHaveText(['Name', 'Title', 'Status', 'Role'])
  await expect(kimsPage.getByRole('main').getByRole('button', { name: /Add user|Create company|Edit/ })).toHaveCount(0)
  await kimsPage.keyboard.press('Control+k')
  await expect(kimsPage.getByRole('option', { name: 'Create link' })).toBeVisible()
  await expect(kimsPage.getByRole('option', { name: /Add user|Create company/ })).toHaveCount(0)
})

test('shows errors below their fields', { tag: '@slow' }, async ({ page, baseURL }) => {
  await asAdmin(baseURL)('POST', '/v1/admin/company', { name: 'Initech' })
  await openUsers(page)
  await page.getByRole('button', { name: 'Add user' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create User' })
  const confirm = dialog.getByRole('button', { name: 'Create User' })
  let callCount = 0
  page.on('request', (request) => request.method() === 'POST' && callCount++)
  await confirm.click()
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveAccessibleDescription('Enter a name.')
  await expect(dialog.getByLabel('E-mail address')).toHaveAccessibleDescription('Enter an email address.')
  await expect(dialog.getByLabel('Company')).toHaveAccessibleDescription('Choose a company.')
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveAccessibleDescription('At least 12 characters.')
  await expect(dialog.getByRole('group', { name: 'The user was not created.' })).toBeFocused()
  expect(callCount).toBe(0)

  const password = dialog.getByLabel('Password', { exact: true })
  await fillUserForm(page, { ...kim, email: 'Kim <kim@globex.example>', password: 'short', company: 'Neptune' })
  await expect(password).toHaveAccessibleDescription('At least 12 characters: 7 more.')
  await confirm.click()
  await expect(password).toHaveAttribute('aria-invalid', 'true')
  await expect(password).toHaveAccessibleDescription('At least 12 characters: 7 more.')
  expect(callCount).toBe(0)
  await password.fill('administrator1')
  await expect(password).not.toHaveAttribute('aria-invalid')
  await expect(password).toHaveAccessibleDescription(
    'That’s long enough, but it must not be easy to guess. Several unrelated words work best.',
  )
  await confirm.click()
  await expect(dialog.getByLabel('E-mail address')).toHaveAccessibleDescription(/must be an email address/)

  await fillUserForm(page, { ...kim, email: admin.email.toUpperCase(), company: 'Neptune' })
  await confirm.click()
  await expect(dialog.getByLabel('E-mail address')).toHaveAccessibleDescription('Another user already has this email address.')
  await dialog.getByRole('link', { name: 'Another user already has this email address.' }).click()
  await expect(dialog.getByLabel('E-mail address')).toBeFocused()

  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toBeHidden()

  await asAdmin(baseURL)('POST', '/v1/admin/company', { name: 'Globex' })
  await page.getByRole('button', { name: 'Create company' }).click()
  const company = page.getByRole('dialog', { name: 'Create company' })
  await company.getByLabel('Name').fill('globex')
  await company.getByRole('button', { name: 'Create company' }).click()
  await expect(company.getByLabel('Name')).toHaveAccessibleDescription(/A company with this name already exists/)
})

test('opens and submits the dialog with Enter, and restores the focus', { tag: '@slow' }, async ({ page }) => {
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
  await expect(tableRow(page, kim.name)).toBeVisible()
})

for (const { colorScheme, width } of extraLooks) {
  test.describe(`${colorScheme}, ${width} wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 844 } })

    test('passes axe on the page and in its dialogs without scrolling horizontally', async ({ page, baseURL }) => {
      const { id } = await addKimAndLee(baseURL)
      await asAdmin(baseURL)('POST', `/v1/admin/user/${id}/suspend`)
      await openUsers(page)
      const check = (name: string) => expectClean(page, name)
      await expect(userNames(page)).toHaveCount(3)
      await check('users')
      for (const [opener, title] of [
        ['Add user', 'Create User'],
        ['Edit Kim Doe', 'Update User'],
        ['Edit Lee Park', 'Update User'],
        ['Edit Administrator', 'Update User'],
        ['Create company', 'Create company'],
      ] as const) {
        await page.getByRole('button', { name: opener }).click()
        await expect(page.getByRole('dialog', { name: title })).toBeVisible()
        await check(opener)
        if (opener === 'Add user') {
          await page.getByRole('dialog').getByRole('button', { name: title }).click()
          await expect(page.getByText('Choose a company.').first()).toBeVisible()
          await check(`${opener}, with errors`)
        }
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toHaveCount(0)
      }
      await page.getByLabel('Company').selectOption('Globex')
      await page.getByRole('button', { name: 'Rename company' }).click()
      await expect(page.getByRole('dialog', { name: 'Rename company' })).toBeVisible()
      await check('Rename company')
      await page.goto('/clients?search=nobody')
      await expect(page.getByRole('button', { name: 'Clear filters' })).toBeVisible()
      await check('no match')
    })
  })
}

for (const width of [390, 320]) {
  test.describe(`${width} wide`, () => {
    test.use({ viewport: { width, height: 844 } })

    test('shows title, company and state of a row in full', { tag: '@slow' }, async ({ page, baseURL }) => {
      const { id } = await addCompanyWithUser(baseURL, 'Acme Logistics GmbH', kim)
      await asAdmin(baseURL)('POST', `/v1/admin/user/${id}/suspend`)
      await openUsers(page)
      await expect(tableRow(page, kim.name)).toContainText(/Employee.*Acme Logistics GmbH.*Suspended.*User/)
      const truncated = await tableRow(page, kim.name).evaluate((element) =>
        [...element.querySelectorAll('*')]
          // Elements of 1 px are for screen readers only.
          .filter(({ clientWidth, scrollWidth }) => clientWidth > 1 && scrollWidth > clientWidth)
          .map(({ outerHTML }) => outerHTML),
      )
      expect(truncated).toEqual([])
      const company = page.getByText('Employee', { exact: true }).last().locator('+ div')
      expect(await company.evaluate((element) => getComputedStyle(element, '::before').content)).toBe(
        width === 390 ? '"·"' : 'none',
      )
      await expectClean(page, 'users')
    })
  })
}
