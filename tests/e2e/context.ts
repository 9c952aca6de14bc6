import type { Browser, BrowserContext, TestInfo } from '@playwright/test'
import { recordFailedCalls } from './calls.ts'
import { disableTimers } from './timers.ts'

/** The delays of the timers that hide a toast and check an open link. Both have their own tests, which set the clock. */
const disabledDelaysMs = [6000, 30_000]

/**
 * Provides a browser that ends every live connection at once, so that pages change only when a test does something. live.spec.ts removes the
 * route.
 */
export async function provideBrowser({ browser }: { browser: Browser }, use: (browser: Browser) => Promise<void>) {
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    await context.route('**/v1/live', (route) => route.fulfill({ contentType: 'text/event-stream', body: '' }))
    return context
  }
  await use(browser)
}

/** Provides the browser context of every test, and gives tests tagged `@slow` three times the usual time. */
export async function provideContext(
  { context }: { context: BrowserContext },
  use: (context: BrowserContext) => Promise<void>,
  test: TestInfo,
) {
  if (test.tags.includes('@slow')) test.slow()
  const reportFailedCalls = recordFailedCalls(context, test)
  await disableTimers(context, ...disabledDelaysMs)
  await use(context)
  await reportFailedCalls()
}
