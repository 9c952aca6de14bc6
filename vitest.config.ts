import { defineConfig } from 'vitest/config'
import { compileCatalogues } from './web/build/catalogues.ts'

/** Long enough for a busy machine. */
const testTimeout = 120_000
const timeouts = { testTimeout, hookTimeout: testTimeout, expect: { poll: { timeout: 60_000 } } }

const serverTests = ['server/src/**/*.test.ts']
/** The tests that use the database, and so run on both SQLite and PostgreSQL. */
const usingDatabase = ['server/src/{db,features,http}/**/*.test.ts']
/** Database tests with few queries of their own. To keep `npm test` short, only `npm run cluster` runs them on PostgreSQL. */
const usingDatabaseLittle = [
  'server/src/{http,metrics}/**/*.test.ts',
  'server/src/db/schemas.test.ts',
  'server/src/features/identity/{waiting-sign-ins,created-reset,without-password,operator-link}.test.ts',
  'server/src/features/link/{link-extend,link-ask,link-mail,link-change,pinned-links,handover}.test.ts',
  'server/src/features/settings/{sign-in-methods,mail-server,settings-effects,settings-attacks}.test.ts',
  'server/src/features/{access/{entering-code,access-upload},activity/tampering,download/zip-tree,factor/factor,integrity/integrity}.test.ts',
  'server/src/features/{outbox/create-message,passkey/passkey,provider/{nodes,manage-provider},quota/quota-warning}.test.ts',
  'server/src/features/{activity/audit-log,removal/removal,stats/{attention,dashboard},webhook/webhook}.test.ts',
  'server/src/features/{session/{user-sessions,browser},upload/file-limits,user/user-page}.test.ts',
  'server/src/features/**/{session*,sign-in,account,download,thumbnail,pdf-thumbnail,preview,misbehaving-clients,post,receipt*,reset,user,company,delivery,zip,details,own-details,token,repeated-visits,mail-limit,*invitation,archive*,stopped-links,access-events,held-messages,brand,logo,provider-*,passkey-*,second-factor}.test.ts',
]

/** Tests of the object store that take long and rarely fail. Only `npm run cluster` runs them. */
const slowS3Tests = ['server/src/blobs/s3/leftovers.test.ts']
/** The tests that use an object store. */
const usingS3 = ['server/src/blobs/s3/*.test.ts', 'tests/process/s3*.test.ts']
/** Tests of the program that take long and rarely fail. To keep `npm test` short, only `npm run faults` runs them. */
const slowProcessTests = ['tests/process/{demo,fuzz,npm-start,thumbnail,versions}.test.ts']
/** Tests of the server whose processes use all the CPU time that they may. Only `npm run faults` runs them. */
const slowServerTests = ['server/src/features/thumbnail/hostile-pdf.test.ts', 'server/src/media/hostile-logo.test.ts']
/** Tests that replace Node's own modules, and so need a process of their own. */
const replacingModules = ['server/src/blobs/disk/disk-system-calls.test.ts']
/** Loading the server takes longer than most test files, so all files of a worker share the loaded modules. */
const sharingModules = { ...timeouts, isolate: false }

export default defineConfig({
  test: {
    maxWorkers: 3, // many tests wait for a process or for the database
    projects: [
      {
        plugins: [compileCatalogues()],
        test: {
          name: 'unit',
          include: ['tests/*.test.ts', 'tests/fuzz/*.test.ts', 'contract/src/**/*.test.ts', 'web/src/**/*.test.ts'],
          ...sharingModules,
        },
      },
      {
        test: {
          name: 'sqlite',
          include: serverTests,
          exclude: [...usingS3, ...replacingModules, ...slowServerTests],
          ...sharingModules,
          provide: { postgresUrl: '' },
        },
      },
      {
        test: {
          name: 'postgres',
          include: usingDatabase,
          exclude: [...usingDatabaseLittle, ...slowServerTests],
          ...sharingModules,
          globalSetup: ['tests/support/services/postgres-setup.ts'],
        },
      },
      {
        test: {
          name: 's3',
          include: usingS3,
          exclude: slowS3Tests,
          ...timeouts,
          globalSetup: ['tests/support/services/s3-setup.ts'],
        },
      },
      {
        test: {
          name: 'process',
          include: ['tests/process/**/*.test.ts', 'tests/faults/**/*.fast.test.ts', ...replacingModules],
          exclude: [...usingS3, ...slowProcessTests],
          ...timeouts,
        },
      },
      // Run by `npm run faults`. The `.fast.test.ts` files are part of the `process` project, too.
      {
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts', ...slowProcessTests, ...slowServerTests],
          ...timeouts,
          provide: { postgresUrl: '' },
          testTimeout: 300_000,
          maxConcurrency: 2,
        },
      },
      // The next two are run by `npm run cluster`.
      {
        test: {
          name: 'postgres-rest',
          include: usingDatabaseLittle,
          ...sharingModules,
          globalSetup: ['tests/support/services/postgres-setup.ts'],
        },
      },
      {
        test: {
          name: 'cluster',
          include: ['tests/cluster/**/*.test.ts', ...slowS3Tests],
          ...timeouts,
          testTimeout: 600_000, // some send files of 6 GiB
          globalSetup: ['tests/support/services/s3-setup.ts'],
        },
      },
    ],
  },
})
