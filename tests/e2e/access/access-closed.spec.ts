import { expectClean } from '../expect-clean.ts'
import { asAdmin, expect, openAsAdmin, test } from '../fixtures.ts'
import { chooseFiles, removeFilePicker, textFile, uploadDialog } from '../uploads/upload-steps.ts'
import {
  accessButton,
  accessEndedMessage,
  addSharedLink,
  codeField,
  codeScreenTitle,
  expiredMessage,
  heading,
  makeWrongCode,
  openSharedLink,
  refocusWindow,
  requestSentMessage,
  resetLink,
  submitCode,
} from './access-steps.ts'

const minuteMs = 60_000
const wrongCodeMessage = 'That code doesn’t match. Check it, or ask the sender for a new one.'
const inTenMinutes = () => new Date(Date.now() + 10 * minuteMs).toISOString()

test.use({ hasServerClock: true })

test('rejects a mistyped code without sending it, reports a wrong code, and limits the number of attempts', async ({
  page,
  baseURL,
  serverClock,
}) => {
  const link = await addSharedLink(baseURL)
  const sent: string[] = []
  page.on('request', (request) => request.url().endsWith('/verify') && sent.push(request.url()))
  await page.goto(`/access/${link.key}`)
  for (const [typed, message] of [
    ['', 'Enter the access code.'],
    [link.code.slice(1), 'A code has 12 letters and digits. This one has 11.'],
    [`${link.code.slice(0, -1)}!`, 'That code has a typo. Compare it with the one you received.'],
  ] as const) {
    await codeField(page).fill(typed)
    await codeField(page).press('Enter')
    await expect(page.getByRole('alert')).toHaveText(message)
    await expect(codeField(page)).toHaveAccessibleDescription(message)
    await expect(codeField(page)).toBeFocused()
  }
  expect(sent).toEqual([])

  for (let attempt = 1; attempt <= 10; attempt++) {
    await submitCode(page, makeWrongCode(link.code))
    await expect.poll(() => sent.length).toBe(attempt)
    await expect(accessButton(page)).not.toHaveAttribute('aria-busy')
    await expect(page.getByRole('alert')).toHaveText(wrongCodeMessage)
  }
  await expect(codeField(page)).toHaveAccessibleDescription(wrongCodeMessage)
  await expect(codeField(page)).toBeFocused()
  await submitCode(page, link.code)
  await expect(page.getByRole('alert')).toHaveText(/^Too many attempts\. Try again in \d+ minutes\.$/)
  await expect(heading(page)).toHaveText(codeScreenTitle)

  // The link itself works: staff see it as active, with the attempts, and the recipient gets in later.
  const call = asAdmin(baseURL)
  expect((await call('GET', '/v1/link?state=active')).data).toMatchObject([{ key: link.key, reasons: [] }])
  await openAsAdmin(page, `/activity?link=${link.key}`)
  const rows = page.getByRole('table', { name: 'Activity' }).getByRole('row')
  await expect(rows.filter({ hasText: 'Wrong access code for a link' }).first()).toBeVisible()
  serverClock.setAhead(16 * minuteMs)
  await openSharedLink(page, link)
  await expect(page.getByText('No files here yet.')).toBeVisible()
})

