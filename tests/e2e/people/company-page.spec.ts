import { expectClean, looks } from '../expect-clean.ts'
import {
  addCompanyWithUser,
  addDirectory,
  asAdmin,
  expect,
  kim,
  openAsAdmin,
  signIn,
  signInInNewContext,
  test,
} from '../fixtures.ts'
import { addLink, verifyCode } from '../links/link-steps.ts'
import { startDrag } from '../uploads/upload-steps.ts'
import { addGlobex, chooseCompanyAction, companyNames, companyRow, openCompanies, setAccess } from './company-steps.ts'
import { lee } from './user-steps.ts'

test('shows the directories, people and links of a company, and links to the full lists', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const { company } = await addGlobex(baseURL)
  await addLink(baseURL, await addDirectory(baseURL, 'Of Neptune'))
  await openAsAdmin(page, `/companies/${company}`)
  await expect(page).toHaveTitle('Globex · Neptune')
  const section = (name: string) => page.getByRole('region', { name })
  await expect(section('Directories').getByRole('listitem')).toHaveText([/Plans.*2 files/])
  await expect(section('People').getByRole('listitem')).toHaveText([/Kim Doe.*kim@globex\.example.*User/])
  await expect(section('Links').getByRole('listitem')).toHaveText([/Plans.*Directory/])
  await expect(section('Storage')).toContainText('850 B')
  await expect(section('Note')).toContainText('No note yet.')
  await expect(section('Recent activity')).toContainText('Created a link')
  await expect(section('Recent activity')).not.toContainText('Of Neptune')

  for (const [name, link, path] of [
    ['Directories', 'Show all directories', '/directories'],
    ['People', 'Show all people', '/clients'],
    ['Links', 'Show all links', '/links'],
    ['Recent activity', 'Show all activity', '/activity'],
  ] as const) {
    await section(name).getByRole('link', { name: link }).click()
    await expect(page).toHaveURL(new RegExp(`${path}\\?company=${company}$`))
    await expect(page.getByLabel('Company').locator('option:checked'), path).toHaveText('Globex')
    await page.goBack()
  }
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Companies' }).click()
  await expect(page).toHaveURL(/\/companies$/)
  await page.goto('/companies/nothing')
  await expect(page.getByText('Company not found.')).toBeVisible()
})

