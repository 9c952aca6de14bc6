import { readEmailTo } from '../../support/read-letters.ts'
import { thanks } from '../access/access-steps.ts'
import { addDirectory, admin, asAdmin, expect, kim } from '../fixtures.ts'
import { addLink, ask, row } from '../links/link-steps.ts'
import { chooseFiles, readFiles, textFile } from '../uploads/upload-steps.ts'
import { button, type Confirmations, press, type World } from './one-press-steps.ts'

/** Creates everything that the forms change. */
export async function prepareForms(baseURL: string | undefined): Promise<World['ids']> {
  const call = asAdmin(baseURL)
  const plans = await addDirectory(baseURL, 'Plans', { 'a.txt': 'a' })
  const link = await addLink(baseURL, plans, { linkType: 'LINK_EDITABLE_DIRECTORY' })
  const asked = await addLink(baseURL, await addDirectory(baseURL, 'Asked'))
  await ask(baseURL, asked.key, 'time')
  const { data: globex } = await call('POST', '/v1/admin/company', { name: 'Globex' })
  await call('POST', '/v1/admin/user', { ...kim, company: globex.id, role: 'NEPTUNE_ADMIN' })
  await call('POST', '/v1/file/delete', { ids: [plans.ids['a.txt']] })
  return { plans: plans.id, link: link.key, code: link.accessCode, asked: asked.key }
}

const submit = ({ page }: World, name: string) => page.getByRole('button', { name, exact: true })

/** As a recipient: the code, an upload, its receipt, and the receipt by email. */
export const recipientForms: Confirmations = {
  'ask for a code': {
    path: ({ ids }) => `/access/${ids['link']}`,
    open: async (world) => {
      await press(world, 'Ask for a new code')
      await world.page.getByLabel('Who are you, and what do you need?').fill('Lee')
      return submit(world, 'Ask for a new code')
    },
    sends: ['POST /v1/ask'],
    expect: async ({ page, ids, call }) => {
      await expect(page.getByRole('status').filter({ hasText: thanks })).toBeVisible()
      const { data } = await call('GET', '/v1/ask')
      expect(data.filter(({ key }: { key: string }) => key === ids['link'])).toHaveLength(1)
    },
  },
  'enter the code': {
    path: ({ ids }) => `/access/${ids['link']}`,
    open: async (world) => {
      await world.page.getByPlaceholder('Access code').fill(world.ids['code'] ?? '')
      return submit(world, 'Access Directory')
    },
    sends: ['POST /v1/link/verify'],
    expect: ({ page }) => expect(page.getByRole('heading', { level: 1 })).toHaveText('Directory Section'),
  },
  upload: {
    open: async (world) => {
      await press(world, 'Upload file')
      await chooseFiles(world.page, [textFile('signed.txt', 'signed')])
      return button(world.page, 'Upload')
    },
    sends: ['POST /v1/upload', 'PATCH /v1/upload/{id}'],
    expect: async ({ page, baseURL, ids }) => {
      await expect(page.getByText('Received: 1 file, 6 B')).toBeVisible()
      expect(Object.keys(await readFiles(baseURL, ids['plans'] ?? ''))).toEqual(['signed.txt'])
    },
  },
  receipt: {
    open: async (world) => submit(world, 'Receipt'),
    sends: ['POST /v1/receipt'],
    expect: ({ page }) => expect(page).toHaveTitle('Receipt · Neptune'),
  },
  'send the receipt': {
    open: async (world) => {
      await world.page.getByLabel('E-mail address').fill('lee@initech.example')
      return submit(world, 'Send by email')
    },
    sends: ['POST /v1/receipt/{id}/email'],
    expect: ({ page }) => expect(page.getByText('This portal can’t send email yet.')).toBeVisible(),
  },
}

/** As staff: the buttons of pages and rows, and signing in and out. */
export const staffForms: Confirmations = {
  'forgotten password': {
    path: () => '/forgot',
    open: async (world) => {
      await world.page.getByLabel('E-mail address').fill(kim.email)
      return submit(world, 'Send email')
    },
    sends: ['POST /v1/identity/forgot'],
    expect: ({ page }) => expect(page.getByRole('status').filter({ hasText: 'is on its way' })).toBeVisible(),
  },
  'reset password': {
    open: async (world) => {
      const email = await readEmailTo(world.folder, kim.email)
      const [link] = /http\S+\/reset\/\S+/.exec(email?.text ?? '') ?? []
      await world.page.goto(link ?? '')
      await world.page.getByLabel('New password', { exact: true }).fill(admin.password)
      return submit(world, 'Set password')
    },
    sends: ['POST /v1/identity/reset'],
    expect: ({ page }) => expect(page.getByText('Your password has been changed.')).toBeVisible(),
  },
  'sign in': {
    path: () => '/login',
    open: async (world) => {
      await world.page.getByLabel('E-mail address').fill(kim.email)
      await world.page.getByLabel('Password', { exact: true }).fill(admin.password)
      return submit(world, 'Sign in')
    },
    sends: ['POST /v1/identity/login'],
    expect: ({ page }) => expect(page).toHaveURL(/\/dashboard$/),
  },
  'answer a request': {
    path: () => '/links',
    open: async (world) => submit(world, 'Give 30 more days: Asked'),
    sends: ['POST /v1/ask/{id}'],
    expect: ({ page }) => expect(row(page, 'Asked')).toContainText('in 60 days'),
  },
  'extend a link': {
    open: async ({ page }) => {
      await page.getByRole('button', { name: /^Plans/ }).click()
      return button(page, '30 more days')
    },
    sends: ['POST /v1/link/{id}/extend'],
    expect: async ({ page }) => {
      await expect(row(page, 'Plans')).toContainText('in 60 days')
      await page.keyboard.press('Escape')
    },
  },
  'restore from the trash': {
    path: () => '/trash',
    open: async (world) => submit(world, 'Restore a.txt'),
    sends: ['POST /v1/file/restore'],
    expect: ({ page }) => expect(page.getByText('Restored “a.txt”.')).toBeVisible(),
  },
  'change the password': {
    path: () => '/account',
    open: async (world) => {
      await world.page.getByLabel('Current password', { exact: true }).fill(admin.password)
      await world.page.getByLabel('New password', { exact: true }).fill(kim.password)
      return submit(world, 'Change password')
    },
    sends: ['PATCH /v1/identity/password'],
    expect: ({ page }) =>
      expect(page.getByText('Your password was changed. You’ve been signed out everywhere else.')).toBeVisible(),
  },
  'sign out everywhere': {
    open: async (world) => submit(world, 'Sign out everywhere'),
    sends: ['DELETE /v1/identity/session'],
    expect: ({ page }) => expect(page).toHaveURL(/\/login$/),
  },
}
