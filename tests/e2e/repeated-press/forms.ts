import { pretendMailServer } from '../../support/pretend-mail-server.ts'
import { readEmailTo } from '../../support/read-emails.ts'
import { requestSentMessage } from '../access/access-steps.ts'
import { addDirectory, admin, asAdmin, expect, kim, tableRow } from '../fixtures.ts'
import { addLink, askOwner } from '../links/link-steps.ts'
import { chooseFiles, readHashes, textFile } from '../uploads/upload-steps.ts'
import { type Confirmations, dialogButton, type PressContext, press } from './press-repeatedly.ts'

/** Creates everything that the forms change. */
export async function prepareForms(baseURL: string | undefined): Promise<PressContext['ids']> {
  const call = asAdmin(baseURL)
  const plans = await addDirectory(baseURL, 'Plans', { 'a.txt': 'a' })
  const link = await addLink(baseURL, plans, { linkType: 'LINK_EDITABLE_DIRECTORY' })
  const askedLink = await addLink(baseURL, await addDirectory(baseURL, 'Asked'))
  await askOwner(baseURL, askedLink.key, 'time')
  const { data: globex } = await call('POST', '/v1/admin/company', { name: 'Globex' })
  await call('POST', '/v1/admin/user', { ...kim, company: globex.id, role: 'NEPTUNE_ADMIN' })
  await call('POST', '/v1/file/delete', { ids: [plans.ids['a.txt']] })
  return { plans: plans.id, link: link.key, code: link.accessCode, asked: askedLink.key }
}

const submitButton = ({ page }: PressContext, name: string) => page.getByRole('button', { name, exact: true })

/** The forms of a recipient: a request for a new code, the code, an upload, its receipt, and the receipt by email. */
export const recipientForms: Confirmations = {
  'ask for a code': {
    path: ({ ids }) => `/access/${ids['link']}`,
    open: async (context) => {
      await press(context, 'Ask for a new code')
      await context.page.getByLabel('Who are you, and how can they reach you?').fill('Lee')
      return submitButton(context, 'Ask for a new code')
    },
    sends: ['POST /v1/ask'],
    expect: async ({ page, ids, call }) => {
      await expect(page.getByRole('status').filter({ hasText: requestSentMessage })).toBeVisible()
      const { data } = await call('GET', '/v1/ask')
      expect(data.filter(({ key }: { key: string }) => key === ids['link'])).toHaveLength(1)
    },
  },
  'enter the code': {
    path: ({ ids }) => `/access/${ids['link']}`,
    open: async (context) => {
      await context.page.getByPlaceholder('Access code').fill(context.ids['code'] ?? '')
      return submitButton(context, 'Access Directory')
    },
    sends: ['POST /v1/link/verify'],
    expect: ({ page }) => expect(page.getByRole('heading', { level: 1 })).toHaveText('Directory Section'),
  },
  upload: {
    open: async (context) => {
      await press(context, 'Upload file')
      await chooseFiles(context.page, [textFile('signed.txt', 'signed')])
      return dialogButton(context.page, 'Upload')
    },
    sends: ['POST /v1/upload', 'PATCH /v1/upload/{id}'],
    expect: async ({ page, baseURL, ids }) => {
      await expect(page.getByText('Received: 1 file, 6 B')).toBeVisible()
      expect(Object.keys(await readHashes(baseURL, ids['plans'] ?? ''))).toEqual(['signed.txt'])
    },
  },
  receipt: {
    open: async (context) => submitButton(context, 'Receipt'),
    sends: ['POST /v1/receipt'],
    expect: ({ page }) => expect(page).toHaveTitle('Receipt · Neptune'),
  },
  'send the receipt': {
    open: async (context) => {
      await context.page.getByLabel('E-mail address').fill('lee@initech.example')
      return submitButton(context, 'Send by email')
    },
    sends: ['POST /v1/receipt/{id}/email'],
    expect: ({ page }) => expect(page.getByText('This portal can’t send email yet.')).toBeVisible(),
  },
}

