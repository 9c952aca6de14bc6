import type { BrowserContext, Page } from '@playwright/test'

/** How long a toast stays, and how often an open link is checked. Both have their own tests, which set the clock. */
const alwaysHeldMs = [6000, 30_000]

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

/** Provides the browser context of every test. */
export async function withHeldTimers({ context }: { context: BrowserContext }, use: (context: BrowserContext) => Promise<void>) {
  await holdTimers(context, ...alwaysHeldMs)
  await use(context)
}

/**
 * Stops the page's clock. Call it after `page.clock.install()` and before the action whose timers are tested: until then an
 * installed clock follows the real one. Timers that are due within a minute fire first.
 */
export async function stopClock(page: Page) {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
}
