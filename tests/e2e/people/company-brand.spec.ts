import type { Page } from '@playwright/test'
import { expectClean, looks } from '../expect-clean.ts'
import { asAdmin, expect, kim, openAsAdmin, signInInNewContext, test } from '../fixtures.ts'
import { addGlobex } from './company-steps.ts'

const svg = (content: string) => ({
  name: 'logo.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10">${content}</svg>`),
})

const logoGroup = (page: Page, theme: 'light' | 'dark') => page.getByRole('group', { name: `Logo on ${theme} pages` })

test('gives a company its own name and logos for recipients, and removes the name and a logo', { tag: '@slow' }, async ({
  page,
  baseURL,
  browser,
}) => {
  const { company } = await addGlobex(baseURL)
  const readBrand = async () => (await asAdmin(baseURL)('GET', `/v1/company/${company}`)).data.brand
  await openAsAdmin(page, `/companies/${company}`)
  const brand = page.getByRole('region', { name: 'Brand' })
  await expect(brand).toContainText('Recipients of its links see the name and logo of your organisation.')
  const dialog = page.getByRole('dialog', { name: 'Edit brand' })
  const save = dialog.getByRole('button', { name: 'Save' })

  await brand.getByRole('button', { name: 'Edit brand' }).click()
  await dialog.getByLabel('Name for recipients').fill('Globex Legal')
  await logoGroup(page, 'dark').getByLabel('Choose logo').last().setInputFiles(svg('<text>Globex</text>'))
  await save.click()
  await expect(logoGroup(page, 'dark')).toContainText('This image can’t be used as a logo.')
  await logoGroup(page, 'dark').getByLabel('Replace logo').last().setInputFiles(svg('<rect width="30" height="10" fill="#fff"/>'))
  await logoGroup(page, 'light').getByLabel('Choose logo').last().setInputFiles(svg('<rect width="30" height="10"/>'))
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    await expectClean(page, `${colorScheme}, ${width} wide`)
  }
  await save.click()
  await expect(brand).toContainText('Recipients of its links see “Globex Legal” and this logo')
  await expect(brand.getByRole('img')).toHaveCount(2)
  expect(await readBrand()).toMatchObject({ name: 'Globex Legal', logos: { light: { height: 160 }, dark: { height: 160 } } })
  await expectClean(page, 'a company with a brand')

  await brand.getByRole('button', { name: 'Edit brand' }).click()
  await dialog.getByLabel('Name for recipients').fill('')
  await logoGroup(page, 'dark').getByRole('button', { name: 'Remove logo' }).click()
  await save.click()
  await expect(brand).toContainText('Recipients of its links see this logo and your organisation’s name')
  expect(await readBrand()).toMatchObject({ name: null, logos: { dark: null } })

  const kimsPage = await signInInNewContext(browser, baseURL, kim)
  await kimsPage.goto(`/companies/${company}`)
  await expect(kimsPage.getByRole('region', { name: 'Storage' })).toBeVisible()
  await expect(kimsPage.getByRole('region', { name: 'Brand' })).toHaveCount(0)
})
