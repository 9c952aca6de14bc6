import { chooseAction } from '../files/directory-steps.ts'
import { expect, kim } from '../fixtures.ts'
import { row } from '../links/link-steps.ts'
import { fillUser } from '../people/user-steps.ts'
import { chooseFiles, readFiles, textFile, uploadDialog } from '../uploads/upload-steps.ts'
import { button, type Confirmations, dialogOf, expectClosed, press, type World } from './one-press-steps.ts'

export const peopleDialogs: Confirmations = {
  'create-user': {
    path: () => '/clients',
    open: async (world) => {
      await press(world, 'Add user')
      await fillUser(world.page, { ...kim, name: 'Mia Moss', email: 'mia@globex.example', company: 'Globex' })
      return button(world.page, 'Create User')
    },
    sends: ['POST /v1/admin/user'],
    expect: async (world) => {
      await expectClosed(world)
      await expect(row(world.page, 'Mia Moss')).toHaveCount(1)
    },
  },
  'update-user': {
    open: async (world) => {
      await press(world, 'Edit Kim Doe')
      await dialogOf(world.page).getByLabel('Role').selectOption('Admin')
      return button(world.page, 'Update Role')
    },
    sends: ['PATCH /v1/admin/role'],
    expect: async (world) => {
      await expectClosed(world)
      await expect(row(world.page, 'Kim Doe')).toContainText('Admin')
    },
  },
  'edit-details': {
    open: async (world) => {
      await press(world, 'Edit Lee Park')
      await button(world.page, 'Edit details').click()
      await dialogOf(world.page).getByLabel('Name').fill('Lee Parker')
      return button(world.page, 'Save')
    },
    sends: ['PATCH /v1/admin/user/{id}'],
    expect: async (world) => {
      await expectClosed(world)
      await expect(row(world.page, 'Lee Parker')).toHaveCount(1)
    },
  },
  'user-tokens': {
    open: async (world) => {
      await press(world, 'Edit Kim Doe')
      await button(world.page, 'API tokens').click()
      return button(world.page, 'Close')
    },
    sends: [],
    expect: expectClosed,
  },
  'create-company': {
    open: async (world) => {
      await press(world, 'Create company')
      await dialogOf(world.page).getByLabel('Name').fill('Hooli')
      return button(world.page, 'Create company')
    },
    sends: ['POST /v1/admin/company'],
    expect: async (world) => {
      await expectClosed(world)
      await expect(world.page.getByText('Created Hooli.')).toBeVisible()
    },
  },
  'rename-company': {
    path: ({ ids }) => `/clients?company=${ids['globex']}`,
    open: async (world) => {
      await press(world, 'Rename company')
      await dialogOf(world.page).getByLabel('Name').fill('Globex & Sons')
      return button(world.page, 'Rename')
    },
    sends: ['PATCH /v1/admin/company/{id}'],
    expect: async (world) => {
      await expectClosed(world)
      await expect(world.page.getByText('Renamed to “Globex & Sons”.')).toBeVisible()
    },
  },
}

export const storageDialogs: Confirmations = {
  'cancel-upload': {
    path: ({ ids }) => `/directories/${ids['uploads']}`,
    open: async ({ page }) => {
      await page.getByText(/^1 unfinished upload/).click()
      await page.getByRole('button', { name: 'Cancel Film.mp4' }).click()
      return button(page, 'Cancel upload')
    },
    sends: ['DELETE /v1/upload/{id}'],
    expect: async (world) => {
      await expectClosed(world)
      await expect(world.page.getByText('Canceled the upload of “Film.mp4”.')).toBeVisible()
    },
  },
  'create-directory': {
    path: () => '/directories',
    open: async (world) => {
      await press(world, 'Create Directory')
      await dialogOf(world.page).getByLabel('Name').fill('Offers')
      await dialogOf(world.page).getByLabel('Company').selectOption('Neptune')
      return button(world.page, 'Create Directory')
    },
    sends: ['POST /v1/directory'],
    expect: async (world) => {
      await expectClosed(world)
      await expect(world.page.getByText('Created “Offers”.')).toBeVisible()
    },
  },
  'rename-directory': {
    open: async ({ page }) => {
      await chooseAction(page, 'Offers', 'Rename')
      await dialogOf(page).getByLabel('Name').fill('Quotes')
      return button(page, 'Rename')
    },
    sends: ['PATCH /v1/directory/{id}'],
    expect: expectClosed,
  },
  'rename-file': {
    path: ({ ids }) => `/directories/${ids['plans']}`,
    open: async ({ page }) => {
      await chooseAction(page, 'b.txt', 'Rename')
      await dialogOf(page).getByLabel('Name').fill('c.txt')
      return button(page, 'Rename')
    },
    sends: ['PATCH /v1/file/{id}'],
    expect: expectClosed,
  },
  'upload-file': {
    open: async (world) => {
      await press(world, 'Upload file')
      await chooseFiles(world.page, [textFile('new.txt', 'new')])
      return uploadDialog(world.page).getByRole('button', { name: 'Upload', exact: true })
    },
    sends: ['POST /v1/upload', 'PATCH /v1/upload/{id}'],
    expect: async (world) => {
      await expectClosed(world)
      await expectFiles(world, ['a.txt', 'c.txt', 'new.txt'])
    },
  },
  'upload-clash': {
    open: async (world) => {
      await press(world, 'Upload file')
      await chooseFiles(world.page, [textFile('a.txt', 'another')])
      await uploadDialog(world.page).getByRole('button', { name: 'Upload', exact: true }).press('Enter')
      await expect(dialogOf(world.page)).toHaveAccessibleName('This name is taken')
      return button(world.page, 'Upload')
    },
    sends: ['POST /v1/upload', 'PATCH /v1/upload/{id}'],
    expect: async (world) => {
      await expectClosed(world)
      await expectFiles(world, ['a (1).txt', 'a.txt', 'c.txt', 'new.txt'])
    },
  },
}

const expectFiles = ({ baseURL, ids }: World, names: string[]) =>
  expect.poll(async () => Object.keys(await readFiles(baseURL, ids['plans'] ?? '')).toSorted()).toEqual(names)
