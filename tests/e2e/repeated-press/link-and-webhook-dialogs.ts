import { readEmails } from '../../support/read-emails.ts'
import { asBearer } from '../calls.ts'
import { chooseAction } from '../files/directory-steps.ts'
import { addCompanyWithUser, addDirectory, asAdmin, expect, kim, tableRow } from '../fixtures.ts'
import { addLink, askOwner, isCodeAccepted } from '../links/link-steps.ts'
import { lee } from '../people/user-steps.ts'
import { startUpload } from '../uploads/unfinished-upload-steps.ts'
import {
  type Confirmations,
  currentDialog,
  dialogButton,
  expectDialogClosed,
  type PressContext,
  press,
} from './press-repeatedly.ts'

/** Creates everything that the dialogs change. */
export async function prepareDialogs(baseURL: string | undefined): Promise<PressContext['ids']> {
  const call = asAdmin(baseURL)
  const { company } = await addCompanyWithUser(baseURL, 'Globex', kim)
  const initech = await addCompanyWithUser(baseURL, 'Initech', lee)
  const plans = await addDirectory(baseURL, 'Plans', { 'a.txt': 'a', 'b.txt': 'b' })
  const ids: PressContext['ids'] = { globex: company, plans: plans.id, lee: initech.id }
  const { token } = await asBearer(baseURL)('POST', '/v1/identity/login', { email: lee.email, password: lee.password })
  const shared = await addDirectory(baseURL, 'Hand me over', {}, initech.company)
  ids['Hand me over'] = (await addLink(baseURL, shared, { call: asBearer(baseURL, token) })).key
  ids['uploads'] = (await startUpload(baseURL, await addDirectory(baseURL, 'Uploads'))).directory.id
  for (const name of ['Reset me', 'Send me', 'Delete me', 'Look at me'])
    ids[name] = (await addLink(baseURL, await addDirectory(baseURL, name))).key
  await call('POST', '/v1/token', { name: 'Old', scope: 'read' })
  for (const name of ['edit', 'delete', 'test'])
    await call('POST', '/v1/webhook', { company: plans.company, url: webhookUrl(name), events: ['upload'] })
  return ids
}

const webhookUrl = (name: string) => `http://127.0.0.1:9/${name}`

/** Selects a link and presses the button of an action. */
async function selectLink(context: PressContext, name: string, action: string) {
  await context.page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await press(context, action)
}

/** Expects the panel of the link to show a code that opens it. */
async function expectWorkingLink({ page, baseURL }: PressContext, name: string) {
  const ready = page.getByRole('region', { name: 'Link ready' })
  await expect(ready).toContainText(name)
  const url = await ready.getByLabel('Link', { exact: true }).inputValue()
  const code = await ready.getByLabel('Access code', { exact: true }).inputValue()
  expect(await isCodeAccepted(baseURL, url.split('/').at(-1) ?? '', code)).toBe(true)
}

export const linkDialogs: Confirmations = {
  'create-link': {
    path: () => '/links',
    open: async (context) => {
      await press(context, 'Create link')
      const dialog = currentDialog(context.page)
      await dialog.getByLabel('Company').selectOption('Neptune')
      await dialog.getByLabel('Directory').selectOption('Plans')
      await dialog.getByLabel('Link type').selectOption('Directory')
      await expect(dialog.getByLabel('Access code', { exact: true })).not.toHaveValue('')
      return dialogButton(context.page, 'Create Link')
    },
    sends: ['POST /v1/link'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expectWorkingLink(context, 'Plans')
      expect((await context.call('GET', '/v1/link?search=Plans')).data).toHaveLength(1)
    },
  },
  'reset-link': {
    open: async (context) => {
      await selectLink(context, 'Reset me', 'Reset access code')
      await expect(currentDialog(context.page).getByLabel('Access code', { exact: true })).not.toHaveValue('')
      return dialogButton(context.page, 'Reset Link')
    },
    sends: ['PATCH /v1/link/reset'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expectWorkingLink(context, 'Reset me')
      const { data } = await context.call('GET', `/v1/link/${context.ids['Reset me']}/activity`)
      expect(data.filter(({ kind }: { kind: string }) => kind === 'reset')).toHaveLength(1)
      await context.page.reload()
    },
  },
  'send-link': {
    open: async (context) => {
      await selectLink(context, 'Send me', 'Send link details')
      await currentDialog(context.page).getByLabel('Target e-mail').fill('lee@initech.example')
      return dialogButton(context.page, 'Send Details')
    },
    sends: ['POST /v1/link/email'],
    expect: async (context) => {
      await expectDialogClosed(context)
      expect(await readEmails(context.folder, 1)).toMatchObject([{ to: 'lee@initech.example' }])
      await context.page.reload()
    },
  },
  'delete-links': {
    open: async (context) => {
      await selectLink(context, 'Delete me', 'Delete link')
      return dialogButton(context.page, 'Delete Link')
    },
    sends: ['DELETE /v1/link/{id}'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(tableRow(context.page, 'Delete me')).toHaveCount(0)
      await expect(tableRow(context.page, 'Look at me')).toHaveCount(1)
    },
  },
  'hand-over-link': {
    open: async (context) => {
      await context.call('POST', `/v1/admin/user/${context.ids['lee']}/suspend`)
      await context.page.reload()
      await context.page.getByRole('button', { name: 'Hand me over Not opened yet' }).click()
      await dialogButton(context.page, 'Hand over').click()
      await currentDialog(context.page).getByRole('radio', { name: 'Administrator' }).check()
      return dialogButton(context.page, 'Hand over')
    },
    sends: ['POST /v1/admin/user/{id}/handover'],
    expect: async (context) => {
      await expectDialogClosed(context)
      const { data } = await context.call('GET', '/v1/activity?action=link.handed_over')
      expect(data).toHaveLength(1)
    },
  },
  'link-details': {
    open: async (context) => {
      await context.page.getByRole('button', { name: 'Look at me Not opened yet' }).click()
      return dialogButton(context.page, 'Close')
    },
    sends: [],
    expect: expectDialogClosed,
  },
  'grant-time': {
    open: async (context) => {
      await askOwner(context.baseURL, context.ids['Look at me'] ?? '', 'time')
      await context.page.reload()
      await press(context, 'Choose a date: Look at me')
      return dialogButton(context.page, 'Extend link')
    },
    sends: ['POST /v1/ask/{id}'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(tableRow(context.page, 'Look at me')).toContainText('in 60 days')
    },
  },
  'extend-link': {
    open: async (context) => {
      await context.page.getByRole('button', { name: 'Look at me Not opened yet' }).click()
      await dialogButton(context.page, 'Actions for Look at me').click()
      await context.page.getByRole('menuitem', { name: 'Extend until a date' }).click()
      return dialogButton(context.page, 'Extend link')
    },
    sends: ['POST /v1/link/{id}/extend'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(tableRow(context.page, 'Look at me')).toContainText('in 90 days')
    },
  },
  'new-code': {
    open: async (context) => {
      await askOwner(context.baseURL, context.ids['Look at me'] ?? '', 'code')
      await context.page.reload()
      await press(context, 'Create a new code: Look at me')
      return dialogButton(context.page, 'Create a new code')
    },
    sends: ['POST /v1/ask/{id}'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expectWorkingLink(context, 'Look at me')
    },
  },
}

