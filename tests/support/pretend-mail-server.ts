import type { Page } from '@playwright/test'

/** Makes all tabs of a browser believe that a mail server is set up. The server still saves emails as files, for tests to read. */
export const pretendMailServer = (page: Page) =>
  page.context().route('**/v1/mail/way', (route) => route.fulfill({ json: { data: { way: 'smtp' } } }))
