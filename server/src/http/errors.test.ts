import { describe, expect, it } from 'vitest'
import { AppError } from '../lib/app-error.ts'
import { codeOf } from './errors.ts'

const thrown = (message: string, more: object = {}) => Object.assign(new Error(message), more)

describe('what is thrown', () => {
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
  ])('by a PostgreSQL that is away, %s, is no fault of ours: %s', (code, message) => {
    expect(codeOf(thrown(message, { code }))).toBe('server.unavailable')
  })

  it('by a PostgreSQL whose socket is a file that is not there, neither', () => {
    expect(codeOf(thrown('connect ENOENT /run/.s.PGSQL.5432', { code: 'ENOENT', syscall: 'connect' }))).toBe('server.unavailable')
  })

  it.each([
    ['42601', 'syntax error at or near "selct"'],
    ['42P01', 'relation "fil" does not exist'],
    ['23505', 'duplicate key value violates unique constraint'],
    ['25P02', 'current transaction is aborted, commands ignored until end of transaction block'],
    ['ENOENT', 'ENOENT: no such file or directory, open'],
    [undefined, 'Cannot read properties of undefined'],
  ])('by a mistake of ours, %s, is one: %s', (code, message) => {
    expect(codeOf(thrown(message, { code }))).toBe('server.failed')
  })

  it('as an error of the catalogue is that one', () => {
    expect(codeOf(new AppError('file.not_found'))).toBe('file.not_found')
  })
})