/** Expects the dialog with a new secret to be open. The repeated presses must not have closed it, because the secret is shown only once. */
const expectSecret = async ({ page }: PressContext, title: string, label: string) => {
  const ready = page.getByRole('dialog', { name: title })
  await expect(ready.getByRole('textbox', { name: label })).not.toHaveValue('')
  await ready.getByRole('button', { name: 'Close' }).click()
}

export const tokenAndWebhookDialogs: Confirmations = {
  'create-token': {
    path: () => '/account',
    open: async (context) => {
      await press(context, 'Create token')
      await currentDialog(context.page).getByLabel('Name').fill('Backup')
      return dialogButton(context.page, 'Create token')
    },
    sends: ['POST /v1/token'],
    expect: (context) => expectSecret(context, 'API token ready', 'Token'),
  },
  'revoke-token': {
    open: async (context) => {
      await press(context, 'Revoke Old')
      return dialogButton(context.page, 'Revoke token')
    },
    sends: ['DELETE /v1/token/{id}'],
    expect: expectDialogClosed,
  },
  'create-webhook': {
    path: () => '/webhooks',
    open: async (context) => {
      await press(context, 'Create webhook')
      const dialog = currentDialog(context.page)
      await dialog.getByLabel('Company').selectOption('Neptune')
      await dialog.getByLabel('Address').fill(webhookUrl('new'))
      await dialog.getByLabel('Uploads').check()
      return dialogButton(context.page, 'Create webhook')
    },
    sends: ['POST /v1/webhook'],
    expect: async (context) => {
      await expectSecret(context, 'Webhook ready', 'Secret')
      expect((await context.call('GET', '/v1/webhook')).data).toHaveLength(4)
    },
  },
  'edit-webhook': {
    open: async ({ page }) => {
      await chooseAction(page, webhookUrl('edit'), 'Edit')
      await currentDialog(page).getByLabel('Links opened').check()
      return dialogButton(page, 'Save')
    },
    sends: ['PATCH /v1/webhook/{id}'],
    expect: expectDialogClosed,
  },
  'delete-webhook': {
    open: async ({ page }) => {
      await chooseAction(page, webhookUrl('delete'), 'Delete')
      return dialogButton(page, 'Delete webhook')
    },
    sends: ['DELETE /v1/webhook/{id}'],
    expect: expectDialogClosed,
  },
  deliveries: {
    open: async ({ page }) => {
      await chooseAction(page, webhookUrl('test'), 'Deliveries')
      return dialogButton(page, 'Send test')
    },
    sends: ['POST /v1/webhook/{id}/test'],
    expect: async ({ page }) => {
      await expect(currentDialog(page).getByRole('list', { name: 'Deliveries' }).getByRole('listitem')).toHaveCount(1)
    },
  },
}

export const otherDialogs: Confirmations = {
  'send-test-mail': {
    path: () => '/mail',
    open: async (context) => {
      await press(context, 'Send a test email')
      return dialogButton(context.page, 'Send test email')
    },
    sends: ['POST /v1/admin/mail/test'],
    expect: async (context) => {
      await expectDialogClosed(context)
      const { data } = await context.call('GET', '/v1/admin/mail?search=admin')
      expect(data.filter(({ letter }: { letter: string }) => letter === 'test')).toHaveLength(1)
    },
  },
  keys: {
    open: async ({ page }) => {
      await page.keyboard.press('?')
      return dialogButton(page, 'Close')
    },
    sends: [],
    expect: expectDialogClosed,
  },
  find: {
    open: async ({ page }) => {
      await page.keyboard.press('ControlOrMeta+k')
      await currentDialog(page).getByRole('combobox').fill('Files')
      return page.getByRole('option', { name: 'Files' }).first()
    },
    sends: [],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(context.page).toHaveURL(/\/files$/)
    },
  },
}
