import { defineConfig } from 'vitest/config'

const server = { include: ['server/src/**/*.test.ts'], testTimeout: 120_000 }

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['tests/*.test.ts', 'contract/src/**/*.test.ts', 'web/src/**/*.test.ts'] } },
      { test: { name: 'sqlite', ...server, provide: { postgresUrl: '' } } },
      { test: { name: 'postgres', ...server, globalSetup: ['tests/support/postgres-setup.ts'] } },
      { test: { name: 'process', include: ['tests/process/**/*.test.ts'], testTimeout: 120_000 } },
    ],
  },
})
