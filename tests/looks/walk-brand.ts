import { expect } from '@playwright/test'
import { createLink, findDirectory, type Portal } from './portals.ts'
import type { ViewDriver } from './view-driver.ts'

const logo = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 80"><path d="M40 4 76 40 40 76 4 40Z" fill="#b3541e"/><rect x="100" y="24" width="256" height="32" rx="6" fill="#7a7f87"/></svg>`,
)
const texts = {
  name: 'Kanzlei Keller & Partner, Steuerberatungsgesellschaft',
  welcome: 'Hier tauschen wir Ihre Unterlagen aus. Fragen? Rufen Sie uns an: 0761 123 450',
  imprint_url: 'https://keller.example/imprint',
  privacy_url: 'https://keller.example/privacy',
}
const noTexts = { name: null, welcome: null, imprint_url: null, privacy_url: null }

/** Opens the views that show the brand, with a logo and with a long name alone. Other walks use the same portal without a brand. */
export async function walkBrandedPortal(driver: ViewDriver, portal: Portal) {
  try {
    await change(portal, 'organisation', texts)
    await change(portal, 'appearance', { accent: '#b3541e' })
    await walk(driver, portal, 'with a name')
    await portal.call('PUT', '/v1/admin/settings/logo/light', logo)
    await walk(driver, portal, 'with a logo')
  } finally {
    await portal.call('DELETE', '/v1/admin/settings/logo/light')
    await change(portal, 'organisation', noTexts)
    await change(portal, 'appearance', { accent: null })
  }
}

async function change({ call }: Portal, section: string, values: object) {
  const settings: Record<string, { version: number }> = (await call('GET', '/v1/admin/settings')).data
  await call('PATCH', `/v1/admin/settings/${section}`, { version: settings[section]?.version, values })
}

async function walk(driver: ViewDriver, portal: Portal, brand: string) {
  const { page } = driver
  const directory = await findDirectory(portal, 'Press kit')
  const { key, accessCode } = await createLink(portal, 'LINK_EDITABLE_DIRECTORY', directory)
  await driver.open('/login')
  await driver.capture(`sign in ${brand}`)
  await driver.open('/verify')
  await driver.capture(`check a receipt ${brand}`)
  await driver.open(`/access/${key}`)
  await expect(driver.button('Access Directory')).toBeVisible()
  await driver.capture(`the access code ${brand}`)
  await page.getByPlaceholder(driver.translate('Access code')).fill(accessCode)
  await driver.press('Access Directory')
  await expect(driver.button('Upload file')).toBeVisible()
  await driver.waitUntilLoaded()
  await driver.capture(`a directory ${brand}`)
  await portal.signIn(page)
  await driver.open('/directories')
  await driver.capture(`staff ${brand}`)
}
