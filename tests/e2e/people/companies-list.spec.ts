import { expectClean, looks } from '../expect-clean.ts'
import { addCompanyWithUser, asAdmin, expect, kim, signInInNewContext, test } from '../fixtures.ts'
import { addGlobex, companyNames, companyRow, openCompanies, setAccess } from './company-steps.ts'
import { addKimAndLee, openUsers } from './user-steps.ts'

test('lists the companies on the second tab of the Users page, with their counts and storage', async ({ page, baseURL }) => {
  await addGlobex(baseURL)
  await openUsers(page)
  const tabs = page.getByRole('navigation', { name: 'Users and companies' })
  await expect(tabs.getByRole('link', { name: 'Users' })).toHaveAttribute('aria-current', 'true')
  await tabs.getByRole('link', { name: 'Companies' }).click()
  await expect(page).toHaveURL(/\/companies$/)
  await expect(page).toHaveTitle('Companies · Neptune')
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
  await expect(tabs.getByRole('link', { name: 'Companies' })).toHaveAttribute('aria-current', 'true')
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' })).toHaveAttribute(
    'aria-current',
    'page',
  )
  await expect(page.getByRole('columnheader')).toHaveText([
    'Name',
    'People',
    'Directories',
    'Storage',
    'Active links',
    'Last activity',
    'Actions',
  ])
  await expect(companyRow(page, 'Globex').getByRole('cell')).toHaveText([
    'Globex',
    '1',
    '1',
    '850 B',
    '1',
    /just now|min ago/,
    '',
  ])
  await companyRow(page, 'Globex').getByRole('link').click()
  await expect(page).toHaveURL(/\/companies\/[\w-]{22}$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Globex' })).toBeVisible()
})

