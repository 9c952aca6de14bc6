import { addAppOf, noClock } from '../account/factor-steps.ts'
import { chooseAction } from '../files/directory-steps.ts'
import { expect, kim, tableRow } from '../fixtures.ts'
import { fillUserForm, lee } from '../people/user-steps.ts'
import {
  type Confirmations,
  currentDialog,
  dialogButton,
  expectDialogClosed,
  type PressContext,
  press,
} from './press-repeatedly.ts'

export const peopleDialogs: Confirmations = {
  'create-user': {
    path: () => '/clients',
    open: async (context) => {
      await press(context, 'Add user')
      await fillUserForm(context.page, { ...kim, name: 'Mia Moss', email: 'mia@globex.example', company: 'Globex' })
      return dialogButton(context.page, 'Create User')
    },
    sends: ['POST /v1/admin/user'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(tableRow(context.page, 'Mia Moss')).toHaveCount(1)
    },
  },
  'update-user': {
    open: async (context) => {
      await context.call('PATCH', '/v1/admin/role', { email: kim.email, role: 'NEPTUNE_ADMIN' })
      await context.page.reload()
      await press(context, 'Edit Kim Doe')
      await currentDialog(context.page).getByLabel('Role').selectOption('User')
      await dialogButton(context.page, 'Access').click()
      await currentDialog(context.page).getByRole('radio', { name: 'All companies' }).check()
      return dialogButton(context.page, 'Update Role')
    },
    sends: ['PATCH /v1/admin/user/{id}/access', 'PATCH /v1/admin/role'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(tableRow(context.page, 'Kim Doe')).toContainText('and all other companies')
    },
  },
  'edit-details': {
    open: async (context) => {
      await press(context, 'Edit Lee Park')
      await dialogButton(context.page, 'Edit details').click()
      await currentDialog(context.page).getByLabel('Name').fill('Lee Parker')
      return dialogButton(context.page, 'Save')
    },
    sends: ['PATCH /v1/admin/user/{id}'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(tableRow(context.page, 'Lee Parker')).toHaveCount(1)
    },
  },
  'revoke-invitation': {
    open: async (context) => {
      const { globex: company } = context.ids
      const user = { name: 'Ada Lovelace', email: 'ada@globex.example', company, role: 'NEPTUNE_USER', invite: true }
      await context.call('POST', '/v1/admin/user', user)
      await context.page.reload()
      await press(context, 'Edit Ada Lovelace')
      await dialogButton(context.page, 'Revoke invitation').click()
      return currentDialog(context.page).getByRole('button', { name: 'Revoke invitation', exact: true }).last()
    },
    sends: ['DELETE /v1/admin/user/{id}/invitation'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(tableRow(context.page, 'Ada Lovelace')).toHaveCount(0)
    },
  },
  'change-access': {
    open: async (context) => {
      await context.page.getByRole('link', { name: 'Lee Parker' }).click()
      await press(context, 'Change access')
      await currentDialog(context.page).getByRole('radio', { name: 'All companies' }).check()
      return dialogButton(context.page, 'Save')
    },
    sends: ['PATCH /v1/admin/user/{id}/access'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(context.page.getByRole('region', { name: 'Access' })).toContainText('All companies')
    },
  },
  'remove-factor': {
    open: async (context) => {
      await addAppOf(context.baseURL, lee, noClock)
      await context.page.reload()
      await press(context, 'Remove second factor')
      return dialogButton(context.page, 'Remove second factor')
    },
    sends: ['POST /v1/admin/user/{id}/factor-reset'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(context.page.getByRole('button', { name: 'Cancel removal' })).toBeVisible()
    },
  },
  'suspend-user': {
    path: () => '/clients',
    open: async (context) => {
      await press(context, 'Edit Lee Parker')
      await dialogButton(context.page, 'Suspend').click()
      await expect(currentDialog(context.page)).toHaveAccessibleName('Suspend user')
      return dialogButton(context.page, 'Suspend')
    },
    sends: ['POST /v1/admin/user/{id}/suspend'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(tableRow(context.page, 'Lee Parker')).toContainText('Suspended')
    },
  },
  'user-tokens': {
    open: async (context) => {
      await press(context, 'Edit Kim Doe')
      await dialogButton(context.page, 'API tokens').click()
      return dialogButton(context.page, 'Close')
    },
    sends: [],
    expect: expectDialogClosed,
  },
  'create-company': {
    open: async (context) => {
      await press(context, 'Create company')
      await currentDialog(context.page).getByLabel('Name').fill('Hooli')
      return dialogButton(context.page, 'Create company')
    },
    sends: ['POST /v1/admin/company'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(context.page.getByText('Created Hooli.')).toBeVisible()
    },
  },
  'rename-company': {
    path: ({ ids }) => `/clients?company=${ids['globex']}`,
    open: async (context) => {
      await press(context, 'Rename company')
      await currentDialog(context.page).getByLabel('Name').fill('Globex & Sons')
      return dialogButton(context.page, 'Rename')
    },
    sends: ['PATCH /v1/admin/company/{id}'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(context.page.getByText('Renamed to “Globex & Sons”.')).toBeVisible()
    },
  },
  'reset-password': {
    open: async (context) => {
      await context.page.getByRole('link', { name: 'Mia Moss' }).click()
      await chooseAction(context.page, 'Mia Moss', 'Reset password')
      return dialogButton(context.page, 'Create link')
    },
    sends: ['POST /v1/admin/user/{id}/reset'],
    expect: async ({ page }) => {
      await expect(currentDialog(page).getByRole('textbox')).toHaveValue(/\/reset\//)
      await page.keyboard.press('Escape')
    },
  },
  'end-sessions': {
    open: (context) => openMia(context, 'Sign out everywhere'),
    sends: ['DELETE /v1/admin/user/{id}/session'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(context.page.getByText('Signed Mia Moss out everywhere.')).toBeVisible()
    },
  },
  'remove-user': {
    open: (context) => openMia(context, 'Remove user'),
    sends: ['POST /v1/admin/user/{id}/remove'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(tableRow(context.page, 'Mia Moss')).toHaveCount(0)
    },
  },
}

const openMia = async (context: PressContext, action: string) => {
  await context.page.goto('/clients')
  await context.page.getByRole('link', { name: 'Mia Moss' }).click()
  await (action === 'Remove user' ? chooseAction(context.page, 'Mia Moss', action) : press(context, action))
  return dialogButton(context.page, action)
}

export const companyDialogs: Confirmations = {
  'set-quota': {
    path: ({ ids }) => `/companies/${ids['globex']}`,
    open: async (context) => {
      await press(context, 'Set quota')
      await currentDialog(context.page).getByLabel('Quota').fill('5')
      return dialogButton(context.page, 'Save')
    },
    sends: ['PATCH /v1/admin/company/{id}'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(context.page.getByText(/^The quota of .* is now 5\.0 GB\.$/)).toBeVisible()
    },
  },
  'edit-note': {
    open: async (context) => {
      await press(context, 'Edit note')
      await currentDialog(context.page).getByLabel('Note').fill('Pays late.')
      return dialogButton(context.page, 'Save')
    },
    sends: ['PATCH /v1/admin/company/{id}'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(context.page.getByRole('region', { name: 'Note' })).toContainText('Pays late.')
    },
  },
  'edit-brand': {
    open: async (context) => {
      await press(context, 'Edit brand')
      await currentDialog(context.page).getByLabel('Name for recipients').fill('Globex Legal')
      return dialogButton(context.page, 'Save')
    },
    sends: ['PATCH /v1/admin/company/{id}'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(context.page.getByRole('region', { name: 'Brand' })).toContainText('Globex Legal')
    },
  },
  'archive-company': {
    open: async ({ page }) => {
      await page.getByRole('button', { name: /^Actions for Globex/ }).click()
      await page.getByRole('menuitem', { name: 'Archive' }).click()
      return dialogButton(page, 'Archive')
    },
    sends: ['POST /v1/admin/company/{id}/archive'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(context.page.getByRole('heading', { level: 1 })).toContainText('Archived')
    },
  },
  'restore-company': {
    open: async (context) => {
      await press(context, 'Restore company')
      return dialogButton(context.page, 'Restore')
    },
    sends: ['POST /v1/admin/company/{id}/restore'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(context.page.getByRole('heading', { level: 1 })).not.toContainText('Archived')
    },
  },
}
