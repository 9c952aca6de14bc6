import { expect } from '../fixtures.ts'
import {
  type Confirmations,
  currentDialog,
  dialogButton,
  expectDialogClosed,
  type PressContext,
  press,
} from './press-repeatedly.ts'

const listProviders = async ({ call }: PressContext) => (await call('GET', '/v1/admin/provider')).data as { name: string }[]

export const providerDialogs: Confirmations = {
  'create-provider': {
    path: () => '/settings/single-sign-on',
    open: async (context) => {
      await press(context, 'Add provider')
      const dialog = currentDialog(context.page)
      await dialog.getByLabel('Name').fill('Acme login')
      await dialog.getByLabel('Issuer').fill('https://id.acme.example')
      await dialog.getByLabel('Client ID').fill('neptune')
      return dialogButton(context.page, 'Add provider')
    },
    sends: ['POST /v1/admin/provider'],
    expect: async (context) => {
      await expectDialogClosed(context)
      expect(await listProviders(context)).toMatchObject([{ name: 'Acme login' }])
    },
  },
  'edit-provider': {
    open: async (context) => {
      await press(context, 'Edit: Acme login')
      await currentDialog(context.page).getByLabel('Name').fill('Acme accounts')
      return dialogButton(context.page, 'Save')
    },
    sends: ['PATCH /v1/admin/provider/{id}'],
    expect: async (context) => {
      await expectDialogClosed(context)
      expect(await listProviders(context)).toMatchObject([{ name: 'Acme accounts', version: 2 }])
    },
  },
  'delete-provider': {
    open: async (context) => {
      await press(context, 'Actions for Acme accounts')
      await context.page.getByRole('menuitem', { name: 'Delete' }).click()
      return dialogButton(context.page, 'Delete provider')
    },
    sends: ['DELETE /v1/admin/provider/{id}'],
    expect: async (context) => {
      await expectDialogClosed(context)
      expect(await listProviders(context)).toEqual([])
    },
  },
}
