import type { BrowserContext, Page } from '@playwright/test'

/** Keeps timers and intervals with these delays from ever firing, so that a test never checks too late on a busy machine. */
export async function disableTimers(target: BrowserContext | Page, ...delaysMs: number[]) {
  await target.addInitScript((disabledDelays) => {
    const { setTimeout, setInterval } = window
    const neverMs = 2 ** 31 - 1
    const adjustDelay = (delay?: number) => (disabledDelays.includes(delay ?? 0) ? neverMs : delay)
    Object.assign(window, {
      setTimeout: (run: TimerHandler, delay?: number, ...rest: unknown[]) => setTimeout(run, adjustDelay(delay), ...rest),
      setInterval: (run: TimerHandler, delay?: number, ...rest: unknown[]) => setInterval(run, adjustDelay(delay), ...rest),
    })
  }, delaysMs)
}

/** How long “Delete” waits to learn which links it affects before it asks. Tests that expect no question disable this timer. */
export const linkCheckTimeoutMs = 1000

/**
 * Stops the page's clock. Call it after `page.clock.install()` and before the action whose timers are tested: until then an
 * installed clock follows the real one. Timers that are due within a minute fire first.
 */
export async function stopClock(page: Page) {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
}
