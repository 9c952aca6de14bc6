import type { Socket } from 'node:net'
import { type ErrorCode, errors, type Problem } from '@neptune/contract'
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../lib/app-error.ts'
import { newId } from '../lib/secrets.ts'

/** Not imported: an import reads all exports of the module, and one of them loads the whole of `fetch`, which the server does not use. */
const { STATUS_CODES } = process.getBuiltinModule('node:http')

export function addErrorHandler(app: FastifyInstance) {
  app.setErrorHandler(sendProblem)
}

/** Headers about a file that an error reply must not keep: a browser would save the error under the file's name. */
const fileHeaders = ['content-disposition', 'content-filename', 'accept-ranges', 'last-modified', 'etag']

/** Sends an error as a problem document (RFC 9457). Every thrown error becomes a reply here. */
export function sendProblem(error: FastifyError | AppError | Error, request: FastifyRequest, reply: FastifyReply) {
  const code = toErrorCode(error)
  const { status, message } = errors[code]
  // A full disk or quota is not a bug, so its stack is not logged.
  if (status === 507) request.log.warn({ code }, 'request rejected')
  else if (status >= 500) request.log.error({ err: error, code }, 'request failed')
  for (const name of fileHeaders) reply.removeHeader(name)
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  const retryAfter = error instanceof AppError ? error.retryAfterSeconds : status === 503 ? 5 : undefined
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  const problem: Problem = {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    code,
    detail: message,
    ...(error instanceof AppError && error.fields && { errors: error.fields }),
    ...(error instanceof AppError && error.space && { space: error.space }),
    ...(error instanceof AppError && error.secondFactor && { second_factor: error.secondFactor }),
    requestId: request.id,
  }
  return reply.code(status).type('application/problem+json').serializer(JSON.stringify).send(problem)
}

/** Creates a handler that responds to bytes that are not valid HTTP, for which Node creates no request. */
export function createClientErrorHandler(headers: Record<string, string>, log: FastifyBaseLogger) {
  return (error: Error & { code?: string }, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
    const code = errorCodeByParserCode[error.code ?? ''] ?? 'request.invalid'
    const { status, message } = errors[code]
    const requestId = newId()
    log.info({ requestId, status, code, client: socket.remoteAddress }, 'malformed request')
    const body = JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, code, detail: message, requestId })
    const lines = Object.entries({
      ...headers,
      'x-request-id': requestId,
      'content-type': 'application/problem+json',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    })
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
    )
    socket.destroySoon() // otherwise the client could keep the socket half-open
  }
}

const errorCodeByParserCode: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request.timeout',
  HPE_HEADER_OVERFLOW: 'request.headers_too_large',
}

const errorCodeByFrameworkCode: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'request.too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.wrong_type',
  FST_ERR_BAD_URL: 'route.not_found',
  FST_ERR_NOT_FOUND: 'route.not_found',
}

/** Maps a thrown error to an error code of the contract. */
export function toErrorCode(error: FastifyError | AppError | Error): ErrorCode {
  if (error instanceof AppError) return error.code
  const { code = '', statusCode } = error as Partial<FastifyError>
  if (errorCodeByFrameworkCode[code]) return errorCodeByFrameworkCode[code]
  if (isDatabaseUnavailable(error) || isSystemFailure(code)) return 'server.unavailable'
  // Fastify rejected the request as malformed.
  if (statusCode && statusCode >= 400 && statusCode < 500) return 'request.invalid'
  return 'server.failed'
}

/** SQLITE_BUSY, SQLITE_LOCKED, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL. */
const transientSqliteCodes = [5, 6, 8, 10, 13]

/**
 * PostgreSQL error codes of transient failures: no connection (08), login rejected (28), no such database (3D), out of resources
 * (53), disk failure (58), stopping or starting (57P) or read-only (25006). Also timeouts of a statement (57014), a lock (55P03) or
 * an idle transaction (25P), and serialization failures and deadlocks (40).
 */
const transientPostgresCodes = /^(08...|25006|25P0[34]|28...|3D000|40001|40P01|53...|55P03|57014|57P0.|58030)$/

const networkErrorCodes = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE)$/
/** Errors of the PostgreSQL driver, which have no code. */
const driverMessages =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|timeout (exceeded|expired)|There was an error establishing an SSL|Postgres connection has been discarded)/

/** Returns whether the database failed for a transient reason, so that the request can be retried. */
function isDatabaseUnavailable({ code = '', errcode = 0, syscall, message }: Error & Partial<SystemError>) {
  if (code === 'ERR_SQLITE_ERROR') return transientSqliteCodes.includes(errcode & 0xff)
  return (
    transientPostgresCodes.test(code) || networkErrorCodes.test(code) || syscall === 'connect' || driverMessages.test(message)
  )
}

interface SystemError {
  code: string
  errcode: number
  syscall: string
}

/** No file descriptors left, or a disk that Linux remounted read-only after an error. */
const isSystemFailure = (code: string) => ['EMFILE', 'ENFILE', 'EROFS'].includes(code)
