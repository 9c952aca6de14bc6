import type { Page } from '@playwright/test'
import { asAdmin } from '../fixtures.ts'

interface Brand {
  name?: string
  welcome?: string
  imprint_url?: string
  privacy_url?: string
  accent?: string
  /** The colours of the logos. Each is a wordmark of 360 × 80 pixels. */
  light?: string
  dark?: string
}

/** Sets the brand of the organisation. */
export async function setBrand(baseURL: string | undefined, { accent, light, dark, ...texts }: Brand) {
  const call = asAdmin(baseURL)
  const { data } = await call('GET', '/v1/admin/settings')
  const change = (section: string, values: object) =>
    call('PATCH', `/v1/admin/settings/${section}`, { version: data[section].version, values })
  if (Object.keys(texts).length > 0) await change('organisation', texts)
  if (accent) await change('appearance', { accent })
  if (light) await call('PUT', '/v1/admin/settings/logo/light', drawLogo(light))
  if (dark) await call('PUT', '/v1/admin/settings/logo/dark', drawLogo(dark))
}

export const drawLogo = (color: string, width = 360) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 80"><rect width="${width}" height="80" rx="12" fill="${color}"/></svg>`,
  )

/** Measures the layout shifts of each page that is opened from now on. Returns a function that reads the sum for the current page. */
export async function measureShifts(page: Page) {
  await page.addInitScript(() => {
    const shifts = { value: 0 }
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) shifts.value += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (window as unknown as { shifts: { value: number } }).shifts.value)
}
