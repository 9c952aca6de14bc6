import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

interface Look {
  colorScheme: 'light' | 'dark'
  width: number
}

/** Each theme and each width once: what is wrong in one theme, or at one width, is so at either width, or in either theme. */
const bothLooks: Look[] = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 390 },
]

/** Whether `npm run looks` runs, which has time for everything. */
export const hasTime = process.env['NEPTUNE_LOOKS'] === 'all'

/**
 * `npm test` has little time: there axe sees every component, screen and dialog once, in the narrow dark look, the screens in
 * German (languages.spec.ts). `npm run looks` has all.
 */
export const looks: Look[] = hasTime
  ? [...bothLooks, { colorScheme: 'dark', width: 1280 }, { colorScheme: 'light', width: 390 }]
  : bothLooks.slice(1)

/** Of what `npm test` has seen elsewhere. */
export const moreLooks: Look[] = hasTime ? looks : []

/** axe finds nothing, by any of its rules, and the page does not scroll sideways. What is still moving is waited for. */
export async function expectClean(page: Page, what: string) {
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime)) // a spinner never ends
        .map(({ finished }) => finished.catch(() => undefined)), // one that is cancelled is over, too
    ),
  )
  // Of what passes, axe would otherwise tell every element, which takes it most of its time.
  const { violations } = await new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).analyze()
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`),
    what,
  ).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), what).toBe(0)
}
