import { defineConfig } from 'vitest/config'

const testTimeout = 120_000
/** A store with ten thousand objects takes a while to clear away. */
const hookTimeout = 120_000
const server = ['server/src/**/*.test.ts']
/** What asks the database. The rest is the same whichever it is. */
const onRows = ['server/src/{db,features,http}/**/*.test.ts']
/** Of that, what asks it little that the others do not: on PostgreSQL it is tried with the cluster, because `npm test` has little time. */
const little = [
  'server/src/http/*.test.ts',
  'server/src/features/**/{session*,sign-in,account,download,thumbnail,preview,odd-senders,post,receipt*,reset,user,company}.test.ts',
]

/** What asks an object store. */
const onS3 = ['{server/src/blobs,tests/process}/s3*.test.ts']

export default defineConfig({
  test: {
    maxWorkers: 2, // on two cores it would take one
    projects: [
      { test: { name: 'unit', include: ['tests/*.test.ts', 'contract/src/**/*.test.ts', 'web/src/**/*.test.ts'], testTimeout } },
      { test: { name: 'sqlite', include: server, exclude: onS3, testTimeout, provide: { postgresUrl: '' } } },
      {
        test: {
          name: 'postgres',
          include: onRows,
          exclude: little,
          testTimeout,
          globalSetup: ['tests/support/postgres-setup.ts'],
        },
      },
      { test: { name: 's3', include: onS3, testTimeout, globalSetup: ['tests/support/s3-setup.ts'] } },
      {
        test: {
          name: 'process',
          include: ['tests/process/**/*.test.ts', 'tests/faults/**/*.fast.test.ts'],
          exclude: onS3,
          testTimeout,
        },
      },
      // Only when asked for, by `npm run faults`: the quick ones among them belong to `process` as well.
      { test: { name: 'faults', include: ['tests/faults/**/*.test.ts'], testTimeout, hookTimeout, maxConcurrency: 2 } },
      // The same, by `npm run cluster`.
      {
        test: {
          name: 'postgres-rest',
          include: little,
          testTimeout,
          globalSetup: ['tests/support/postgres-setup.ts'],
        },
      },
      {
        test: {
          name: 'cluster',
          include: ['tests/cluster/**/*.test.ts'],
          testTimeout: 5 * testTimeout,
          hookTimeout,
          globalSetup: ['tests/support/s3-setup.ts'],
        },
      },
    ],
  },
})
