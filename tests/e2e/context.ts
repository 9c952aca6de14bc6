import type { BrowserContext, TestInfo } from '@playwright/test'
import { recordFailedCalls } from './calls.ts'
import { holdTimers } from './timers.ts'

/** How long a toast stays, and how often an open link is checked. Both have their own tests, which set the clock. */
const alwaysHeldMs = [6000, 30_000]

/** Provides the browser context of every test, and gives tests tagged `@slow` three times the usual time. */
export async function provideContext(
  { context }: { context: BrowserContext },
  use: (context: BrowserContext) => Promise<void>,
  test: TestInfo,
) {
  if (test.tags.includes('@slow')) test.slow()
  const reportFailedCalls = recordFailedCalls(context, test)
  await holdTimers(context, ...alwaysHeldMs)
  await use(context)
  await reportFailedCalls()
}