test('sorts, searches and filters the companies, and keeps this in the URL', { tag: '@slow' }, async ({ page, baseURL }) => {
  await addGlobex(baseURL)
  const { data } = await asAdmin(baseURL)('POST', '/v1/admin/company', { name: 'Hooli' })
  await asAdmin(baseURL)('POST', `/v1/admin/company/${data.id}/archive`)
  await openCompanies(page)
  await expect(companyNames(page)).toHaveText(['Globex', 'Neptune'])
  await page.getByRole('button', { name: 'Name' }).click()
  await expect(companyNames(page)).toHaveText(['Neptune', 'Globex'])
  await page.getByRole('button', { name: 'Storage' }).click()
  await page.getByRole('button', { name: 'Storage' }).click()
  await expect(page).toHaveURL(/sort=-bytes/)
  await expect(companyNames(page)).toHaveText(['Globex', 'Neptune'])
  await page.getByRole('searchbox', { name: 'Search companies' }).fill('nep')
  await expect(companyNames(page)).toHaveText(['Neptune'])
  await page.reload()
  await expect(companyNames(page)).toHaveText(['Neptune'])
  await page.getByRole('searchbox', { name: 'Search companies' }).fill('nobody')
  await expect(page.getByText('No company matches “nobody”.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByLabel('State').selectOption('Archived')
  await expect(companyNames(page)).toHaveText(['Hooli'])
  await expect(page).toHaveURL(/state=archived/)
})

test('loads more companies while scrolling', { tag: '@slow' }, async ({ page, baseURL }) => {
  const call = asAdmin(baseURL)
  for (let i = 0; i < 60; i++) await call('POST', '/v1/admin/company', { name: `Client ${100 + i}` })
  await openCompanies(page)
  await expect(companyNames(page).last()).not.toHaveText('Neptune')
  await page.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded()
  await expect(companyRow(page, 'Neptune')).toBeVisible()
})

test('lists the companies a user has access to, and hides the tabs from users with one company', { tag: '@slow' }, async ({
  browser,
  baseURL,
}) => {
  const globex = await addGlobex(baseURL)
  const { data: hooli } = await asAdmin(baseURL)('POST', '/v1/admin/company', { name: 'Hooli' })
  await asAdmin(baseURL)('POST', '/v1/admin/company', { name: 'Initech' })
  const kimsPage = await signInInNewContext(browser, baseURL, kim)
  await kimsPage.goto('/clients')
  await expect(kimsPage.getByRole('table', { name: 'Users' }).getByText('Globex', { exact: true })).toBeVisible()
  await expect(kimsPage.getByRole('navigation', { name: 'Users and companies' })).toHaveCount(0)
  await expect(kimsPage.getByRole('table', { name: 'Users' }).getByRole('link', { name: 'Globex', exact: true })).toHaveCount(0)

  await setAccess(baseURL, globex.kim, { access: 'selected', companies: [hooli.id] })
  await kimsPage.reload()
  await kimsPage.getByRole('navigation', { name: 'Users and companies' }).getByRole('link', { name: 'Companies' }).click()
  await expect(companyNames(kimsPage)).toHaveText(['Globex', 'Hooli'])
  await expect(kimsPage.getByRole('button', { name: /^Actions for|^Create company/ })).toHaveCount(0)
  await expect(kimsPage.getByRole('columnheader', { name: 'Actions' })).toHaveCount(0)
})

test('links to the company from the lists of users, directories and links', { tag: '@slow' }, async ({ page, baseURL }) => {
  const { company } = await addGlobex(baseURL)
  for (const path of ['/clients', '/directories', '/links']) {
    await openCompanies(page)
    await page.goto(path)
    const link = page.getByRole('main').getByRole('link', { name: 'Globex' })
    await expect(link, path).toHaveAttribute('href', `/companies/${company}`)
    await link.click()
    await expect(page.getByRole('heading', { level: 1, name: 'Globex' }), path).toBeVisible()
  }
})

test.describe('with a quota of 1,000 bytes', () => {
  test.use({ settings: { COMPANY_QUOTA_BYTES: '1000' } })

  test('says that a company is nearly full', { tag: '@slow' }, async ({ page, baseURL }) => {
    const { plans } = await addGlobex(baseURL)
    await openCompanies(page)
    await expect(companyRow(page, 'Globex')).toContainText('850 B of 1.0 KB')
    await expect(companyRow(page, 'Globex')).toContainText('85% full')
    await expect(companyRow(page, 'Neptune')).not.toContainText('full')
    const form = new FormData()
    form.set('file', new Blob(['x'.repeat(120)]), 'file')
    await asAdmin(baseURL)('PUT', `/v1/file/${plans.id}/c.txt`, form)
    await page.reload()
    await expect(companyRow(page, 'Globex')).toContainText('97% full')
  })
})

for (const { colorScheme, width } of looks) {
  test.describe(`${colorScheme}, ${width} wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 844 }, settings: { COMPANY_QUOTA_BYTES: '1000' } })

    test('passes axe on the list and in its dialogs without scrolling horizontally', { tag: '@slow' }, async ({
      page,
      baseURL,
    }) => {
      await addKimAndLee(baseURL)
      await addCompanyWithUser(baseURL, 'Acme Logistics and Warehousing Services International GmbH', {
        ...kim,
        email: 'kim@acme.example',
      })
      await openCompanies(page)
      await expectClean(page, 'companies')
      for (const [item, title] of [
        ['Rename', 'Rename company'],
        ['Set quota', 'Set quota'],
        ['Edit note', 'Edit note'],
        ['Archive', 'Archive company'],
      ] as const) {
        await page.getByRole('button', { name: 'Actions for Globex' }).click()
        if (item === 'Rename') await expectClean(page, 'the menu of a company')
        await page.getByRole('menuitem', { name: item }).click()
        const dialog = page.getByRole('dialog', { name: title })
        await expect(dialog).toBeVisible()
        await expect(dialog.locator('[aria-busy=true]')).toHaveCount(0)
        await expectClean(page, title)
        await page.keyboard.press('Escape')
        await expect(dialog).toHaveCount(0)
      }
      await page.getByRole('button', { name: 'Actions for Neptune' }).click()
      await expect(page.getByRole('menuitem', { name: 'Archive' })).toHaveAccessibleDescription(/You belong to this company/)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Create company' }).click()
      await expect(page.getByRole('dialog', { name: 'Create company' })).toBeVisible()
      await expectClean(page, 'Create company')
      await page.keyboard.press('Escape')
      await page.getByLabel('State').selectOption('Archived')
      await expect(page.getByText('No archived companies.')).toBeVisible()
      await expectClean(page, 'no archived companies')
    })
  })
}
