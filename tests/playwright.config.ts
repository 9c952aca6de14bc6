import { defineConfig } from '@playwright/test'

const chromium = process.env['CHROMIUM']

export default defineConfig({
  // `npm run looks` walks through everything in every look besides.
  testMatch: process.env['NEPTUNE_LOOKS'] === 'all' ? '{e2e,looks}/*.spec.ts' : 'e2e/*.spec.ts',
  outputDir: '../test-results',
  // What needs an object store is tried where there is one anyway.
  ...(process.env['NEPTUNE_ON'] === 'cluster'
    ? { globalSetup: './support/cluster-setup.ts' }
    : { testIgnore: '**/direct.spec.ts' }),
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  // Far more than anything takes: so that a machine that is busy with something else is waited for.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  use: {
    browserName: 'chromium',
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(chromium && { executablePath: chromium }),
      // Without a locale Chromium saves no name that has more than ASCII in it.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
    },
  },
})
