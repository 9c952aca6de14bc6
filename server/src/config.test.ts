import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { describeDatabase } from './installation/open-installation.ts'

describe('settings', () => {
  it('default to serving this machine only', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      adminEmail: 'admin@neptune.local',
      settings: {
        values: {
          security: { session_minutes: 6_000_000, session_idle_minutes: 720, session_remembered_idle_minutes: 43_200 },
        },
        locked: { security: {} },
      },
      corsOrigins: [],
      trustProxy: [],
    })
    expect(readConfig({ DATA_DIR: '/srv/neptune' }).databaseUrl).toBe('sqlite:/srv/neptune/neptune.db')
  })

  it('resolve WORKERS=auto to one process per core, at most 64', () => {
    expect(readConfig({ WORKERS: 'auto' }).workers).toBe(process.platform === 'win32' ? 1 : Math.min(availableParallelism(), 64))
    expect(() => readConfig({ WORKERS: 'all' })).toThrow('WORKERS must be a whole number from 1 to 64, or auto')
  })

  it('count as not set when empty', () => {
    expect(readConfig({ PORT: '', PUBLIC_URL: '' }).port).toBe(3000)
  })

  it('name all invalid values in one error', () => {
    const wrong = {
      PORT: 'http',
      LOG_LEVEL: 'loud',
      ADMIN_PASSWORD: 'short',
      TRUST_PROXY: 'everyone',
      HOST: '0.0.0.0',
      S3_BUCKET: 'files',
    }
    for (const name of ['PORT', 'LOG_LEVEL', 'ADMIN_PASSWORD', 'TRUST_PROXY', 'PUBLIC_URL', 'S3_ENDPOINT']) {
      expect(() => readConfig(wrong)).toThrow(`${name} must be`.replace('ADMIN_PASSWORD must be', 'ADMIN_PASSWORD must have'))
    }
  })

  it.each([
    ['PORT', '65536'],
    ['PORT', '3000.5'],
    ['PUBLIC_URL', 'ftp://example.com'],
    ['PUBLIC_URL', 'https://example.com/neptune'],
    ['DATABASE_URL', 'mysql://localhost/neptune'],
    ['S3_ENDPOINT', 'bucket'],
    ['S3_ENDPOINT', 'https://name:password@s3.example.com'],
    ['S3_PUBLIC_ENDPOINT', 'https://name@s3.example.com'],
    ['SMTP_URL', 'mail.example.com'],
    ['MAIL_FROM', 'Neptune'],
    ['MAX_UPLOAD_BYTES', '20 GB'],
    ['MAX_UPLOAD_BYTES', '-1'],
    ['SECRET_KEY', 'too short'],
    ['SECRET_KEY', 'change-me-change-me-change-me-change-me'],
    ['SECRET_KEY', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    ['ADMIN_EMAIL', 'admin'],
    ['ADMIN_PASSWORD', 'eleven char'],
    ['ADMIN_PASSWORD', 'password1234'],
    ['SESSION_IDLE_MINUTES', '0'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://app.example.com/'],
    ['X_ACCEL_REDIRECT', 'stored'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '::ffff:10.0.0.0/8'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '10.0.0.0/33'],
  ])('reject %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(`${name} `)
  })

  it.each([
    ['TRUST_PROXY', '10.0.0.0/8, 192.168.1.1, fd00::/8'],
    ['CORS_ORIGINS', 'https://a.example.com, http://localhost:5173'],
    ['SMTP_URL', 'smtps://neptune:p%40ss@mail.example.com:465'],
    ['MAIL_FROM', 'Neptune at Acme <files@acme.example>'],
    ['SECRET_KEY', 'tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9'],
    ['DATABASE_URL', 'postgresql://neptune@db.internal:5432/neptune'],
  ])('accept %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).not.toThrow()
  })

  it('reject a single S3 setting and name the missing ones', () => {
    expect(() => readConfig({ S3_BUCKET: 'files' })).toThrow(
      'S3_ENDPOINT must be set with the other S3 settings; S3_ACCESS_KEY_ID',
    )
  })

  it('P44: require PUBLIC_URL when other machines can connect', () => {
    expect(() => readConfig({ HOST: '0.0.0.0' })).toThrow('PUBLIC_URL must be set when HOST is 0.0.0.0')
    expect(() => readConfig({ HOST: '::' })).toThrow('PUBLIC_URL')
    expect(readConfig({ HOST: '0.0.0.0', PUBLIC_URL: 'https://files.example.com/' }).publicUrl).toBe('https://files.example.com')
  })
})

it.each([
  ['postgres://me:hunter2@db.example.com:5433/neptune', 'db.example.com:5433/neptune'],
  ['postgres://me:hunter2@/neptune?host=/run/one', '/run/one/neptune'],
  ['postgres://me:hunter2@/neptune?host=/run/two&port=5433', '/run/two:5433/neptune'],
  ['postgres:///neptune?host=/run/three', '/run/three/neptune'],
  ['postgres://me:hunter2@%2Frun%2Ffour/neptune', '/run/four/neptune'],
])('describes the database %s without its password', (DATABASE_URL, description) => {
  expect(describeDatabase(readConfig({ DATABASE_URL }))).toBe(description)
})
