import { findPermittedAccent, getContrast } from '@neptune/contract'
import type { Page } from '@playwright/test'
import { accessButton, addSharedLink, codeField, heading, submitCode } from '../access/access-steps.ts'
import { setBrand } from '../access/brand-steps.ts'
import { expectClean } from '../expect-clean.ts'
import { expect, openAsAdmin, test } from '../fixtures.ts'

/** The colours that are hardest to read of those that an organisation can choose. */
const accents = { yellow: findPermittedAccent('#ffff00'), 'pale grey': findPermittedAccent('#e8e8e8'), 'near-black': '#050505' }

for (const [name, accent] of Object.entries(accents)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`stays readable in ${name}, ${colorScheme}: sign-in, code, recipient’s directory, links`, { tag: '@slow' }, async ({
      page,
      baseURL,
    }) => {
      await setBrand(baseURL, { name: 'Keller & Partner', accent })
      await page.emulateMedia({ colorScheme })
      const link = await addSharedLink(baseURL, 'LINK_EDITABLE_DIRECTORY', { files: { 'Offer.pdf': 'an offer' } })
      await page.goto('/login')
      await expect(page.getByLabel('E-mail address')).toBeFocused()
      await expectReadable(page, 'sign-in')
      await page.goto(`/access/${link.key}`)
      await expect(accessButton(page)).toBeVisible()
      await expect(codeField(page)).toBeFocused()
      await expectReadable(page, 'the code')
      await submitCode(page, link.code)
      await expect(page.getByText('Offer.pdf')).toBeVisible()
      await page.getByRole('button', { name: 'Upload file' }).hover()
      await expectReadable(page, 'the directory of a recipient')
      await openAsAdmin(page, '/links')
      await page.getByRole('row').nth(1).getByRole('checkbox').check()
      await expect(page.getByRole('button', { name: 'Reset access code' })).toBeVisible()
      await expect(heading(page)).toHaveText('Links')
      await expectReadable(page, 'links with a selected row')
    })
  }
}

/** Expects no axe violations, and a focus ring and buttons that stand out, which axe doesn’t check. */
async function expectReadable(page: Page, state: string) {
  await expectClean(page, state)
  const { focus, fill, canvas, surface } = await page.evaluate(readColors)
  for (const back of [canvas, surface]) expect(getContrast(focus, back), `${state}: focus ring`).toBeGreaterThanOrEqual(3)
  expect(getContrast(fill, surface), `${state}: buttons`).toBeGreaterThanOrEqual(3)
}

/** Returns colours of the page as `#rrggbb`. Runs in the browser. */
function readColors() {
  const canvas = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
  const probe = document.body.appendChild(document.createElement('i'))
  const read = (token: string) => {
    probe.style.color = `var(--${token})`
    canvas.fillStyle = getComputedStyle(probe).color
    canvas.fillRect(0, 0, 1, 1)
    const [r = 0, g = 0, b = 0] = canvas.getImageData(0, 0, 1, 1).data
    return `#${[r, g, b].map((value) => value.toString(16).padStart(2, '0')).join('')}`
  }
  const colors = { focus: read('focus'), fill: read('accent-fill'), canvas: read('canvas'), surface: read('surface') }
  probe.remove()
  return colors
}
