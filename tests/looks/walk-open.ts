import { expect } from '@playwright/test'
import { createLink, findDirectory, type Portal } from './demo.ts'
import type { Stage } from './stage.ts'

/** Opens the views for visitors without an account or a code. */
export async function walkOpenScreens(stage: Stage, portal: Portal) {
  const { page } = stage
  await stage.open('/login')
  await stage.look('sign in')
  await stage.press('Sign in')
  await stage.look('sign in, nothing entered')
  await page.getByLabel(stage.say('E-mail address')).fill('nobody@acme.example')
  await page.getByLabel(stage.say('Password'), { exact: true }).fill('not their password')
  await stage.press('Sign in')
  await expect(page.getByRole('alert')).toBeVisible()
  await stage.look('sign in refused')
  await stage.open('/forgot')
  await stage.look('forgot the password')
  await page.getByLabel(stage.say('E-mail address')).fill('nobody@acme.example')
  await page.getByRole('main').getByRole('button').first().click()
  await expect(
    page
      .getByRole('main')
      .getByRole('status')
      .or(page.getByRole('heading', { level: 1 }))
      .first(),
  ).toBeVisible()
  await expect(page.getByLabel(stage.say('E-mail address'))).toHaveCount(0)
  await stage.look('forgot the password, sent')
  await stage.open('/reset/not-a-link')
  await stage.look('a wrong link to a new password')
  await stage.open('/access/7YqfT0pEXAMPLEc3K')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(stage.say('Link not found.'))
  await stage.look('no such link')
  await stage.open('/receipt/none')
  await stage.look('no such receipt')
  await stage.open('/verify')
  await stage.look('check a receipt')
  await stage.open('/docs')
  await stage.look('the API')
  await stage.open('/nowhere')
  await stage.look('no such page')

  const { key, accessCode } = await createLink(portal, 'LINK_DIRECTORY', await findDirectory(portal, 'Press kit'))
  await stage.open(`/access/${key}`)
  await expect(stage.button('Access Directory')).toBeVisible()
  await stage.look('the access code')
  await page.getByPlaceholder(stage.say('Access code')).fill('ABCD')
  await stage.press('Access Directory')
  await stage.look('a mistyped code')
  await stage.press('Ask for a new code')
  await stage.look('asking for a code')
  await stage.press('Ask for a new code')
  await expect(stage.button('Back to the access code')).toBeVisible()
  await stage.look('asked')
  expect(accessCode).toMatch(/\S/)
}

/** Opens the views of an empty portal: the first steps and every empty list. */
export async function walkFirstDay(stage: Stage, portal: Portal) {
  const { page } = stage
  await portal.enter(page)
  for (const path of [
    'dashboard',
    'files',
    'directories',
    'links',
    'clients',
    'mail',
    'trash',
    'trash?of=directories',
    'webhooks',
  ]) {
    await stage.open(`/${path}`)
    await stage.look(`${path.replace('?of=', ', ')} on the first day`)
  }
  await stage.open('/links')
  await stage.peek('create a link without a directory', 'Create link')
}
