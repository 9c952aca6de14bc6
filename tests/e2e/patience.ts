import type { BrowserContext } from '@playwright/test'

/**
 * What a page does by itself after a while, it does later here, for a busy machine that comes late to look: toasts leave after six seconds, and
 * every half minute an open link is asked whether it still is. Both have tests of their own, with a clock that is moved by hand.
 */
export async function patiently({ context }: { context: BrowserContext }, use: (context: BrowserContext) => Promise<void>) {
  await context.addInitScript(() => {
    const { setTimeout, setInterval } = window
    Object.assign(window, {
      setTimeout: (run: TimerHandler, after?: number, ...rest: unknown[]) =>
        setTimeout(run, after === 6000 ? 20_000 : after, ...rest),
      setInterval: (run: TimerHandler, every?: number, ...rest: unknown[]) =>
        setInterval(run, every === 30_000 ? 300_000 : every, ...rest),
    })
  })
  await use(context)
}
