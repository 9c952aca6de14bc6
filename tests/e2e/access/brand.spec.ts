import type { Page } from '@playwright/test'
import { asAdmin, expect, test } from '../fixtures.ts'

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

test('P56: a page has the name, the icon and the colours of the organisation, and no script of theirs runs', async ({
  page,
  baseURL,
}) => {
  const name = 'Keller </script><script>document.title = "attacked"</script>'
  const call = asAdmin(baseURL)
  await page.goto('/login')
  const ownColor = await readColor(page, 'accent-fill')
  await expect(page.locator('#brand')).toHaveCount(0)

  await call('PATCH', '/v1/admin/settings/organisation', { version: 0, values: { name } })
  await call('PATCH', '/v1/admin/settings/appearance', { version: 0, values: { accent: '#aa3377' } })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/login')
  expect(JSON.parse((await page.locator('#brand').textContent()) ?? '')).toMatchObject({ name, language: 'en' })
  await expect(page).not.toHaveTitle('attacked')
  expect(await readColor(page, 'accent-fill')).toBe('rgb(170, 51, 119)')
  await page.emulateMedia({ colorScheme: 'dark' })
  const darkColor = await readColor(page, 'accent-fill')
  expect([ownColor, 'rgb(170, 51, 119)']).not.toContain(darkColor)
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
})
