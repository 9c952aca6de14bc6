import { defineConfig } from 'vitest/config'

/** Far more than anything takes, so that a machine that is busy with something else is waited for. */
const testTimeout = 300_000
const limits = { testTimeout, hookTimeout: testTimeout, expect: { poll: { timeout: 60_000 } } }
const server = ['server/src/**/*.test.ts']
/** What asks the database. The rest is the same whichever it is. */
const onRows = ['server/src/{db,features,http}/**/*.test.ts']
/** Of that, what asks it little that the others do not: on PostgreSQL it is tried with the cluster, because `npm test` has little time. */
const little = [
  'server/src/{http,metrics}/**/*.test.ts',
  'server/src/features/**/{session*,sign-in,account,download,thumbnail,preview,odd-senders,post,receipt*,reset,user,company}.test.ts',
]

/** What asks an object store. */
const onS3 = ['server/src/blobs/s3/*.test.ts', 'tests/process/s3*.test.ts']
/** Replaces modules of Node, so it needs a process of its own. */
const replacing = ['server/src/blobs/disk/protocol.test.ts']
/** Loading the server takes longer than most files of tests, so each process loads it once for all of them. */
const shared = { ...limits, isolate: false }

export default defineConfig({
  test: {
    maxWorkers: 2, // on two cores it would take one
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/*.test.ts', 'tests/fuzz/*.test.ts', 'contract/src/**/*.test.ts', 'web/src/**/*.test.ts'],
          ...shared,
        },
      },
      { test: { name: 'sqlite', include: server, exclude: [...onS3, ...replacing], ...shared, provide: { postgresUrl: '' } } },
      {
        test: {
          name: 'postgres',
          include: onRows,
          exclude: little,
          ...shared,
          globalSetup: ['tests/support/postgres-setup.ts'],
        },
      },
      { test: { name: 's3', include: onS3, ...limits, globalSetup: ['tests/support/s3-setup.ts'] } },
      {
        test: {
          name: 'process',
          include: ['tests/process/**/*.test.ts', 'tests/faults/**/*.fast.test.ts', ...replacing],
          exclude: onS3,
          ...limits,
        },
      },
      // Only when asked for, by `npm run faults`: the quick ones among them belong to `process` as well.
      { test: { name: 'faults', include: ['tests/faults/**/*.test.ts'], ...limits, maxConcurrency: 2 } },
      // The same, by `npm run cluster`.
      {
        test: {
          name: 'postgres-rest',
          include: little,
          ...shared,
          globalSetup: ['tests/support/postgres-setup.ts'],
        },
      },
      {
        test: {
          name: 'cluster',
          include: ['tests/cluster/**/*.test.ts'],
          ...limits,
          testTimeout: 2 * testTimeout,
          globalSetup: ['tests/support/s3-setup.ts'],
        },
      },
    ],
  },
})
