import { chooseAction } from '../files/directory-steps.ts'
import { expect } from '../fixtures.ts'
import { addFileLink } from '../links/link-steps.ts'
import { chooseFiles, readHashes, textFile, uploadDialog } from '../uploads/upload-steps.ts'
import {
  type Confirmations,
  currentDialog,
  dialogButton,
  expectDialogClosed,
  type PressContext,
  press,
} from './press-repeatedly.ts'

export const storageDialogs: Confirmations = {
  'cancel-upload': {
    path: ({ ids }) => `/directories/${ids['uploads']}`,
    open: async ({ page }) => {
      await page.getByText(/^1 unfinished upload/).click()
      await page.getByRole('button', { name: 'Cancel Film.mp4' }).click()
      return dialogButton(page, 'Cancel upload')
    },
    sends: ['DELETE /v1/upload/{id}'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(context.page.getByText('Cancelled the upload of “Film.mp4”.')).toBeVisible()
    },
  },
  share: {
    path: () => '/directories',
    open: async ({ page }) => {
      await chooseAction(page, 'Look at me', 'Share')
      return dialogButton(page, 'Create link')
    },
    sends: ['POST /v1/link/initialise', 'POST /v1/link'],
    expect: async ({ page, call }) => {
      await expect(page.getByRole('dialog', { name: 'Link ready' })).toContainText('Look at me')
      expect((await call('GET', '/v1/link?search=Look')).data).toHaveLength(2)
    },
  },
  shared: {
    open: async ({ page }) => dialogButton(page, 'Close'),
    sends: [],
    expect: expectDialogClosed,
  },
  'create-directory': {
    path: () => '/directories',
    open: async (context) => {
      await press(context, 'Create Directory')
      await currentDialog(context.page).getByLabel('Name').fill('Offers')
      await currentDialog(context.page).getByLabel('Company').selectOption('Neptune')
      return dialogButton(context.page, 'Create Directory')
    },
    sends: ['POST /v1/directory'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(context.page.getByText('Created “Offers”.')).toBeVisible()
    },
  },
  'rename-directory': {
    open: async ({ page }) => {
      await chooseAction(page, 'Offers', 'Rename')
      await currentDialog(page).getByLabel('Name').fill('Quotes')
      return dialogButton(page, 'Rename')
    },
    sends: ['PATCH /v1/directory/{id}'],
    expect: expectDialogClosed,
  },
  'rename-file': {
    path: ({ ids }) => `/directories/${ids['plans']}`,
    open: async ({ page }) => {
      await chooseAction(page, 'b.txt', 'Rename')
      await currentDialog(page).getByLabel('Name').fill('c.txt')
      return dialogButton(page, 'Rename')
    },
    sends: ['PATCH /v1/file/{id}'],
    expect: expectDialogClosed,
  },
  'create-folder': {
    open: async (context) => {
      await press(context, 'New folder')
      await currentDialog(context.page).getByLabel('Name').fill('Offers')
      return dialogButton(context.page, 'Create folder')
    },
    sends: ['POST /v1/directory'],
    expect: expectDialogClosed,
  },
  'move-items': {
    open: async ({ page }) => {
      await chooseAction(page, 'c.txt', 'Move to…')
      await currentDialog(page).getByRole('treeitem', { name: 'Offers' }).click()
      return dialogButton(page, 'Move')
    },
    sends: ['POST /v1/move'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expect(context.page.getByText('Moved “c.txt” to “Offers”.')).toBeVisible()
    },
  },
  'file-details': {
    open: async ({ page }) => {
      await chooseAction(page, 'a.txt', 'Details')
      return dialogButton(page, 'Close')
    },
    sends: [],
    expect: expectDialogClosed,
  },
  'folder-details': {
    open: async ({ page }) => {
      await chooseAction(page, 'Offers, folder', 'Details')
      return dialogButton(page, 'Close')
    },
    sends: [],
    expect: expectDialogClosed,
  },
  'upload-file': {
    open: async (context) => {
      await press(context, 'Upload file')
      await chooseFiles(context.page, [textFile('new.txt', 'new')])
      return uploadDialog(context.page).getByRole('button', { name: 'Upload', exact: true })
    },
    sends: ['POST /v1/upload', 'PATCH /v1/upload/{id}'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expectFiles(context, ['a.txt', 'new.txt'])
    },
  },
  'upload-clash': {
    open: async (context) => {
      await press(context, 'Upload file')
      await chooseFiles(context.page, [textFile('a.txt', 'another')])
      await uploadDialog(context.page).getByRole('button', { name: 'Upload', exact: true }).press('Enter')
      await expect(currentDialog(context.page)).toHaveAccessibleName('This name is taken')
      return dialogButton(context.page, 'Upload')
    },
    sends: ['POST /v1/upload', 'PATCH /v1/upload/{id}'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expectFiles(context, ['a (1).txt', 'a.txt', 'new.txt'])
    },
  },
  'delete-items': {
    open: async (context) => {
      await addFileLink(context.baseURL, context.ids['plans'] ?? '', 'new.txt')
      await chooseAction(context.page, 'new.txt', 'Delete')
      await expect(currentDialog(context.page)).toContainText('1 link will stop working.')
      return dialogButton(context.page, 'Delete')
    },
    sends: ['POST /v1/file/delete'],
    expect: async (context) => {
      await expectDialogClosed(context)
      await expectFiles(context, ['a (1).txt', 'a.txt'])
    },
  },
}

const expectFiles = ({ baseURL, ids }: PressContext, names: string[]) =>
  expect.poll(async () => Object.keys(await readHashes(baseURL, ids['plans'] ?? '')).toSorted()).toEqual(names)
