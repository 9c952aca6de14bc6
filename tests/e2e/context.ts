import type { BrowserContext, TestInfo } from '@playwright/test'
import { recordFailedCalls } from './calls.ts'
import { disableTimers } from './timers.ts'

/** The delays of the timers that hide a toast and check an open link. Both have their own tests, which set the clock. */
const disabledDelaysMs = [6000, 30_000]

/** Ends every live connection at once, so that changes don't cause refetches. live.spec.ts uses contexts of its own. */
const disableLive = (context: BrowserContext) =>
  context.route('**/v1/live', (route) => route.fulfill({ contentType: 'text/event-stream', body: '' }))

/** Provides the browser context of every test, and gives tests tagged `@slow` three times the usual time. */
export async function provideContext(
  { context }: { context: BrowserContext },
  use: (context: BrowserContext) => Promise<void>,
  test: TestInfo,
) {
  if (test.tags.includes('@slow')) test.slow()
  const reportFailedCalls = recordFailedCalls(context, test)
  await disableTimers(context, ...disabledDelaysMs)
  await disableLive(context)
  await use(context)
  await reportFailedCalls()
}
