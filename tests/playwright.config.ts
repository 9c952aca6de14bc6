import { defineConfig } from '@playwright/test'

const chromium = process.env['CHROMIUM']

export default defineConfig({
  // `npm run looks` also opens every view in every language, in both themes and at three widths.
  testMatch: process.env['NEPTUNE_LOOKS'] === 'all' ? '{e2e,looks}/**/*.spec.ts' : 'e2e/**/*.spec.ts',
  outputDir: '../test-results',
  // Tests that need an object store run only with the cluster, which has one.
  ...(process.env['NEPTUNE_ON'] === 'cluster'
    ? { globalSetup: './support/services/cluster-setup.ts' }
    : { testIgnore: '**/direct-transfer.spec.ts' }),
  fullyParallel: true,
  forbidOnly: true,
  workers: 3, // most of the time, a test waits for the browser or the server
  // Long enough for a busy machine. Tests tagged `@slow` get three times as long.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  use: {
    browserName: 'chromium',
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    // Shorter than the timeout of a test: so the error names the element that an action waits for.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    launchOptions: {
      ...(chromium && { executablePath: chromium }),
      // Without a locale, Chromium cannot save file names with non-ASCII characters.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
    },
  },
})
