import { asBearer } from '../calls.ts'
import { addCompanyWithUser, addDirectory, asAdmin, expect, kim, openAsAdmin, test } from '../fixtures.ts'
import { addLink } from '../links/link-steps.ts'
import { codeField, makeWrongCode, refocusWindow, submitCode } from './access-steps.ts'

const unavailableMessage = 'This link isn’t available right now. Try again later, or ask the person who sent it to you.'

/** Creates a link of Kim’s. Returns it with a function that pauses it by suspending her. */
async function addLinkOfKim(baseURL: string | undefined) {
  const { id, company } = await addCompanyWithUser(baseURL, 'Globex', kim)
  const { token } = await asBearer(baseURL)('POST', '/v1/identity/login', { email: kim.email, password: kim.password })
  const asKim = asBearer(baseURL, token)
  const link = await addLink(baseURL, await addDirectory(baseURL, 'Plans', {}, company), { call: asKim })
  return { ...link, pause: () => asAdmin(baseURL)('POST', `/v1/admin/user/${id}/suspend`) }
}

test('reports a paused link only after the right code, and logs the reason in the activity', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const { key, accessCode, pause } = await addLinkOfKim(baseURL)
  await pause()
  await page.goto(`/access/${key}`)
  await submitCode(page, makeWrongCode(accessCode))
  await expect(page.getByRole('alert')).toHaveText('That code doesn’t match. Check it, or ask the sender for a new one.')
  await submitCode(page, accessCode)
  await expect(page.getByRole('alert')).toHaveText(unavailableMessage)
  await expect(codeField(page)).toBeFocused()
  await expect(page.getByRole('button', { name: 'Ask for a new code' })).toHaveCount(0)

  await openAsAdmin(page, '/activity')
  const rows = page.getByRole('table', { name: 'Activity' }).getByRole('row')
  await expect(rows.filter({ hasText: 'Right access code, but the link doesn’t work' })).toContainText('Owner suspended')
  await expect(rows.filter({ hasText: 'Wrong access code for a link' })).toHaveCount(1)
})

test('tells a recipient who has a link open that it isn’t available, once they return to the window', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const { key, accessCode, pause } = await addLinkOfKim(baseURL)
  await page.goto(`/access/${key}`)
  await submitCode(page, accessCode)
  await expect(page.getByText('No files here yet.')).toBeVisible()
  await pause()
  await refocusWindow(page)
  await expect(page.getByRole('alert')).toHaveText(unavailableMessage)
  await expect(codeField(page)).toBeFocused()
  await expect(page.getByRole('button', { name: /^Ask for/ })).toHaveCount(0)
})
