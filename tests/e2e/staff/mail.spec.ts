import type { MailRow } from '@neptune/contract'
import type { Page } from '@playwright/test'
import { readEmails } from '../../support/read-emails.ts'
import { expectClean, extraLooks } from '../expect-clean.ts'
import { addCompanyWithUser, addDirectory, admin, expect, kim, openAsAdmin, signIn, test } from '../fixtures.ts'
import { addLink, askOwner, openLinks } from '../links/link-steps.ts'
import { stopClock } from '../timers.ts'

test('lets an admin send a test email and shows its delivery', async ({ page, neptune }) => {
  await openAsAdmin(page, '/dashboard')
  await page.getByRole('button', { name: /Administrator/ }).click()
  await page.getByRole('menuitem', { name: 'Email' }).click()
  await expect(page).toHaveTitle('Email · Neptune')
  await expect(page.getByText('No mail server is set up, so emails are saved on the server')).toBeVisible()
  await expect(page.getByText('No emails yet.')).toBeVisible()

  await page.getByRole('button', { name: 'Send a test email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send a test email' })
  await expect(dialog.getByLabel('E-mail address')).toHaveValue(admin.email)
  await dialog.getByRole('button', { name: 'Send test email' }).click()
  await expect(dialog).toBeHidden()
  await expect(
    page.getByText(`No mail server is set up: the test email to ${admin.email} was saved on the server.`),
  ).toBeVisible()
  await expect(row(page, admin.email)).toContainText(/Test email.*Saved as a file.*(just now|min ago)/)
  const [email] = await readEmails(neptune.folder, 1)
  expect(email).toMatchObject({ to: admin.email, subject: 'Test email from Neptune' })
  expect(email?.text).toContain('This is a test email.')
})

test('shows a test email’s errors in its dialog', { tag: '@slow' }, async ({ page }) => {
  await openMail(page)
  await page.getByRole('button', { name: 'Send a test email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send a test email' })
  const to = dialog.getByLabel('E-mail address')
  const send = dialog.getByRole('button', { name: 'Send test email' })
  await to.fill('')
  await send.click()
  await expect(to).toHaveAccessibleDescription('Enter an email address.')
  await to.fill('kim, lee@acme.example')
  await send.click()
  await expect(to).toHaveAccessibleDescription(/must be an email address/)
  const detail = 'Too many emails in a short time. Try again later.'
  const problem = { type: 'about:blank', title: '', status: 429, code: 'mail.too_many', detail }
  await page.route('**/v1/admin/mail/test', (route) =>
    route.fulfill({ status: 429, json: problem, contentType: 'application/problem+json' }),
  )
  await to.fill('kim@acme.example')
  await send.click()
  await expect(dialog.getByRole('group', { name: detail })).toBeFocused()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toBeHidden()
})

