import { describe, expect, it } from 'vitest'
import { AppError } from '../lib/app-error.ts'
import { toErrorCode } from './errors.ts'

const thrown = (message: string, more: object = {}) => Object.assign(new Error(message), more)

describe('an error', () => {
  it.each([
    ['57P01', 'terminating connection due to administrator command'],
    ['57P02', 'terminating connection because of crash of another server process'],
    ['57P03', 'the database system is starting up'],
    ['57014', 'canceling statement due to statement timeout'],
    ['55P03', 'canceling statement due to lock timeout'],
    ['25P03', 'terminating connection due to idle-in-transaction timeout'],
    ['25006', 'cannot execute INSERT in a read-only transaction'],
    ['40001', 'could not serialize access due to concurrent update'],
    ['40P01', 'deadlock detected'],
    ['53100', 'could not extend file: No space left on device'],
    ['53300', 'sorry, too many clients already'],
    ['28P01', 'password authentication failed for user "neptune"'],
    ['3D000', 'database "neptune" does not exist'],
    ['08006', 'connection failure'],
    ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432'],
    ['ENOTFOUND', 'getaddrinfo ENOTFOUND db.acme.example'],
    [undefined, 'Connection terminated unexpectedly'],
    [undefined, 'Connection terminated due to connection timeout'],
    [undefined, 'Client has encountered a connection error and is not queryable'],
    [undefined, 'Client was closed and is not queryable'],
    [undefined, 'timeout exceeded when trying to connect'],
    [undefined, 'timeout expired'],
  ])('from an unavailable PostgreSQL, %s, is server.unavailable: %s', (code, message) => {
    expect(toErrorCode(thrown(message, { code }))).toBe('server.unavailable')
  })

  it('from a missing PostgreSQL socket is server.unavailable', () => {
    expect(toErrorCode(thrown('connect ENOENT /run/.s.PGSQL.5432', { code: 'ENOENT', syscall: 'connect' }))).toBe(
      'server.unavailable',
    )
  })

  it.each([
    ['42601', 'syntax error at or near "selct"'],
    ['42P01', 'relation "fil" does not exist'],
    ['23505', 'duplicate key value violates unique constraint'],
    ['25P02', 'current transaction is aborted, commands ignored until end of transaction block'],
    ['ENOENT', 'ENOENT: no such file or directory, open'],
    [undefined, 'Cannot read properties of undefined'],
  ])('from a bug, %s, is server.failed: %s', (code, message) => {
    expect(toErrorCode(thrown(message, { code }))).toBe('server.failed')
  })

  it('of the contract keeps its code', () => {
    expect(toErrorCode(new AppError('file.not_found'))).toBe('file.not_found')
  })
})