test('opens a new company from its toast, and preselects it for new users, uploads and links on its page', {
  tag: '@slow',
}, async ({ page }) => {
  await openAsAdmin(page, '/clients')
  await page.getByRole('button', { name: 'Create company' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Hooli')
  await page.getByRole('dialog').getByRole('button', { name: 'Create company' }).click()
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hooli')
  for (const name of ['Add user', 'Upload file', 'Create link']) {
    await page.getByRole('button', { name }).click()
    await expect(page.getByRole('dialog').getByLabel('Company').locator('option:checked')).toHaveText('Hooli')
    await page.keyboard.press('Escape')
  }
})

test('names people of other companies who have access, but not to the company’s own users', { tag: '@slow' }, async ({
  page,
  browser,
  baseURL,
}) => {
  const { company } = await addGlobex(baseURL)
  const { id } = await addCompanyWithUser(baseURL, 'Initech', lee)
  await setAccess(baseURL, id, { access: 'selected', companies: [company] })
  await openAsAdmin(page, `/companies/${company}`)
  const people = page.getByRole('region', { name: 'People' })
  await expect(people.getByRole('list', { name: 'Also have access' }).getByRole('listitem')).toHaveText([/Lee Park.*Initech/])
  await expect(people).toContainText('Administrators and people with access to all companies have access, too.')
  await expectClean(page, 'people with access')
  const leesPage = await signInInNewContext(browser, baseURL, lee)
  await leesPage.goto(`/companies/${company}`)
  await expect(leesPage.getByText('access, too.')).toBeVisible()
  const kimsPage = await signInInNewContext(browser, baseURL, kim)
  await kimsPage.goto(`/companies/${company}`)
  await expect(kimsPage.getByRole('region', { name: 'People' }).getByRole('listitem')).toHaveText([/Kim Doe/])
  await expect(kimsPage.getByText('access, too.')).toHaveCount(0)
})

test('archives a company and restores it', { tag: '@slow' }, async ({ page, browser, baseURL }) => {
  const { company, link } = await addGlobex(baseURL)
  const kimsPage = await signInInNewContext(browser, baseURL, kim)
  await openCompanies(page)
  await chooseCompanyAction(page, 'Globex', 'Archive')
  const dialog = page.getByRole('dialog', { name: 'Archive company' })
  await expect(dialog).toContainText('Globex')
  await expect(dialog.getByRole('listitem')).toHaveText([
    'Its people can’t sign in.',
    'Nothing can be added, moved or shared.',
    /^Nothing is lost/,
    /^You can restore the company at any time\. Then its links work again/,
    /Never used$/,
  ])
  await expect(dialog.getByRole('status')).toHaveText('1 link will stop working.')
  await dialog.getByRole('button', { name: 'Archive' }).click()
  await expect(page.getByText('Archived Globex.')).toBeVisible()
  await expect(companyNames(page)).toHaveText(['Neptune'])
  expect(await verifyCode(baseURL, link.key, link.accessCode)).toMatchObject({ token: null })
  await kimsPage.goto('/directories')
  await expect(kimsPage).toHaveURL(/\/login$/)
  await signIn(kimsPage, kim)
  await expect(kimsPage.getByRole('alert')).toBeVisible()

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(companyRow(page, 'Globex')).toContainText('1')
  await chooseCompanyAction(page, 'Globex', 'Archive')
  await dialog.getByRole('button', { name: 'Archive' }).click()
  await page.getByLabel('State').selectOption('Archived')
  await companyRow(page, 'Globex').getByRole('link').click()

  const heading = page.getByRole('heading', { level: 1, name: 'Globex' })
  await expect(heading).toContainText('Archived')
  await expect(page.getByText(/^Archived on .*Its links don’t work/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create Directory' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Show all directories' }).click()
  await expect(page.getByLabel('Company').locator('option:checked')).toHaveText('Globex')
  await expect(page.getByText('Globex is archived: you can see and download everything')).toBeVisible()
  await page.getByRole('link', { name: 'Plans' }).click()
  await expect(page.getByText('a.txt')).toBeVisible() // everything can still be read
  const reason = 'Globex is archived, so nothing can be added, moved or shared.'
  for (const name of ['Share', 'Upload file'])
    await expect(page.getByRole('button', { name })).toHaveAccessibleDescription(reason)
  await page.getByRole('button', { name: 'Actions for a.txt' }).click()
  await expect(page.getByRole('menuitem', { name: 'Share' })).toHaveAccessibleDescription(reason)
  await page.keyboard.press('Escape')
  const drag = await startDrag(page, [import.meta.filename])
  await drag('dragEnter')
  await drag('dragOver')
  await drag('drop')
  await expect(page.getByText(reason).filter({ visible: true })).toBeVisible()
  await expect(page.getByText('b.txt')).toBeVisible()

  await page.getByRole('link', { name: 'Go to the company' }).click()
  await expect(page).toHaveURL(`/companies/${company}`)
  await page.getByRole('button', { name: 'Restore company' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByText('Restored Globex.')).toBeVisible()
  await expect(heading).not.toContainText('Archived')
  expect((await verifyCode(baseURL, link.key, link.accessCode)).token).not.toBeNull()
  await signIn(kimsPage, kim)
  await expect(kimsPage).toHaveURL(/\/(dashboard|directories)$/)
})

test.describe('with a default quota', () => {
  test.use({ settings: { COMPANY_QUOTA_BYTES: '2000000000' } })

  test('sets a quota with its unit, and returns to the default', { tag: '@slow' }, async ({ page, baseURL }) => {
    const { company } = await addGlobex(baseURL)
    await openAsAdmin(page, `/companies/${company}`)
    const storage = page.getByRole('region', { name: 'Storage' })
    await expect(storage).toContainText('850 B of 2.0 GB')
    await expect(storage).toContainText('Default quota: 2.0 GB.')
    const open = () => storage.getByRole('button', { name: 'Set quota' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set quota' })
    const quota = dialog.getByRole('textbox', { name: 'Quota' })
    const save = dialog.getByRole('button', { name: 'Save' })
    await open()
    await expect(quota).toHaveValue('')
    await expect(quota).toHaveAccessibleDescription('Leave it empty for the default of 2.0 GB.')
    await quota.fill('-5')
    await save.click()
    await expect(quota).toHaveAccessibleDescription(/Enter a number greater than 0/)
    await quota.fill('1,5')
    await dialog.getByLabel('Unit').selectOption('TB')
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await save.click()
    expect((await sent).postDataJSON()).toEqual({ quota: 1_500_000_000_000 })
    await expect(page.getByText('The quota of Globex is now 1.5 TB.')).toBeVisible()
    await expect(storage).toContainText('850 B of 1.5 TB')
    await expect(storage).not.toContainText('Default')

    await open()
    await expect(quota).toHaveValue('1.5')
    await quota.fill('0.0005')
    await dialog.getByLabel('Unit').selectOption('MB')
    await expect(dialog.getByRole('status')).toHaveText(/Globex already uses more than that\. Nobody can upload/)
    await quota.fill('')
    await save.click()
    await expect(storage).toContainText('Default quota: 2.0 GB.')
    await page.goto(`/activity?company=${company}`)
    await expect(page.getByText('default → 1.5 TB')).toBeVisible()
  })
})

test('hides the note from the company’s own people', { tag: '@slow' }, async ({ page, browser, baseURL }) => {
  const globex = await addGlobex(baseURL)
  const { data: hooli } = await asAdmin(baseURL)('POST', '/v1/admin/company', { name: 'Hooli' })
  await setAccess(baseURL, globex.kim, { access: 'selected', companies: [hooli.id] })
  for (const id of [globex.company, hooli.id]) {
    await openAsAdmin(page, `/companies/${id}`)
    await page.getByRole('button', { name: 'Edit note' }).click()
    await page.getByRole('dialog').getByLabel('Note').fill('Pays late.\n\tCall first.')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('region', { name: 'Note' })).toContainText('Pays late.')
  }
  const kimsPage = await signInInNewContext(browser, baseURL, kim)
  await kimsPage.goto(`/companies/${hooli.id}`)
  await expect(kimsPage.getByRole('region', { name: 'Note' })).toContainText('Call first.')
  await expect(kimsPage.getByRole('button', { name: /^(Edit note|Set quota|Actions for)/ })).toHaveCount(0)
  await kimsPage.goto(`/companies/${globex.company}`)
  await expect(kimsPage.getByRole('region', { name: 'Storage' })).toContainText('850 B')
  await expect(kimsPage.getByRole('region', { name: 'Note' })).toHaveCount(0)
})

test('renames a company on its page', { tag: '@slow' }, async ({ page, baseURL }) => {
  const { company } = await addGlobex(baseURL)
  await openAsAdmin(page, `/companies/${company}`)
  await chooseCompanyAction(page, 'Globex', 'Rename')
  await page.getByRole('dialog').getByLabel('Name').fill('Globex & Sons')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Globex & Sons' })).toBeVisible()
})

for (const { colorScheme, width } of looks) {
  test.describe(`${colorScheme}, ${width} wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 844 } })

    test('passes axe on the page of a company, before and after it is archived, without scrolling horizontally', {
      tag: '@slow',
    }, async ({ page, baseURL }) => {
      const { company } = await addGlobex(baseURL)
      await asAdmin(baseURL)('PATCH', `/v1/admin/company/${company}`, { note: 'Pays late.', quota: 900 })
      await openAsAdmin(page, `/companies/${company}`)
      await expect(page.getByText('94% full')).toBeVisible()
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      await expectClean(page, 'a company')
      await chooseCompanyAction(page, 'Globex', 'Archive')
      await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await page.reload() // removes the toast, which axe would check as part of the page
      await page.getByRole('button', { name: 'Restore company' }).click()
      await expect(page.getByRole('dialog', { name: 'Restore company' })).toBeVisible()
      await expectClean(page, 'Restore company')
      await page.keyboard.press('Escape')
      await expectClean(page, 'an archived company')
    })
  })
}
