import { readEmails } from '../../support/read-letters.ts'
import { chooseAction } from '../files/directory-steps.ts'
import { addDirectory, addUser, asAdmin, expect, kim } from '../fixtures.ts'
import { addLink, isOpenedBy, row } from '../links/link-steps.ts'
import { lee } from '../people/user-steps.ts'
import { startUpload } from '../uploads/open-upload-steps.ts'
import { button, type Confirmations, dialogOf, expectClosed, press, type World } from './one-press-steps.ts'

/** Creates everything that the dialogs change. */
export async function prepare(baseURL: string | undefined): Promise<World['ids']> {
  const call = asAdmin(baseURL)
  const { company } = await addUser(baseURL, 'Globex', kim)
  await addUser(baseURL, 'Initech', lee)
  const plans = await addDirectory(baseURL, 'Plans', { 'a.txt': 'a', 'b.txt': 'b' })
  const ids: World['ids'] = { globex: company, plans: plans.id }
  ids['uploads'] = (await startUpload(baseURL, await addDirectory(baseURL, 'Uploads'))).directory.id
  for (const name of ['Reset me', 'Send me', 'Delete me', 'Look at me'])
    ids[name] = (await addLink(baseURL, await addDirectory(baseURL, name))).key
  await call('POST', '/v1/token', { name: 'Old', scope: 'read' })
  for (const name of ['edit', 'delete', 'test'])
    await call('POST', '/v1/webhook', { company: plans.company, url: hook(name), events: ['upload'] })
  return ids
}

const hook = (name: string) => `http://127.0.0.1:9/${name}`

/** Selects a link and presses the button of an action. */
async function selectLink(world: World, name: string, action: string) {
  await world.page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await press(world, action)
}

/** Expects the panel of the link to show a code that opens it. */
async function expectReady({ page, baseURL }: World, name: string) {
  const ready = page.getByRole('region', { name: 'Link ready' })
  await expect(ready).toContainText(name)
  const url = await ready.getByLabel('Link', { exact: true }).inputValue()
  const code = await ready.getByLabel('Code', { exact: true }).inputValue()
  expect(await isOpenedBy(baseURL, url.split('/').at(-1) ?? '', code)).toBe(true)
}

export const linkDialogs: Confirmations = {
  'create-link': {
    path: () => '/links',
    open: async (world) => {
      await press(world, 'Create link')
      const dialog = dialogOf(world.page)
      await dialog.getByLabel('Company').selectOption('Neptune')
      await dialog.getByLabel('Directory').selectOption('Plans')
      await dialog.getByLabel('Link type').selectOption('Directory')
      await expect(dialog.getByLabel('Access code', { exact: true })).not.toHaveValue('')
      return button(world.page, 'Create Link')
    },
    sends: ['POST /v1/link'],
    expect: async (world) => {
      await expectClosed(world)
      await expectReady(world, 'Plans')
      expect((await world.call('GET', '/v1/link?search=Plans')).data).toHaveLength(1)
    },
  },
  'reset-link': {
    open: async (world) => {
      await selectLink(world, 'Reset me', 'Reset access code')
      await expect(dialogOf(world.page).getByLabel('Access code', { exact: true })).not.toHaveValue('')
      return button(world.page, 'Reset Link')
    },
    sends: ['PATCH /v1/link/reset'],
    expect: async (world) => {
      await expectClosed(world)
      await expectReady(world, 'Reset me')
      const { data } = await world.call('GET', `/v1/link/${world.ids['Reset me']}/activity`)
      expect(data.filter(({ kind }: { kind: string }) => kind === 'reset')).toHaveLength(1)
      await world.page.reload()
    },
  },
  'send-link': {
    open: async (world) => {
      await selectLink(world, 'Send me', 'Send link details')
      await dialogOf(world.page).getByLabel('Target e-mail').fill('lee@initech.example')
      return button(world.page, 'Send Details')
    },
    sends: ['POST /v1/link/email'],
    expect: async (world) => {
      await expectClosed(world)
      expect(await readEmails(world.folder, 1)).toMatchObject([{ to: 'lee@initech.example' }])
      await world.page.reload()
    },
  },
  'delete-links': {
    open: async (world) => {
      await selectLink(world, 'Delete me', 'Delete link')
      return button(world.page, 'Delete Link')
    },
    sends: ['DELETE /v1/link/{id}'],
    expect: async (world) => {
      await expectClosed(world)
      await expect(row(world.page, 'Delete me')).toHaveCount(0)
      await expect(row(world.page, 'Look at me')).toHaveCount(1)
    },
  },
  'link-activity': {
    open: async (world) => {
      await world.page.getByRole('button', { name: 'Look at me Not opened yet' }).click()
      return button(world.page, 'Close')
    },
    sends: [],
    expect: expectClosed,
  },
}

