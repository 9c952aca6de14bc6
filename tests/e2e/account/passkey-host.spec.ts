import { expect, openAsAdmin, restart, signIn } from '../fixtures.ts'
import { addPasskey, Device, openSignIn, passkeyButton, test } from './passkey-steps.ts'

test.use({ hasServerClock: true })

const wrongAddress = 'Passkeys work only at the address in PUBLIC_URL. Open Neptune there and try again.'

test('says which passkeys stopped working after a change of the host', { tag: '@slow' }, async ({ page, baseURL, neptune }) => {
  await Device.connect(page)
  await openAsAdmin(page, '/account')
  const codes = await addPasskey(page, 'Work laptop')
  await page.goto('/settings/security')
  await expect(page.getByText('1 passkey works at localhost.')).toBeVisible()
  await neptune.stop()
  const changedUrl = (baseURL ?? '').replace('localhost', 'portal.localhost')
  await using _restarted = await restart(neptune, { PUBLIC_URL: changedUrl })

  await page.goto(`${changedUrl}/login`)
  await signIn(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Use a recovery code' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Use a passkey instead' })).toHaveCount(0)
  await page.getByLabel('Recovery code').fill(codes[0] ?? '')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto(`${changedUrl}/account`)
  await expect(page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem')).toContainText(
    'It works only at the address localhost, which this portal no longer has.',
  )
  await page.goto(`${changedUrl}/settings/security`)
  await expect(page.getByText('1 passkey works only at localhost.')).toBeVisible()
})

test.describe('at a different port than PUBLIC_URL', () => {
  test.use({ publicUrl: 'http://localhost:1' })

  test('rejects adding a passkey and signing in with it, and says where passkeys work', { tag: '@slow' }, async ({ page }) => {
    await Device.connect(page)
    await openAsAdmin(page, '/account')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('dialog').getByRole('group')).toHaveAccessibleName(wrongAddress)
    await openSignIn(page) // the device has the passkey, which the browser suggests
    await expect(page.getByRole('alert')).toHaveText(wrongAddress)
  })
})

test.describe('at a different host than PUBLIC_URL', () => {
  test.use({ publicUrl: 'http://portal.localhost:1' })

  test('rejects signing in with a passkey, doesn’t offer to add one, and says where passkeys work', { tag: '@slow' }, async ({
    page,
  }) => {
    await page.goto('/login')
    await passkeyButton(page).click()
    await expect(page.getByRole('alert')).toHaveText(wrongAddress)
    await openAsAdmin(page, '/account')
    await expect(page.getByText('Passkeys work only at the address portal.localhost. Open this portal there.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add passkey' })).toHaveCount(0)
  })
})

test.describe('without https', () => {
  test.use({ publicUrl: 'http://files.acme.example' })

  test('offers no passkeys, and says why', { tag: '@slow' }, async ({ page, neptune }) => {
    await page.goto('/login')
    await expect(passkeyButton(page)).toHaveCount(0)
    await openAsAdmin(page, '/account')
    await expect(page.getByText('the address of this portal doesn’t start with https://.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add passkey' })).toHaveCount(0)
    await page.goto('/settings/security')
    await expect(page.getByText('Passkeys can’t be used, because PUBLIC_URL doesn’t start with https://.')).toBeVisible()

    await page.context().clearCookies()
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.goto(`${neptune.url.replace('localhost', '127.0.0.1')}/login`)
    await expect(page.getByLabel('E-mail address')).toBeFocused()
    await expect(passkeyButton(page)).toHaveCount(0)
    expect(requests.filter((url) => url.includes('/v1/identity/passkey'))).toEqual([])
  })
})
