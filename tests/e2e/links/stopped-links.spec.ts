import type { Page } from '@playwright/test'
import type { makeServerClock } from '../../support/server-clock.ts'
import {
  codeField,
  codeScreenTitle,
  expiredMessage,
  heading,
  makeWrongCode,
  refocusWindow,
  submitCode,
} from '../access/access-steps.ts'
import { asBearer } from '../calls.ts'
import {
  addCompanyWithUser,
  addDirectory,
  asAdmin,
  expect,
  kim,
  openAsAdmin,
  signInInNewContext,
  tableRow,
  test,
} from '../fixtures.ts'
import { lee } from '../people/user-steps.ts'
import { addFileLink, linkNames } from './link-steps.ts'

const unavailableMessage = 'This link isn’t available right now. Try again later, or ask the person who sent it to you.'
const wrongCodeMessage = 'That code doesn’t match. Check it, or ask the sender for a new one.'

const hourMs = 60 * 60_000

test.use({ hasServerClock: true })

/** Creates a link to a file of Globex, where Lee works. Its owner, Kim, works at Keller and has access to Globex. */
async function addKimsFileLink(baseURL: string | undefined) {
  const call = asAdmin(baseURL)
  const { id: kimId, company: keller } = await addCompanyWithUser(baseURL, 'Keller', kim)
  const { id: leeId, company } = await addCompanyWithUser(baseURL, 'Globex', lee)
  await call('PATCH', `/v1/admin/user/${kimId}/access`, { access: 'selected', companies: [company] })
  const { token } = await asBearer(baseURL)('POST', '/v1/identity/login', { email: kim.email, password: kim.password })
  const directory = await addDirectory(baseURL, 'Plans', { 'Offer.txt': 'an offer' }, company)
  const link = await addFileLink(baseURL, directory.id, 'Offer.txt', { lifetimeMs: hourMs, call: asBearer(baseURL, token) })
  return { call, kimId, leeId, keller, company, directory: directory.id, ...link }
}

type KimsFileLink = Awaited<ReturnType<typeof addKimsFileLink>> & { clock: ReturnType<typeof makeServerClock> }

interface StopCase {
  stop: (setup: KimsFileLink) => Promise<unknown>
  badge: string
  filter?: string
  reason: string
  /** Why its details can’t be sent, if not for the same reason. */
  sendReason?: string
  /** What a recipient with the right code sees. */
  message?: string
  /** The button that makes the link work again, and what is announced then. */
  fixButton: string
  toast?: string
  confirm?: (page: Page) => Promise<unknown>
  /** Whether the test is tagged `@slow`, so that `npm test` leaves it out. */
  isSlow?: boolean
}

const handOver = {
  fixButton: 'Hand over',
  confirm: async (page: Page) => {
    await page.getByRole('radio', { name: 'Lee Park' }).check()
    await page.getByRole('button', { name: 'Hand over' }).click()
  },
}

const expired = {
  badge: 'Expired',
  reason: 'Anyone who opens the link sees that it has expired.',
  sendReason: 'The link has expired. Extend it first.',
  message: expiredMessage,
  fixButton: '30 more days',
  toast: '“Offer.txt” is open until ',
}

const stopCases: Record<string, StopCase> = {
  'its file is deleted': {
    stop: ({ call, id }) => call('DELETE', `/v1/file/${id}`),
    badge: 'File deleted',
    filter: 'File deleted or replaced',
    reason: 'The link doesn’t work while its file is in the trash.',
    fixButton: 'Restore file',
    isSlow: true,
  },
  'its file is deleted, and another one has its name': {
    stop: async ({ call, directory, id }) => {
      const form = new FormData()
      form.set('file', new Blob(['a new offer']), 'file')
      await call('DELETE', `/v1/file/${id}`)
      return call('PUT', `/v1/file/${directory}/Offer.txt`, form)
    },
    badge: 'File replaced',
    filter: 'File deleted or replaced',
    reason: 'The link doesn’t work because its file was replaced.',
    fixButton: 'Restore file',
    toast: 'The link to “Offer (1).txt” works again.',
    isSlow: true,
  },
  'its directory is deleted': {
    stop: ({ call, directory }) => call('DELETE', `/v1/directory/${directory}`),
    badge: 'Directory deleted',
    reason: 'The link doesn’t work while its directory is in the trash.',
    fixButton: 'Restore directory',
    isSlow: true,
  },
  'its owner is suspended': {
    stop: ({ call, kimId }) => call('POST', `/v1/admin/user/${kimId}/suspend`),
    badge: 'Owner suspended',
    reason: 'The link doesn’t work while its owner, Kim Doe, can’t sign in.',
    fixButton: 'Restore Kim Doe',
    toast: 'Kim Doe can sign in again, and their links work again.',
  },
  'its owner is suspended, and someone else takes it over': {
    stop: ({ call, kimId }) => call('POST', `/v1/admin/user/${kimId}/suspend`),
    badge: 'Owner suspended',
    reason: 'The link doesn’t work while its owner, Kim Doe, can’t sign in.',
    ...handOver,
    isSlow: true,
  },
  'its owner loses access': {
    stop: ({ call, kimId }) => call('PATCH', `/v1/admin/user/${kimId}/access`, { access: 'own' }),
    badge: 'Owner has no access',
    reason: 'The link doesn’t work because its owner, Kim Doe, has no access to Globex.',
    ...handOver,
    isSlow: true,
  },
  'the company of its owner is archived': {
    stop: ({ call, keller }) => call('POST', `/v1/admin/company/${keller}/archive`),
    badge: 'Owner suspended',
    reason: 'The link doesn’t work while the company of its owner, Kim Doe, is archived.',
    ...handOver,
    isSlow: true,
  },
  'its owner is removed': {
    stop: ({ call, kimId }) => call('POST', `/v1/admin/user/${kimId}/remove`, { closeLinks: true }),
    ...expired,
    isSlow: true,
  },
  'it has expired': { stop: async ({ clock }) => clock.setAhead(hourMs), ...expired, isSlow: true },
  'its company is archived': {
    stop: ({ call, company }) => call('POST', `/v1/admin/company/${company}/archive`),
    badge: 'Company archived',
    reason: 'The link doesn’t work while Globex is archived.',
    fixButton: 'Restore company',
    isSlow: true,
  },
}

