import type { BrowserContext, Page } from '@playwright/test'

/** Stops timers and intervals with these delays from ever firing, so that a test on a busy machine never checks too late. */
export async function holdTimers(target: BrowserContext | Page, ...delaysMs: number[]) {
  await target.addInitScript((held) => {
    const { setTimeout, setInterval } = window
    const never = 2 ** 31 - 1
    const change = (delay?: number) => (held.includes(delay ?? 0) ? never : delay)
    Object.assign(window, {
      setTimeout: (run: TimerHandler, delay?: number, ...rest: unknown[]) => setTimeout(run, change(delay), ...rest),
      setInterval: (run: TimerHandler, delay?: number, ...rest: unknown[]) => setInterval(run, change(delay), ...rest),
    })
  }, delaysMs)
}

/**
 * Stops the page's clock. Call it after `page.clock.install()` and before the action whose timers are tested: until then an
 * installed clock follows the real one. Timers that are due within a minute fire first.
 */
export async function stopClock(page: Page) {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
}
