import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** A combination of theme and window width. */
interface Look {
  colorScheme: 'light' | 'dark'
  width: number
}

/** Whether the tests run with `npm run looks`. */
export const runsAllLooks = process.env['NEPTUNE_LOOKS'] === 'all'

/**
 * The looks to test. To save time, `npm run e2e` runs axe on every component, screen and dialog only once, in the narrow dark look
 * (the screens in German, see languages.spec.ts). `npm run looks` covers each theme and each width once: an error in one theme shows at
 * either width, and an error at one width in either theme.
 */
export const looks: Look[] = [
  ...(runsAllLooks ? [{ colorScheme: 'light', width: 1280 } as const] : []),
  { colorScheme: 'dark', width: 390 },
]

/** The looks for tests that run only with `npm run looks`. With `npm run e2e`, languages.spec.ts covers their screens. */
export const extraLooks: Look[] = runsAllLooks ? looks : []

/** Waits for animations to finish, then expects no axe violations and no horizontal scrolling. */
export async function expectClean(page: Page, state: string) {
  await waitForAnimations(page)
  // Without this, axe also reports every element that passes, which takes most of its time.
  const { violations } = await new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).analyze()
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`),
    state,
  ).toEqual([])
  await expectFits(page, state)
}

/** Waits for animations to finish, then expects no horizontal scrolling. */
export async function expectFits(page: Page, state: string) {
  await waitForAnimations(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), state).toBe(0)
}

const waitForAnimations = (page: Page) =>
  page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime)) // spinners never finish
        .map(({ finished }) => finished.catch(() => undefined)), // `finished` rejects when an animation is canceled
    ),
  )
