import type { BrowserContext } from '@playwright/test'

/** A toast leaves after six seconds, which has a test of its own. Here it waits longer, for a busy machine that comes late to look. */
export async function keepToasts({ context }: { context: BrowserContext }, use: (context: BrowserContext) => Promise<void>) {
  await context.addInitScript(() => {
    const { setTimeout } = window
    const later = (run: TimerHandler, after?: number, ...rest: unknown[]) =>
      setTimeout(run, after === 6000 ? 20_000 : after, ...rest)
    Object.assign(window, { setTimeout: later })
  })
  await use(context)
}
