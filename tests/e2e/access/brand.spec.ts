import type { Page } from '@playwright/test'
import { asAdmin, expect, openAsAdmin, test } from '../fixtures.ts'
import { accessButton, addSharedLink, codeField, codeScreenTitle, heading, resetLink, submitCode } from './access-steps.ts'
import { drawLogo, setBrand } from './brand-steps.ts'

const keller = {
  name: 'Keller & Partner',
  imprint_url: 'https://keller.example/imprint',
  privacy_url: 'https://keller.example/privacy',
}
const invitation = (page: Page) => page.getByRole('heading', { level: 2 })
const logo = (page: Page, name = keller.name) => page.getByRole('img', { name })

/** Returns a colour as the browser computes it for the current theme. */
const readColor = (page: Page, token: string) =>
  page.evaluate((name) => {
    const probe = document.createElement('i')
    probe.style.color = `var(--${name})`
    document.body.append(probe)
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }, token)

test('P56: shows the name, texts and colours of the organisation, and runs no script from them', async ({ page, baseURL }) => {
  const attack = '</script><script>document.title = "attacked"</script>'
  const brand = {
    name: `Keller ${attack}`,
    welcome: `Welcome <img src=x onerror="document.title='attacked'"> ${attack}`,
    imprint_url: 'https://keller.example/"><script>document.title="attacked"</script>',
    privacy_url: 'https://keller.example/privacy',
  }
  const refused: string[] = []
  page.on('console', (message) => message.text().includes('Content Security Policy') && refused.push(message.text()))
  await page.goto('/login')
  const ownColor = await readColor(page, 'accent-fill')
  await expect(page.locator('#brand')).toHaveCount(0)

  await expect(setBrand(baseURL, { imprint_url: 'javascript:alert(1)' })).rejects.toThrow(
    'This must be an address that starts with https://.',
  )
  await setBrand(baseURL, { ...brand, accent: '#aa3377' })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/login')
  expect(JSON.parse((await page.locator('#brand').textContent()) ?? '')).toMatchObject({ name: brand.name, language: 'en' })
  await expect(page).toHaveTitle(`Sign in · ${brand.name}`)
  expect(await readColor(page, 'accent-fill')).toBe('rgb(170, 51, 119)')
  await page.emulateMedia({ colorScheme: 'dark' })
  const darkColor = await readColor(page, 'accent-fill')
  expect([ownColor, 'rgb(170, 51, 119)']).not.toContain(darkColor)
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()

  await page.goto(`/access/${(await addSharedLink(baseURL)).key}`)
  await expect(invitation(page)).toHaveText(`${brand.name} shared files with you`)
  await expect(page.getByText(brand.welcome)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Imprint' })).toHaveAttribute('href', encodeURI(brand.imprint_url))
  await expect(page).toHaveTitle(`${codeScreenTitle} · ${brand.name}`)
  // Even if the brand data in the page is altered, the page links only to web pages.
  await page.route('**/access/*', async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ response: reply, body: (await reply.text()).replace(brand.privacy_url, 'javascript:alert(1)') })
  })
  await page.reload()
  await expect(page.getByRole('link', { name: 'Imprint' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Privacy' })).toHaveCount(0)
  expect(refused).toEqual([])
})

test('invites recipients in the name of the organisation, with its logo, welcome text and legal pages', {
  tag: '@slow',
}, async ({ page, baseURL }) => {
  const link = await addSharedLink(baseURL, 'LINK_DIRECTORY', { files: { 'Offer.pdf': 'an offer' } })
  await page.goto(`/access/${link.key}`)
  await expect(invitation(page)).toHaveText('Files have been shared with you')
  await expect(page.getByText('Powered by')).toHaveCount(0) // the logo already shows the name
  const welcome = 'Questions? Call us.'
  await setBrand(baseURL, { ...keller, welcome, light: '#123456', dark: '#abcdef' })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.reload()
  await expect(invitation(page)).toHaveText('Keller & Partner shared files with you')
  await expect(heading(page)).toHaveText(codeScreenTitle)
  await expect(page.getByText(`Key ${link.key}`)).toBeVisible()
  await expect(page.getByText('Enter the access code from the email, or the one Keller & Partner gave you.')).toBeVisible()
  await expect(page.getByText(welcome)).toBeVisible()
  await expect(page.getByRole('contentinfo').getByRole('link')).toHaveText(['Imprint', 'Privacy'])
  await expect(page.getByRole('contentinfo')).toContainText('Powered by Neptune')
  await expect(codeField(page)).toBeFocused()
  const lightUrl = await logo(page).getAttribute('src')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(logo(page)).not.toHaveAttribute('src', lightUrl ?? '')
  await page.context().addCookies([{ name: 'theme', value: 'light', url: baseURL ?? '' }])
  await page.reload()
  await expect(logo(page)).toHaveAttribute('src', lightUrl ?? '')
  await submitCode(page, link.code)
  await expect(heading(page)).toHaveText('Plans')
  await expect(page.getByRole('banner').getByRole('img', { name: keller.name })).toBeVisible()
  await expect(page.getByRole('contentinfo')).toContainText('Powered by Neptune')
  await expect(page).toHaveTitle('Plans · Keller & Partner')
})

test('P56: shows the brand of a company only after the code, and hides it once the code is reset', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const company = `Meridian </script><img src=x onerror="document.title='attacked'"> Audit`
  const call = asAdmin(baseURL)
  const link = await addSharedLink(baseURL, 'LINK_EDITABLE_DIRECTORY')
  const { data: user } = await call('GET', '/v1/identity')
  await setBrand(baseURL, keller)
  await call('PATCH', `/v1/admin/company/${user.company}`, { brand_name: company })
  const { data: logos } = await call('PUT', `/v1/admin/company/${user.company}/logo/light`, drawLogo('#00695c', 80))
  const received: Promise<string>[] = []
  page.on('response', (response) =>
    received.push(response.text().then((text) => `${response.url()} ${JSON.stringify(response.headers())} ${text}`, String)),
  )
  await page.goto(`/access/${link.key}`, { waitUntil: 'networkidle' })
  await expect(invitation(page)).toHaveText('Keller & Partner invites you to exchange files')
  await expect(accessButton(page)).toBeVisible()
  const beforeCode = (await Promise.all(received)).join('\n')
  expect(beforeCode).toContain('Keller')
  expect(beforeCode).not.toContain('Meridian')
  expect(beforeCode).not.toContain(logos.light.url)

  await submitCode(page, link.code)
  await expect(heading(page)).toHaveText('Directory Section')
  await expect(invitation(page)).toHaveText('Plans')
  await expect(page.getByRole('banner')).toHaveText(company)
  await expect(page.getByRole('banner').locator('img')).toHaveAttribute('src', logos.light.url)
  await expect(page).toHaveTitle(`Directory Section · ${company}`)
  await resetLink(baseURL, link)
  await page.reload()
  await expect(invitation(page)).toHaveText('Keller & Partner invites you to exchange files')
  await expect(page.getByText('Meridian')).toHaveCount(0)
})

test('shows the logo and name of the organisation on every public page and in the staff area', {
  tag: '@slow',
}, async ({ page, baseURL }) => {
  await setBrand(baseURL, { ...keller, light: '#123456' })
  const paths = [
    '/login',
    '/forgot',
    '/reset/not-a-link',
    '/invitation/not-a-link',
    '/factor-reset/not-a-link',
    '/enter/not-a-link',
    '/receipt/none',
    '/verify',
    '/docs',
    '/nowhere',
  ]
  for (const path of [...paths, '/access/7YqfT0pEXAMPLEc3K']) {
    await page.goto(path)
    await expect(logo(page), path).toBeVisible()
    await expect(page, path).toHaveTitle(/ · Keller & Partner$/)
  }
  await expect(heading(page)).toHaveText('Link not found.')
  const { key } = await addSharedLink(baseURL, 'LINK_FILE', { files: { 'Offer.pdf': 'an offer' } })
  await page.goto(`/access/${key}`)
  await expect(invitation(page)).toHaveText('Keller & Partner shared a file with you')
  await openAsAdmin(page, '/links')
  await expect(page.getByRole('link', { name: keller.name }).locator('img')).toBeVisible()
  await expect(page).toHaveTitle('Links · Keller & Partner')
})
