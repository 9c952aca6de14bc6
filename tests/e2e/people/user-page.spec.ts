import { asBearer } from '../calls.ts'
import { expectClean, looks } from '../expect-clean.ts'
import { chooseAction } from '../files/directory-steps.ts'
import {
  addCompanyWithUser,
  addDirectory,
  asAdmin,
  expect,
  kim,
  openAsAdmin,
  signIn,
  signInInNewContext,
  tableRow,
  test,
} from '../fixtures.ts'
import { addLink } from '../links/link-steps.ts'
import { addKimAndLee, lee, openUsers, userNames } from './user-steps.ts'

/** Signs Kim in with the API, and creates a link as her. Returns a function that calls the API as Kim. */
async function addKimWithLink(baseURL: string | undefined) {
  const user = await addCompanyWithUser(baseURL, 'Globex', kim)
  const { token } = await asBearer(baseURL)('POST', '/v1/identity/login', { email: kim.email, password: kim.password })
  const call = asBearer(baseURL, token)
  await addLink(baseURL, await addDirectory(baseURL, 'Plans', {}, user.company), { call })
  return { ...user, call }
}

test('opens a user’s page from the list, with their details, sessions, links and activity, and revokes a token and changes access there', {
  tag: '@slow',
}, async ({ page, baseURL }) => {
  const { id, call } = await addKimWithLink(baseURL)
  await call('POST', '/v1/token', { name: 'Nightly backup', scope: 'read' })
  await openUsers(page)
  await tableRow(page, kim.name).getByRole('link', { name: kim.name }).click()
  await expect(page).toHaveURL(`/users/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: kim.name })).toBeVisible()
  await expect(page).toHaveTitle('Kim Doe · Neptune')
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' })).toHaveAttribute(
    'aria-current',
    'page',
  )
  const section = (name: string) => page.getByRole('region', { name, exact: true })
  await expect(section('Details')).toContainText(/kim@globex\.example.*Globex.*User.*Active.*Created.*Last sign-in.*now/s)
  await expect(section('Access')).toContainText('Only Globex')
  await expect(section('Sessions').getByRole('row')).toHaveCount(2)
  await expect(section('Links').getByRole('row').nth(1)).toContainText('Plans')
  await expect(section('Activity')).toContainText('Created a link')

  await section('API tokens').getByRole('button', { name: 'Revoke Nightly backup' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(section('API tokens')).toContainText('Kim Doe has no API tokens.')

  await section('Access').getByRole('button', { name: 'Change access' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change access' })
  await expect(dialog.getByRole('radio', { name: 'Only Globex' })).toBeFocused()
  await expect(dialog.getByRole('button', { name: 'Save' })).toHaveAccessibleDescription('They already have this access.')
  await dialog.getByRole('radio', { name: 'All companies' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(section('Access')).toContainText('All companies')
  await section('Access').getByRole('button', { name: 'Change access' }).click()
  await dialog.getByRole('radio', { name: 'Selected companies' }).check()
  await dialog.getByRole('checkbox', { name: 'Neptune' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await section('Access').getByRole('link', { name: 'Neptune' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Neptune' })).toBeVisible()
  await page.goBack()

  await section('Links').getByRole('link', { name: 'Show all links' }).click()
  await expect(page.getByText('Links of Kim Doe')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Links' }).getByRole('row')).toHaveCount(2)
  await page.getByRole('button', { name: 'Show all links' }).click()
  await expect(page).toHaveURL('/links')
  await page.goBack()
  await page.goBack()
  await section('Activity').getByRole('link', { name: 'Show all activity' }).click()
  await expect(page.getByLabel('Person').locator('option:checked')).toHaveText(kim.name)
})

test('ends one session of a user, and then all of them', { tag: '@slow' }, async ({ page, browser, baseURL }) => {
  const { id } = await addCompanyWithUser(baseURL, 'Globex', kim)
  const first = await signInInNewContext(browser, baseURL, kim)
  await openAsAdmin(page, `/users/${id}`)
  const sessions = page.getByRole('table', { name: 'Sessions' })
  await expect(sessions.getByRole('row')).toHaveCount(2)
  await sessions.getByRole('button', { name: /^End the session in/ }).click()
  await expect(page.getByText(/^Ended the session in/)).toBeVisible()
  await expect(page.getByText('Not signed in anywhere.')).toBeVisible()
  await first.goto('/links')
  await expect(first).toHaveURL(/\/login/)

  const second = await signInInNewContext(browser, baseURL, kim)
  await page.reload()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page.getByText('Signed Kim Doe out everywhere.')).toBeVisible()
  await expect(page.getByText('Not signed in anywhere.')).toBeVisible()
  await second.goto('/links')
  await expect(second).toHaveURL(/\/login/)
})

test('suspends and restores a user on their page, again and again', { tag: '@slow' }, async ({ page, baseURL }) => {
  const { id } = await addKimWithLink(baseURL)
  await openAsAdmin(page, `/users/${id}`)
  const details = page.getByRole('region', { name: 'Details' })
  for (let i = 0; i < 2; i++) {
    await chooseAction(page, kim.name, 'Suspend')
    const dialog = page.getByRole('dialog', { name: 'Suspend user' })
    await expect(dialog.getByRole('list', { name: 'Links that will stop working' })).toContainText('Plans')
    await expect(dialog.getByRole('radio', { name: 'Pause' })).toBeChecked()
    await dialog.getByRole('button', { name: 'Suspend' }).click()
    await expect(details).toContainText('Suspended')
    await expect(page.getByRole('region', { name: 'Links' })).toContainText('Owner suspended')
    await chooseAction(page, kim.name, 'Restore')
    await expect(details).toContainText('Active')
    await expect(page.getByRole('region', { name: 'Links' })).not.toContainText('Owner suspended')
  }
})

test('creates a link with which a user sets a new password, and then signs in', { tag: '@slow' }, async ({
  page,
  browser,
  baseURL,
}) => {
  const { id } = await addCompanyWithUser(baseURL, 'Globex', kim)
  await openAsAdmin(page, `/users/${id}`)
  await chooseAction(page, kim.name, 'Reset password')
  const dialog = page.getByRole('dialog', { name: 'Reset password' })
  await expect(dialog).toHaveAccessibleDescription(/No mail server is set up, so you get a link/)
  await expectClean(page, 'reset a password')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const shown = page.getByRole('dialog', { name: 'New password for Kim Doe' })
  const link = await shown.getByRole('textbox', { name: 'Link to choose a new password' }).inputValue()
  await expectClean(page, 'a link to choose a password')
  const kimsPage = await (await browser.newContext(baseURL === undefined ? {} : { baseURL })).newPage()
  await kimsPage.goto(new URL(link).pathname)
  await kimsPage.getByLabel('New password', { exact: true }).fill('one more long password')
  await kimsPage.getByRole('button', { name: 'Set password' }).click()
  await signIn(kimsPage, { ...kim, password: 'one more long password' })
  await expect(kimsPage).toHaveURL(/\/dashboard$/)
  await page.goto(`/activity?action=password.link_created`)
  await expect(page.getByRole('table', { name: 'Activity' })).toContainText(/link shown to copy.*kim@globex\.example/s)
})

test('creates new links for an invitation, and revokes it, on the page of the invited user', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const { company } = await addCompanyWithUser(baseURL, 'Globex', kim)
  const invited = { name: 'Ada Lovelace', email: 'ada@globex.example', company, role: 'NEPTUNE_USER', invite: true }
  const { data } = await asAdmin(baseURL)('POST', '/v1/admin/user', invited)
  await openAsAdmin(page, `/users/${data.id}`)
  const invitation = page.getByRole('region', { name: 'Invitation' })
  await expect(invitation).toContainText('They haven’t accepted their invitation yet.')
  for (const name of ['Sessions', 'API tokens', 'Links', 'Activity'])
    await expect(page.getByRole('region', { name, exact: true })).toHaveCount(0)
  for (let i = 0; i < 2; i++) {
    await invitation.getByRole('button', { name: 'Create a new link' }).click()
    const link = page.getByRole('dialog', { name: 'Invitation for Ada Lovelace' })
    await expect(link.getByRole('textbox', { name: 'Invitation link' })).toHaveValue(/\/invitation\//)
    await link.getByRole('button', { name: 'Close' }).last().click()
  }
  await invitation.getByRole('button', { name: 'Revoke invitation' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click()
  await expect(page).toHaveURL('/clients')
  await expect(tableRow(page, kim.name)).toBeVisible()
  await expect(tableRow(page, 'Ada Lovelace')).toHaveCount(0)
})

test('shows non-admins only what the list shows, and links to Account on one’s own page', { tag: '@slow' }, async ({
  page,
  browser,
  baseURL,
}) => {
  const { id, company } = await addCompanyWithUser(baseURL, 'Globex', kim)
  const { id: leeId } = await addCompanyWithUser(baseURL, 'Initech', lee)
  const mia = { name: 'Mia Moss', email: 'mia@globex.example', password: 'another long password' }
  await asAdmin(baseURL)('POST', '/v1/admin/user', { ...mia, company, role: 'NEPTUNE_USER' })
  const miasPage = await signInInNewContext(browser, baseURL, mia)
  await miasPage.goto(`/users/${id}`)
  await expect(miasPage.getByRole('region', { name: 'Details' })).toContainText(
    /Kim Doe.*kim@globex\.example.*Globex.*User.*Active/s,
  )
  await expect(miasPage.getByRole('region', { name: 'Access' })).toContainText('Only Globex')
  for (const name of ['Sessions', 'API tokens', 'Links', 'Activity'])
    await expect(miasPage.getByRole('region', { name, exact: true })).toHaveCount(0)
  await expect(miasPage.getByText(/Last sign-in|Created/)).toHaveCount(0)
  await expect(miasPage.getByRole('button', { name: /Update User|Edit details|Actions for/ })).toHaveCount(0)
  await miasPage.goto(`/users/${leeId}`)
  await expect(miasPage.getByText('User not found.')).toBeVisible()

  await openAsAdmin(page, '/clients')
  await page.getByRole('link', { name: 'Administrator' }).click()
  await expect(page.getByRole('region', { name: 'Sessions' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await expect(page).toHaveURL('/account')
})

test('finds users by company, and opens a user from the palette', { tag: '@slow' }, async ({ page, baseURL }) => {
  await addKimAndLee(baseURL)
  await openUsers(page)
  await page.getByLabel('Search users').fill('initech')
  await expect(userNames(page)).toHaveText([new RegExp(lee.name)])
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('kim')
  await page.getByRole('option', { name: /Kim Doe/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: kim.name })).toBeVisible()
})

for (const { colorScheme, width } of looks) {
  test.describe(`${colorScheme}, ${width} wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 844 } })

    test('passes axe on a user’s page and in its dialogs', { tag: '@slow' }, async ({ page, baseURL }) => {
      const { id } = await addKimWithLink(baseURL)
      await openAsAdmin(page, `/users/${id}`)
      await expect(page.getByRole('table', { name: 'Links' }).getByRole('row')).toHaveCount(2)
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      await expectClean(page, 'a user')
      for (const name of ['Sign out everywhere', 'Suspend', 'Remove user']) {
        if (name === 'Sign out everywhere') await page.getByRole('button', { name }).click()
        else await chooseAction(page, kim.name, name)
        await expect(page.getByRole('dialog', { name })).toBeVisible()
        await expect(page.getByRole('dialog').locator('[aria-busy=true]')).toHaveCount(0)
        await expectClean(page, name)
        await page.keyboard.press('Escape')
      }
    })
  })
}
