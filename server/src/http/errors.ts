import type { Socket } from 'node:net'
import { type ErrorCode, errors, type Problem } from '@neptune/contract'
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../lib/app-error.ts'
import { newId } from '../lib/secrets.ts'

/** Not imported: with an import come all of its names, and with one of them the whole of `fetch`, which nobody here calls. */
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** The one translation from thrown things to HTTP. */
export function addErrorHandler(app: FastifyInstance) {
  app.setErrorHandler(sendProblem)
}

/** Headers about a file that an error reply must not keep: a browser would save the error under the file's name. */
const fileHeaders = ['content-disposition', 'content-filename', 'accept-ranges', 'last-modified', 'etag']

export function sendProblem(error: FastifyError | AppError | Error, request: FastifyRequest, reply: FastifyReply) {
  const code = codeOf(error)
  const { status, message } = errors[code]
  // A disk or a quota that is full is no fault of ours to look into.
  if (status === 507) request.log.warn({ code }, 'request refused')
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
    requestId: request.id,
  }
  return reply.code(status).type('application/problem+json').serializer(JSON.stringify).send(problem)
}

/** For bytes that are not HTTP at all, which never become a request. */
export function answerBrokenRequest(headers: Record<string, string>, log: FastifyBaseLogger) {
  return (error: Error & { code?: string }, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
    const code = byParserCode[error.code ?? ''] ?? 'request.invalid'
    const { status, message } = errors[code]
    const requestId = newId()
    log.info({ requestId, status, code, client: socket.remoteAddress }, 'broken request')
    const body = JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, code, detail: message, requestId })
    const lines = Object.entries({
      ...headers,
      'x-request-id': requestId,
      'content-type': 'application/problem+json',
      'content-length': body.length,
      connection: 'close',
    })
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
    )
    socket.destroySoon() // not half-open for as long as the other side likes
  }
}

const byParserCode: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request.timeout',
  HPE_HEADER_OVERFLOW: 'request.headers_too_large',
}

const byFrameworkCode: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'request.too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.wrong_type',
  FST_ERR_BAD_URL: 'route.not_found',
  FST_ERR_NOT_FOUND: 'route.not_found',
}

/** Which error of the catalogue something thrown is. */
export function codeOf(error: FastifyError | AppError | Error): ErrorCode {
  if (error instanceof AppError) return error.code
  const { code = '', statusCode } = error as Partial<FastifyError>
  if (byFrameworkCode[code]) return byFrameworkCode[code]
  if (isDatabaseGone(error) || isMachineInTrouble(code)) return 'server.unavailable'
  // Fastify itself found the request malformed.
  if (statusCode && statusCode >= 400 && statusCode < 500) return 'request.invalid'
  return 'server.failed'
}

/** Busy, locked, read-only, input or output failed, full. */
const sqliteAway = [5, 6, 8, 10, 13]

/**
 * What PostgreSQL says, by its codes, when it may well do tomorrow what it does not do now: no connection (08), nobody let in (28, 3D), no
 * room (53), its disk failed (58), it stops or starts (57P) or is read-only (25006). Or it ended what took too long: a statement (57014),
 * waiting for a row (55P03), a transaction that stood still (25P); or one of two that were in each other's way (40).
 */
const postgresAway = /^(08...|25006|25P0[34]|28...|3D000|40001|40P01|53...|55P03|57014|57P0.|58030)$/

/** The network between; and its driver, which has words for this and no codes. */
const networkAway = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE)$/
const driverAway =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|timeout (exceeded|expired)|There was an error establishing an SSL|Postgres connection has been discarded)/

/** A database that does not answer, or not now: whatever was asked may be asked again. */
function isDatabaseGone({ code = '', errcode = 0, syscall, message }: Error & Partial<Trouble>) {
  if (code === 'ERR_SQLITE_ERROR') return sqliteAway.includes(errcode & 0xff)
  return postgresAway.test(code) || networkAway.test(code) || syscall === 'connect' || driverAway.test(message)
}

interface Trouble {
  code: string
  errcode: number
  syscall: string
}

/** No descriptor left, for us or for the whole machine; or a disk that turned read-only, as Linux does with one that fails. */
const isMachineInTrouble = (code: string) => ['EMFILE', 'ENFILE', 'EROFS'].includes(code)