test('reports an expired link, stays on the code screen, and lets the recipient ask for more time or a new code', async ({
  page,
  baseURL,
  serverClock,
}) => {
  const link = await addSharedLink(baseURL, 'LINK_DIRECTORY', { expiry: inTenMinutes() })
  await page.goto(`/access/${link.key}`)
  await expect(accessButton(page)).toBeVisible()
  serverClock.setAhead(11 * minuteMs)
  await submitCode(page, link.code)
  await expect(page.getByRole('alert')).toHaveText(expiredMessage)
  await expect(heading(page)).toHaveText(codeScreenTitle)
  await expect(codeField(page)).toBeFocused()

  await codeField(page).press('Shift+Tab') // the offer comes before the code
  await expect(page.getByRole('button', { name: 'Ask for more time' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Who are you, and how can they reach you?')).toBeFocused()
  await page.getByLabel('Who are you, and how can they reach you?').fill('Kim of Globex\nuntil Friday')
  await page.getByRole('button', { name: 'Ask for more time' }).click()
  const sent = page.getByRole('status').filter({ hasText: requestSentMessage })
  await expect(sent).toBeFocused()
  await expect(sent).toContainText('the link opens again with the same code')
  await expect(sent).toContainText('contact you the way you asked')
  const { data } = await asAdmin(baseURL)('GET', '/v1/ask')
  expect(data).toMatchObject([{ key: link.key, wants: 'time', message: 'Kim of Globex until Friday' }])

  for (let attempt = 1; attempt <= 5; attempt++) {
    await page.getByRole('button', { name: 'Back to the access code' }).click()
    await page.getByRole('button', { name: 'Ask for a new code' }).click()
    await page.getByRole('button', { name: 'Ask for a new code' }).click()
    if (attempt < 5) await expect(page.getByText(requestSentMessage)).toBeVisible()
  }
  await expect(page.getByRole('alert')).toHaveText(/^Too many attempts\. Try again in \d+ minutes\.$/)
})

test('reports an unknown or deleted link, and offers to retry when the server cannot be reached', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  await page.goto('/access/7YqfT0pEXAMPLEc3K7YqfT')
  await expect(heading(page)).toHaveText('Link not found.')
  await expect(page.getByText('ask the sender for a new link')).toBeVisible()
  await expect(page.getByText('It was deleted, or the address is incomplete.')).toBeVisible()

  const link = await addSharedLink(baseURL)
  await page.route('**/v1/link/**', (route) => route.abort())
  await page.goto(`/access/${link.key}`)
  await expect(page.getByText('Neptune cannot be reached.')).toBeVisible()
  await page.unroute('**/v1/link/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(accessButton(page)).toBeVisible()
  await page.route('**/v1/link/verify', (route) => route.abort())
  await submitCode(page, link.code)
  await expect(page.getByRole('alert')).toHaveText(/Neptune cannot be reached/)
  await expect(codeField(page)).toHaveValue(link.code)

  await page.goto(`/access/${link.key.slice(0, -1)}`)
  await expect(heading(page)).toHaveText('Link not found.')
  await expect(page.getByText('The end of the address is missing.')).toBeVisible()
  await asAdmin(baseURL)('DELETE', `/v1/link/${link.key}`)
  await page.goto(`/access/${link.key}`)
  await expect(heading(page)).toHaveText('Link not found.')
})

test('closes an open list when the link is reset or deleted, and shows the list again when its directory is restored', {
  tag: '@slow',
}, async ({ page, baseURL }) => {
  await page.clock.install()
  const link = await addSharedLink(baseURL, 'LINK_DIRECTORY', { files: { 'Offer.pdf': 'an offer' } })
  const call = asAdmin(baseURL)
  await openSharedLink(page, link)
  await expect(page.getByText('Offer.pdf')).toBeVisible()

  await call('DELETE', `/v1/directory/${link.directory}`)
  await refocusWindow(page)
  await expect(heading(page)).toHaveText('This is no longer available.')
  await expect(page.getByText('Offer.pdf')).toHaveCount(0)
  await call('POST', `/v1/directory/${link.directory}/restore`)
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByText('Offer.pdf')).toBeVisible()

  const oldCode = link.code
  link.code = await resetLink(baseURL, link)
  await page.getByRole('searchbox').fill('any')
  await page.clock.runFor(1000)
  await expect(page.getByRole('alert')).toHaveText(accessEndedMessage)
  await expect(page.getByText('Offer.pdf')).toHaveCount(0)
  await expect(codeField(page)).toBeFocused()
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  await page.getByRole('button', { name: 'Ask for more time' }).click()
  await page.getByRole('button', { name: 'Back to the access code' }).click()
  await expect(page.getByRole('button', { name: 'Ask for a new code' })).toBeVisible()

  await submitCode(page, oldCode)
  await expect(page.getByRole('alert')).toHaveText(wrongCodeMessage)
  await submitCode(page, link.code)
  await expect(page.getByText('Offer.pdf')).toBeVisible()
  await resetLink(baseURL, link)
  await page.clock.runFor(31_000) // without any user input
  await expect(page.getByRole('alert')).toHaveText(accessEndedMessage)

  link.code = await resetLink(baseURL, link)
  await submitCode(page, link.code)
  await expect(page.getByText('Offer.pdf')).toBeVisible()
  await call('DELETE', `/v1/link/${link.key}`)
  await refocusWindow(page)
  await expect(heading(page)).toHaveText('Link not found.')
})

test('closes an open directory at the moment the link expires, names the files that were not uploaded, and offers more time before and after', {
  tag: '@slow',
}, async ({ page, baseURL, serverClock }) => {
  await page.clock.install()
  await removeFilePicker(page)
  const link = await addSharedLink(baseURL, 'LINK_EDITABLE_DIRECTORY', { expiry: inTenMinutes() })
  await openSharedLink(page, link)
  await expect(page.getByText('No files here yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Ask for more time' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ask for more time' })
  await dialog.getByLabel('Who are you, and how can they reach you?').fill('Kim, 0123')
  await expectClean(page, 'asking before the link expires')
  await dialog.getByRole('button', { name: 'Send request' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'You asked Administrator for more time.' })).toBeFocused()
  const { data } = await asAdmin(baseURL)('GET', '/v1/ask')
  expect(data).toMatchObject([{ key: link.key, wants: 'time', message: 'Kim, 0123' }])
  await page.route('**/v1/upload/*', () => undefined) // never answered
  await page.getByRole('button', { name: 'Upload file' }).click()
  const upload = page.waitForRequest('**/v1/upload/*')
  await chooseFiles(page, [textFile('Film.mp4', 'a film')])
  await uploadDialog(page).getByRole('button', { name: 'Upload', exact: true }).click()
  await upload
  serverClock.setAhead(11 * minuteMs)
  await page.clock.fastForward(11 * minuteMs)
  await expect(page.getByRole('alert')).toHaveText(expiredMessage)
  await expect(page.getByText('Not uploaded completely:')).toBeVisible()
  await expect(page.getByText('Film.mp4')).toBeVisible()
  await expectClean(page, 'expired')
  await page.getByRole('button', { name: 'Ask for more time' }).click()
  await page.getByRole('button', { name: 'Back to the access code' }).click()
  await submitCode(page, link.code)
  await expect(page.getByRole('alert')).toHaveText(expiredMessage)
})