test('hides Email from users who are not admins, and explains it on the page', { tag: '@slow' }, async ({ page, baseURL }) => {
  await addCompanyWithUser(baseURL, 'Globex', kim)
  await page.goto('/login')
  await signIn(page, kim)
  await page.getByRole('button', { name: 'Account of Kim Doe' }).click()
  await expect(page.getByRole('menuitem', { name: 'Account' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Email' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  const requests: string[] = []
  page.on('request', (request) => request.url().includes('/v1/admin/mail') && requests.push(request.url()))
  await page.goto('/mail')
  await expect(page.getByText('Your role doesn’t allow this. Ask an administrator.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send a test email' })).toHaveCount(0)
  expect(requests).toEqual([])
})

test.describe('with an unreachable mail server', () => {
  test.use({ settings: { SMTP_URL: 'smtp://127.0.0.1:9' } })

  test('queues an email, and shows the error and the time of the next attempt', { tag: '@slow' }, async ({ page }) => {
    await openMail(page)
    await expect(page.getByText('Emails are sent through your mail server.')).toBeVisible()
    await page.getByRole('button', { name: 'Send a test email' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send test email' }).click()
    await expect(page.getByText(`A test email is on its way to ${admin.email}.`)).toBeVisible()
    await expect(row(page, admin.email)).toContainText(/Waiting.*ECONNREFUSED.*Next attempt in less than a minute\./)
  })

  test('reports link details and new codes as on their way', { tag: '@slow' }, async ({ page, baseURL }) => {
    const { key } = await addLink(baseURL, await addDirectory(baseURL, 'Plans'))
    await openLinks(page)
    await page.getByRole('checkbox', { name: 'Select Plans' }).check()
    await page.getByRole('button', { name: 'Send link details' }).click()
    await page.getByRole('dialog').getByLabel('Target e-mail').fill('lee@initech.example')
    await page.getByRole('dialog').getByRole('button', { name: 'Send Details' }).click()
    await expect(page.getByText('The link details are on their way to lee@initech.example.')).toBeVisible()
    await askOwner(baseURL, key, 'code')
    await page.reload()
    await page.getByRole('button', { name: 'Send a new code: Plans' }).click()
    await expect(page.getByRole('dialog')).toContainText(/goes to lee@initech\.example.*someone else asked/)
    await page.getByRole('dialog').getByRole('button', { name: 'Send a new code' }).click()
    await expect(page.getByText('A new code is on its way to lee@initech.example.')).toBeVisible()
  })
})

test('resends a failed email from its button, shows why another can’t be resent, and offers no button for an obsolete one', {
  tag: '@slow',
}, async ({ page }) => {
  const obsolete = { id: 'obsolete', to: 'obsolete@x.example', letter: 'password_reset' } as const
  const emails = [...makeEmailInEachState(), makeEmail({ ...obsolete, state: 'failed', problem: 'The link no longer works.' })]
  await respondWithEmails(page, emails)
  await openMail(page)
  await expect(page.getByRole('button', { name: /^Send again/ })).toHaveCount(2)
  await expect(row(page, 'unconfirmed@x.example')).toContainText('It may have arrived. Send it again only if it didn’t.')
  await expect(row(page, 'failed@x.example')).toContainText('550 No such mailbox')
  await expect(row(page, 'obsolete@x.example')).toContainText('The link no longer works.')
  let isResent = false
  await page.route('**/v1/admin/mail/failed/again', (route) => {
    isResent = true
    const email = emails.find(({ id }) => id === 'failed')
    if (email) Object.assign(email, { state: 'sent', problem: null, can_repeat: false })
    return route.fulfill({ json: { data: email } })
  })
  await page.getByRole('button', { name: 'Send again to failed@x.example' }).press('Enter')
  await expect(row(page, 'failed@x.example')).toContainText('Sent')
  await expect(row(page, 'failed@x.example')).toBeFocused() // because its button is gone
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Send again to unconfirmed@x.example' })).toBeFocused()
  expect(isResent).toBe(true)
  await expect(page.getByText('The email to failed@x.example will be sent again.')).toBeVisible()
  const detail = 'This email can’t be sent again. It was already sent, is about to be sent, or has expired.'
  const problem = { type: 'about:blank', title: '', status: 409, code: 'mail.not_repeatable', detail }
  await page.route('**/v1/admin/mail/unconfirmed/again', (route) =>
    route.fulfill({ status: 409, json: problem, contentType: 'application/problem+json' }),
  )
  await page.getByRole('button', { name: 'Send again to unconfirmed@x.example' }).click()
  await expect(page.getByText(detail)).toBeVisible()
})

test('highlights an email that waits because of an error', { tag: '@slow' }, async ({ page }) => {
  const withError = makeEmailInEachState().filter(({ state }) => state === 'waiting')
  const withoutError = withError.map((email) => ({ ...email, id: 'new', to: 'new@x.example', tries: 0, problem: null }))
  await respondWithEmails(page, [...withError, ...withoutError])
  await openMail(page)
  const readColor = (to: string) =>
    row(page, to)
      .getByText('Waiting', { exact: true })
      .evaluate((badge) => getComputedStyle(badge).backgroundColor)
  await expect(row(page, 'new@x.example')).toBeVisible()
  expect(await readColor('waiting@x.example')).not.toBe(await readColor('new@x.example'))
})

test('refreshes every 3 seconds while an email is being sent, and otherwise every 15', { tag: '@slow' }, async ({ page }) => {
  await page.clock.install()
  const emails = makeEmailInEachState().filter(({ state }) => state === 'sending' || state === 'sent')
  let callCount = 0
  await respondWithEmails(page, emails, () => callCount++)
  await openMail(page)
  await expect(row(page, 'sending@x.example')).toContainText('Sending')
  await stopClock(page)
  // The page shows a response in a zero-delay timer, so the clock has to advance a little.
  const expectState = (state: string) =>
    expect
      .poll(async () => {
        await page.clock.runFor(1)
        return row(page, 'sending@x.example').textContent()
      })
      .toContain(state)
  await expectState('Sending')
  for (const email of emails) email.state = 'sent'
  await page.clock.runFor(3000)
  await expectState('Sent')
  const before = callCount
  await page.clock.runFor(9000)
  expect(callCount).toBe(before)
  for (const email of emails) email.state = 'failed'
  await page.clock.runFor(6000)
  await expectState('Failed')
  expect(callCount).toBe(before + 1)
})

test('keeps search, state and sort order in the URL', { tag: '@slow' }, async ({ page, request, baseURL }) => {
  await addCompanyWithUser(baseURL, 'Globex', kim)
  for (const email of [admin.email, kim.email]) await request.post('/v1/identity/forgot', { data: { email } })
  await openMail(page)
  await expect(recipients(page)).toHaveText([kim.email, admin.email])
  await page.getByRole('columnheader', { name: 'Created' }).getByRole('button').click()
  await expect(page).toHaveURL(/sort=created_at/)
  await expect(recipients(page)).toHaveText([admin.email, kim.email])
  await page.getByLabel('Search by email address').fill('kim')
  await expect(recipients(page)).toHaveText([kim.email])
  await expect(row(page, kim.email)).toContainText(/New password.*Saved as a file/)
  await page.getByLabel('State').selectOption('Saved as a file')
  await expect(page).toHaveURL(/state=saved/)
  await page.reload()
  await expect(recipients(page)).toHaveText([kim.email])
  await expect(page.getByLabel('Search by email address')).toHaveValue('kim')
  await expect(page.getByLabel('State').locator('option:checked')).toHaveText('Saved as a file')
  await page.getByLabel('State').selectOption('Failed')
  await expect(page.getByText('No email matches “kim”.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter')
  await expect(page.getByLabel('Search by email address')).toBeFocused()
  await expect(page).toHaveURL(/\/mail$/)
  await expect(recipients(page)).toHaveCount(2)
})

for (const { colorScheme, width } of extraLooks) {
  test.describe(`${colorScheme}, ${width} wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 844 } })

    test('passes axe on the page and in its dialog without scrolling horizontally', async ({ page }) => {
      await openMail(page)
      await expect(page.getByText('No emails yet.')).toBeVisible()
      await expectClean(page, 'no emails')
      await respondWithEmails(page, makeEmailInEachState())
      await page.reload()
      await expect(recipients(page)).toHaveCount(makeEmailInEachState().length)
      await expectClean(page, 'emails in every state')
      await page.getByRole('button', { name: 'Send a test email' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectClean(page, 'the dialog')
    })
  })
}

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

const recipients = (page: Page) => page.getByRole('table', { name: 'Emails' }).locator('tbody tr td:first-child')

async function openMail(page: Page) {
  await openAsAdmin(page, '/mail')
  await expect(page.getByRole('heading', { level: 1, name: 'Email' })).toBeVisible()
}

/** Responds to list requests with these emails, in their current state. */
const respondWithEmails = (page: Page, emails: MailRow[], onCall = () => {}) =>
  page.route('**/v1/admin/mail?*', (route) => {
    onCall()
    return route.fulfill({ json: { data: emails, next: null, way: 'smtp' } })
  })

/** Returns an email in each state, sent to an address named after the state. */
function makeEmailInEachState(): MailRow[] {
  const detailsByState: Record<MailRow['state'], Partial<MailRow>> = {
    waiting: { problem: 'connect ECONNREFUSED 127.0.0.1:9', next_at: new Date(Date.now() + 300_000).toISOString() },
    sending: { letter: 'password_reset' },
    sent: { letter: 'password_changed', created_at: '2026-12-03T14:05:00.000Z' },
    saved: {},
    failed: { problem: '550 No such mailbox', can_repeat: true },
    unconfirmed: { problem: 'Neptune was stopped before the mail server answered.', can_repeat: true },
  }
  return Object.entries(detailsByState).map(([state, details]) =>
    makeEmail({ ...details, id: state, state: state as MailRow['state'], to: `${state}@x.example` }),
  )
}

function makeEmail(details: Pick<MailRow, 'id' | 'state' | 'to'> & Partial<MailRow>): MailRow {
  const created_at = new Date().toISOString()
  return { letter: 'test', created_at, tries: 1, next_at: null, sent_at: null, can_repeat: false, problem: null, ...details }
}