for (const [name, stopCase] of Object.entries(stopCases)) {
  const { stop, badge, filter = badge, reason, message = unavailableMessage, fixButton, toast, confirm } = stopCase
  const { sendReason = reason } = stopCase
  const tag = stopCase.isSlow ? ['@slow'] : []
  test(`shows staff why a link stopped, tells only recipients with the right code that it did, and fixes it: ${name}`, {
    tag,
  }, async ({ page, browser, baseURL, serverClock }) => {
    const setup = { ...(await addKimsFileLink(baseURL)), clock: serverClock }
    const visitor = await (await browser.newContext({ ...(baseURL && { baseURL }) })).newPage()
    await visitor.goto(`/access/${setup.key}`)
    await submitCode(visitor, setup.accessCode)
    await expect(visitor.getByText('Offer.txt').first()).toBeVisible()
    await stop(setup)
    // The open visit ends, without saying why.
    await refocusWindow(visitor)
    await expect(
      visitor.getByText(/This is no longer available\.|isn’t available right now\.|access to this link has ended\./).first(),
    ).toBeVisible()
    await visitor.evaluate(() => sessionStorage.clear())
    await visitor.goto(`/access/${setup.key}`)
    await submitCode(visitor, makeWrongCode(setup.accessCode))
    await expect(visitor.getByRole('alert')).toHaveText(wrongCodeMessage)
    await submitCode(visitor, setup.accessCode)
    await expect(visitor.getByRole('alert')).toHaveText(message)
    await expect(heading(visitor)).toHaveText(codeScreenTitle)
    await expect(codeField(visitor)).toBeFocused()

    await openAsAdmin(page, '/links')
    await expect(tableRow(page, 'Offer.txt')).toContainText(`${badge}. ${reason}`)
    await page.getByLabel('State').selectOption('Active')
    await expect(page.getByText('No link matches these filters.')).toBeVisible()
    await page.getByLabel('State').selectOption(filter)
    await linkNames(page).getByText('Offer.txt').click()
    const dialog = page.getByRole('dialog', { name: /^Offer/ })
    await expect(dialog.getByRole('list', { name: 'Why it doesn’t work' }).getByRole('listitem')).toContainText([reason])
    const sendButton = dialog.getByRole('button', { name: 'Send link details' })
    await expect(sendButton).toHaveAccessibleDescription(new RegExp(`^${sendReason}`))
    await dialog.getByRole('button', { name: fixButton }).click()
    await confirm?.(page)
    if (toast) await expect(page.getByText(toast)).toBeVisible()
    await expect(page.getByText('No link matches these filters.')).toBeAttached()
    await submitCode(visitor, setup.accessCode)
    await expect(visitor.getByText(/Offer.*\.txt/).first()).toBeVisible()
  })
}

test('shows a colleague why a link stopped, with only the fixes they may apply', { tag: '@slow' }, async ({
  browser,
  baseURL,
}) => {
  const setup = await addKimsFileLink(baseURL)
  await setup.call('POST', `/v1/admin/user/${setup.kimId}/suspend`)
  await setup.call('DELETE', `/v1/file/${setup.id}`)
  const page = await signInInNewContext(browser, baseURL, lee)
  await page.goto('/links')
  await expect(tableRow(page, 'Offer.txt')).toContainText('File deleted')
  await linkNames(page).getByText('Offer.txt').click()
  const reasons = page.getByRole('list', { name: 'Why it doesn’t work' }).getByRole('listitem')
  await expect(reasons).toHaveText([/its file is in the trash\.Restore file$/, /its owner, Kim Doe, can’t sign in\.$/])
  await page.getByRole('button', { name: 'Restore file' }).click()
  await expect(reasons).toHaveText([/its owner, Kim Doe, can’t sign in\./])
  const activity = page.getByRole('dialog', { name: /^Offer/ })
  await expect(activity).toContainText('If you extend it or reset its code, you become its owner.')
  await activity.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Reset access code' }).click()
  const reset = page.getByRole('dialog', { name: 'Reset Shareable Link' })
  await expect(reset).toContainText('You become its owner, because Kim Doe can’t sign in or has no access.')
  await expect(reset).not.toContainText('doesn’t work')
  await reset.getByRole('button', { name: 'Reset Link' }).click()
  await expect(reset).toBeHidden()
  const { data } = await setup.call('GET', `/v1/link/${setup.key}/info`)
  expect([data.state, data.maker]).toEqual(['expiring', lee.name])
})
