import { maxPasskeys } from '@neptune/contract'
import { asBearer } from '../calls.ts'
import { addCompanyWithUser, asAdmin, expect, kim, openAsAdmin } from '../fixtures.ts'
import { pressMethods, pressRepeatedly } from '../repeated-press/press-repeatedly.ts'
import {
  addPasskey,
  Device,
  hideSuggestions,
  openSignIn,
  passkeyButton,
  post,
  registerPasskeyInPage,
  signWithPasskey,
  test,
} from './passkey-steps.ts'

// The first two tests call the API with passkeys of a real browser, in ways that the web app never does.

const refused = { status: 401, code: 'session.wrong_passkey' }
const path = '/v1/identity/passkey'

test('refuses a passkey without user verification, and a response that was used before', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  await Device.connect(page)
  await openAsAdmin(page, '/account')
  await addPasskey(page, 'Work laptop')
  const { data: options } = await post(baseURL, `${path}/options`, {})
  const response = await signWithPasskey(page, options, 'discouraged')
  expect(await post(baseURL, `${path}/sign-in`, { response })).toMatchObject(refused)

  const request = page.waitForRequest(`**${path}/sign-in`)
  await openSignIn(page)
  await expect(page).toHaveURL(/\/dashboard$/)
  expect(await post(baseURL, `${path}/sign-in`, (await request).postDataJSON())).toMatchObject(refused)
})

test('refuses another person’s passkey as the second step and as a confirmation', { tag: '@slow' }, async ({ page, baseURL }) => {
  await addCompanyWithUser(baseURL, 'Globex', kim)
  await Device.connect(page)
  await openAsAdmin(page, '/account')
  await addPasskey(page, 'Admin’s laptop')
  const { data: own } = await asAdmin(baseURL)('POST', `${path}/confirm/options`)

  const { token } = await post(baseURL, '/v1/identity/login', { email: kim.email, password: kim.password })
  const call = asBearer(baseURL, token)
  await registerPasskeyInPage(page, call, 'Kim’s phone')
  const { second_factor } = await post(baseURL, '/v1/identity/login', { email: kim.email, password: kim.password })
  const { data: step } = await post(baseURL, `${path}/options`, { challenge: second_factor.challenge })
  const response = await signWithPasskey(page, { ...step, allowCredentials: own.allowCredentials })
  expect(await post(baseURL, `${path}/sign-in`, { response, challenge: second_factor.challenge })).toMatchObject(refused)

  const { data: confirmation } = await call('POST', `${path}/confirm/options`)
  const foreign = await signWithPasskey(page, { ...confirmation, allowCredentials: own.allowCredentials })
  await expect(call('POST', `${path}/confirm`, { response: foreign })).rejects.toThrow('session.wrong_passkey')
})

test('disables adding a passkey at the limit, and says why', { tag: '@slow' }, async ({ page, baseURL }) => {
  await Device.connect(page)
  await openAsAdmin(page, '/account')
  for (let number = 1; number <= maxPasskeys; number++) await registerPasskeyInPage(page, asAdmin(baseURL), `Key ${number}`)
  await page.reload()
  await expect(page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem')).toHaveCount(maxPasskeys)
  const button = page.getByRole('button', { name: 'Add passkey' })
  await expect(button).toHaveAccessibleDescription('You’ve reached the limit of 20 passkeys. Remove one before you add another.')
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

for (const [name, pressMethod] of Object.entries(pressMethods)) {
  test(`P52: ${name} on a slow machine adds, uses and removes a passkey once`, { tag: '@slow' }, async ({
    page,
    baseURL,
    neptune: { folder },
  }) => {
    await Device.connect(page)
    await hideSuggestions(page)
    await openAsAdmin(page, '/account')
    const session = await page.context().newCDPSession(page)
    const context = { page, baseURL, folder, call: asAdmin(baseURL), ids: {} }
    const dialogButton = (label: string) => page.getByRole('dialog').getByRole('button', { name: label })
    await pressRepeatedly(context, session, pressMethod, {
      async open() {
        await page.getByRole('button', { name: 'Add passkey' }).click()
        await page.getByRole('dialog').getByLabel('Name').fill('Key')
        return dialogButton('Continue')
      },
      sends: [`POST ${path}/registration`, `POST ${path}`],
      expect: () => expect(page.getByRole('dialog', { name: 'Save your recovery codes' })).toBeVisible(),
    })
    await pressRepeatedly(context, session, pressMethod, {
      async open() {
        const options = page.waitForResponse(`**${path}/options`)
        await openSignIn(page)
        await options // the page requests them for suggestions, which this browser doesn’t show
        return passkeyButton(page)
      },
      sends: [`POST ${path}/options`, `POST ${path}/sign-in`],
      expect: () => expect(page).toHaveURL(/\/dashboard$/),
    })
    await pressRepeatedly(context, session, pressMethod, {
      async open() {
        await page.goto('/account')
        await page.getByRole('button', { name: 'Remove Key' }).click()
        return dialogButton('Remove passkey')
      },
      sends: [`DELETE ${path}/{id}`],
      expect: () => expect(page.getByText('Removed the passkey “Key”.')).toBeVisible(),
    })
  })
}
