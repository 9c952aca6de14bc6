import type { Page } from '@playwright/test'
import { expectClean, looks } from '../expect-clean.ts'
import { addCompanyWithUser, addDirectory, asAdmin, expect, kim, openAsAdmin, signInInNewContext, test } from '../fixtures.ts'

test.use({ timezoneId: 'Europe/Berlin' })

const logo = {
  name: 'logo.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10"><rect width="30" height="10" fill="#aa3377"/></svg>',
  ),
}

/** Expects a step of the guide, checks how it looks, and returns its section. */
async function expectStep(page: Page, number: number, title: string) {
  const step = page.getByRole('region', { name: title })
  await expect(step.getByText(`Step ${number} of 5`)).toBeVisible()
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    await expectClean(page, `${title}, ${colorScheme}, ${width} wide`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 844 })
  return step
}

test('adds the set-up to the user menu when it opens next, so that no item of an open menu moves', { tag: '@slow' }, async ({
  page,
}) => {
  const loaded = Promise.withResolvers<void>()
  await page.route('**/v1/admin/setup', async (route) => {
    await loaded.promise
    await route.continue()
  })
  await openAsAdmin(page, '/dashboard')
  const opener = page.getByRole('button', { name: 'Account of Administrator' })
  const firstItem = page.getByRole('menuitem').first()
  await opener.click()
  await expect(firstItem).toHaveText('Account')
  loaded.resolve()
  await expect(page.getByRole('main').getByRole('link', { name: 'Set up your portal' })).toBeVisible()
  await expect(firstItem).toHaveText('Account')
  await page.keyboard.press('Escape')
  await opener.click()
  await expect(firstItem).toHaveText('Set up your portal')
})

test('leads a new admin from the dashboard through the set-up, and back to a step that was skipped', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  await openAsAdmin(page, '/dashboard')
  await page.getByRole('main').getByRole('link', { name: 'Set up your portal' }).click()
  const continueButton = page.getByRole('button', { name: 'Continue' })

  await expectStep(page, 1, 'Name your organisation')
  await continueButton.click()
  await expect(page.getByLabel('Name of the organisation')).toHaveAccessibleDescription(/Enter a name, or skip this step\./)
  await page.getByLabel('Name of the organisation').fill('Keller & Partner')
  const leaving = page.getByRole('dialog', { name: 'Discard your changes?' })
  for (const leave of [
    page.getByRole('button', { name: 'Skip' }),
    page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: 'Add your first client' }),
    page.getByRole('link', { name: 'Do this later' }),
  ]) {
    await leave.click()
    await leaving.getByRole('button', { name: 'Keep editing' }).click()
    await expect(leaving).toHaveCount(0)
  }
  await expect(page.getByLabel('Time zone')).toHaveValue('Europe/Berlin')
  await continueButton.click()

  await expectStep(page, 2, 'Add your logo and colour')
  await expect(page.getByRole('heading', { name: 'Add your logo and colour' })).toBeFocused()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Keller & Partner' })).toBeVisible()
  const light = page.getByRole('group', { name: 'Logo on light pages' })
  await light
    .getByLabel('Choose logo')
    .last()
    .setInputFiles({ ...logo, buffer: Buffer.alloc(1024 * 1024 + 1) })
  await expect(light).toContainText('The image is larger than 1 MiB.')
  await light.getByLabel('Choose logo').last().setInputFiles(logo)
  await expect(light.getByRole('img', { name: 'Logo on light pages' })).toBeVisible()
  await page.getByLabel('Accent colour', { exact: true }).fill('#ffff00')
  await continueButton.click()
  await expect(page.getByLabel('Accent colour', { exact: true })).toHaveAccessibleDescription(/Use #\w{6}, or a darker colour/)
  await page.getByLabel('Accent colour', { exact: true }).fill('#aa3377')
  await continueButton.click()

  await expectStep(page, 3, 'Check that emails arrive')
  await expect(continueButton).toHaveCSS('background-color', 'rgb(170, 51, 119)')
  await page.getByRole('button', { name: 'Send test email' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Neptune saved the email on its own server.' })).toBeVisible()
  await page.getByRole('button', { name: 'Skip' }).click()

  await expectStep(page, 4, 'Add your first client')
  await page.getByLabel('Name of the company').fill('Globex')
  await continueButton.click()

  await expectStep(page, 5, 'Share your first link')
  await expect(page.getByRole('link', { name: /^Add your first client.*This step is done\./ })).toBeVisible()
  await addDirectory(baseURL, 'Plans', { 'a.txt': 'x' }, (await findCompany(baseURL, 'Globex')).id)
  await page.getByRole('button', { name: 'Create link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Shareable Link' })
  await expect(dialog.getByLabel('Company').locator('option:checked')).toHaveText('Globex')
  await dialog.getByLabel('Link type').selectOption('Directory')
  await dialog.getByRole('button', { name: 'Create Link' }).click()
  await expect(page.getByRole('heading', { name: 'Link ready' })).toBeVisible()
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(page.getByRole('heading', { name: 'That’s it for now' })).toBeFocused()

  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await expect(page.getByRole('region', { name: 'Set up your portal' })).toContainText('4 of 6 steps are done.')
  await page.getByRole('button', { name: /Administrator/ }).click()
  await page.getByRole('menuitem', { name: 'Set up your portal' }).click()
  await expectStep(page, 3, 'Check that emails arrive')
  expect(await findCompany(baseURL, 'Keller & Partner')).toBeDefined()
  const { organisation } = (await asAdmin(baseURL)('GET', '/v1/settings')).data
  expect(organisation).toMatchObject({ name: 'Keller & Partner', time_zone: 'Europe/Berlin' })
})

/** Finds a company by its name. */
const findCompany = async (baseURL: string | undefined, name: string) =>
  (await asAdmin(baseURL)('GET', '/v1/company')).data.find((company: { name: string }) => company.name === name)

test('shows a new user simpler steps, and no set-up', { tag: '@slow' }, async ({ browser, baseURL }) => {
  await addCompanyWithUser(baseURL, 'Globex', kim)
  const page = await signInInNewContext(browser, baseURL, kim)
  await expect(page.getByRole('region', { name: 'Getting started' }).getByRole('listitem')).toHaveCount(4)
  await page.goto('/welcome')
  await expect(page.getByText('Only administrators can set up the portal.')).toBeVisible()
})