/** The forms of staff: the buttons of pages and rows, and signing in and out. */
export const staffForms: Confirmations = {
  'forgotten password': {
    open: async (context) => {
      await pretendMailServer(context.page)
      await context.page.goto('/forgot')
      await context.page.getByLabel('E-mail address').fill(kim.email)
      return submitButton(context, 'Send email')
    },
    sends: ['POST /v1/identity/forgot'],
    expect: ({ page }) => expect(page.getByRole('status').filter({ hasText: 'is on its way' })).toBeVisible(),
  },
  'reset password': {
    open: async (context) => {
      const email = await readEmailTo(context.folder, kim.email)
      const [link] = /http\S+\/reset\/\S+/.exec(email?.text ?? '') ?? []
      await context.page.goto(link ?? '')
      await context.page.getByLabel('New password', { exact: true }).fill(admin.password)
      return submitButton(context, 'Set password')
    },
    sends: ['POST /v1/identity/reset'],
    expect: ({ page }) => expect(page.getByText('Your password has been changed.')).toBeVisible(),
  },
  'accept invitation': {
    open: async (context) => {
      const { data } = await context.call('GET', '/v1/identity')
      const user = { name: 'Ada Lovelace', email: 'ada@acme.example', company: data.company, role: 'NEPTUNE_USER', invite: true }
      const { link } = await context.call('POST', '/v1/admin/user', user)
      await context.page.goto(link.url)
      await context.page.getByLabel('Password', { exact: true }).fill('analytical engine no 1')
      return submitButton(context, 'Accept invitation')
    },
    sends: ['POST /v1/identity/invitation'],
    expect: async ({ page }) => {
      await expect(page).toHaveURL(/\/dashboard$/)
      // Signs out without a request, so that the next form starts signed out.
      await page.context().clearCookies()
      await page.evaluate(() => sessionStorage.clear())
    },
  },
  'sign in': {
    path: () => '/login',
    open: async (context) => {
      await context.page.getByLabel('E-mail address').fill(kim.email)
      await context.page.getByLabel('Password', { exact: true }).fill(admin.password)
      return submitButton(context, 'Sign in')
    },
    sends: ['POST /v1/identity/login'],
    expect: ({ page }) => expect(page).toHaveURL(/\/dashboard$/),
  },
  'save settings': {
    path: () => '/settings/links',
    open: async (context) => {
      await context.page.getByLabel('New links expire after').fill('45')
      return submitButton(context, 'Save')
    },
    sends: ['PATCH /v1/admin/settings/links'],
    expect: ({ page }) => expect(page.getByText('Your changes are saved and in effect.')).toBeVisible(),
  },
  'send a test email': {
    path: () => '/settings/email',
    open: async (context) => submitButton(context, 'Send test email'),
    sends: ['POST /v1/admin/mail/test'],
    expect: ({ page }) => expect(page.getByText('was not sent.')).toBeVisible(),
  },
  'answer a request': {
    path: () => '/links',
    open: async (context) => submitButton(context, 'Give 30 more days: Asked'),
    sends: ['POST /v1/ask/{id}'],
    expect: ({ page }) => expect(tableRow(page, 'Asked')).toContainText('in 60 days'),
  },
  'extend a link': {
    open: async ({ page }) => {
      await page.getByRole('button', { name: /^Plans/ }).click()
      return dialogButton(page, '30 more days')
    },
    sends: ['POST /v1/link/{id}/extend'],
    expect: async ({ page }) => {
      await expect(tableRow(page, 'Plans')).toContainText('in 60 days')
      await page.keyboard.press('Escape')
    },
  },
  'restore from the trash': {
    path: () => '/trash',
    open: async (context) => submitButton(context, 'Restore a.txt'),
    sends: ['POST /v1/file/restore'],
    expect: ({ page }) => expect(page.getByText('Restored “a.txt”.')).toBeVisible(),
  },
  'change the password': {
    path: () => '/account',
    open: async (context) => {
      await context.page.getByLabel('Current password', { exact: true }).fill(admin.password)
      await context.page.getByLabel('New password', { exact: true }).fill(kim.password)
      return submitButton(context, 'Change password')
    },
    sends: ['PATCH /v1/identity/password'],
    expect: ({ page }) =>
      expect(page.getByText('Your password was changed. You’ve been signed out everywhere else.')).toBeVisible(),
  },
  'sign out everywhere': {
    open: async (context) => submitButton(context, 'Sign out everywhere'),
    sends: ['DELETE /v1/identity/session'],
    expect: ({ page }) => expect(page).toHaveURL(/\/login$/),
  },
}