/** Expects a secret that is shown once, which the press that created it must not close. */
const expectSecret = async ({ page }: World, title: string, label: string) => {
  const ready = page.getByRole('dialog', { name: title })
  await expect(ready.getByRole('textbox', { name: label })).not.toHaveValue('')
  await ready.getByRole('button', { name: 'Close' }).click()
}

export const programDialogs: Confirmations = {
  'create-token': {
    path: () => '/account',
    open: async (world) => {
      await press(world, 'Create token')
      await dialogOf(world.page).getByLabel('Name').fill('Backup')
      return button(world.page, 'Create token')
    },
    sends: ['POST /v1/token'],
    expect: (world) => expectSecret(world, 'API token ready', 'Token'),
  },
  'revoke-token': {
    open: async (world) => {
      await press(world, 'Revoke Old')
      return button(world.page, 'Revoke token')
    },
    sends: ['DELETE /v1/token/{id}'],
    expect: expectClosed,
  },
  'create-webhook': {
    path: () => '/webhooks',
    open: async (world) => {
      await press(world, 'Create webhook')
      const dialog = dialogOf(world.page)
      await dialog.getByLabel('Company').selectOption('Neptune')
      await dialog.getByLabel('Address').fill(hook('new'))
      await dialog.getByLabel('Uploads').check()
      return button(world.page, 'Create webhook')
    },
    sends: ['POST /v1/webhook'],
    expect: async (world) => {
      await expectSecret(world, 'Webhook ready', 'Secret')
      expect((await world.call('GET', '/v1/webhook')).data).toHaveLength(4)
    },
  },
  'edit-webhook': {
    open: async ({ page }) => {
      await chooseAction(page, hook('edit'), 'Edit')
      await dialogOf(page).getByLabel('Links opened').check()
      return button(page, 'Save')
    },
    sends: ['PATCH /v1/webhook/{id}'],
    expect: expectClosed,
  },
  'delete-webhook': {
    open: async ({ page }) => {
      await chooseAction(page, hook('delete'), 'Delete')
      return button(page, 'Delete webhook')
    },
    sends: ['DELETE /v1/webhook/{id}'],
    expect: expectClosed,
  },
  deliveries: {
    open: async ({ page }) => {
      await chooseAction(page, hook('test'), 'Deliveries')
      return button(page, 'Send test')
    },
    sends: ['POST /v1/webhook/{id}/test'],
    expect: async ({ page }) => {
      await expect(dialogOf(page).getByRole('list', { name: 'Deliveries' }).getByRole('listitem')).toHaveCount(1)
    },
  },
}

export const otherDialogs: Confirmations = {
  'send-test-mail': {
    path: () => '/mail',
    open: async (world) => {
      await press(world, 'Send a test email')
      return button(world.page, 'Send test email')
    },
    sends: ['POST /v1/admin/mail/test'],
    expect: async (world) => {
      await expectClosed(world)
      expect((await world.call('GET', '/v1/admin/mail?search=admin')).data).toHaveLength(1)
    },
  },
  keys: {
    open: async ({ page }) => {
      await page.keyboard.press('?')
      return button(page, 'Close')
    },
    sends: [],
    expect: expectClosed,
  },
  find: {
    open: async ({ page }) => {
      await page.keyboard.press('ControlOrMeta+k')
      await dialogOf(page).getByRole('combobox').fill('Files')
      return page.getByRole('option', { name: 'Files' }).first()
    },
    sends: [],
    expect: async (world) => {
      await expectClosed(world)
      await expect(world.page).toHaveURL(/\/files$/)
    },
  },
}
