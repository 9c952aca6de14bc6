import { api, type Endpoint } from '@neptune/contract'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { AppError } from '../../lib/app-error.ts'
import { addErrorHandler } from '../errors.ts'
import { serve } from '../serve.ts'
import { checkReplies } from './check-replies.ts'

/** Returns what the check reports about one call of an endpoint, answered by `handler`. */
async function findMismatches<const E extends Endpoint>(endpoint: E, handler: Parameters<typeof serve<E>>[2]) {
  const mismatches: string[] = []
  const app = Fastify()
  addErrorHandler(app)
  checkReplies(app, (mismatch) => mismatches.push(mismatch))
  serve(app, endpoint, handler)
  await app.inject({ method: endpoint.method, url: endpoint.path.replaceAll(/\{\w+\}/g, 'x') })
  await app.close()
  return [...new Set(mismatches)]
}

it('reports an error code that the endpoint does not declare, and where to add it', async () => {
  const found = await findMismatches(api.user.restore, async () => {
    throw new AppError('user.last_admin')
  })
  expect(found).toEqual([
    "POST /v1/admin/user/{id}/restore answered 409 user.last_admin, which it does not declare. Add 'user.last_admin' to `errors` of api.user.restore in contract/src/user.ts, or throw a code that it declares; then run `npm run openapi`.",
  ])
})

it('reports an undeclared status, content type and header, and a missing header', async () => {
  const mismatches = async (type: string, headers: object, status = 200) =>
    findMismatches(api.activity.download, async ({ reply }) => {
      reply.code(status).type(type).headers(headers).send('x')
    })
  const saved = { 'content-disposition': 'attachment' }
  expect(await mismatches('text/csv; charset=utf-8', saved)).toEqual([])
  expect(await mismatches('text/html', saved)).toEqual([expect.stringContaining('as text/html, which it does not declare')])
  expect(await mismatches('text/csv', { ...saved, etag: '"a"' })).toEqual([
    expect.stringContaining('with the undeclared header etag. Add it to `replyHeaders` of api.activity.download'),
  ])
  expect(await mismatches('text/csv', {})).toEqual([expect.stringContaining('without the header content-disposition')])
  expect(await mismatches('text/csv', saved, 202)).toEqual([expect.stringContaining('answered 202, which it does not declare')])
})

it('reports JSON that the schema of the reply does not allow', async () => {
  const found = await findMismatches(api.stats.read, async () => ({ data: { links: 1 } }) as never)
  expect(found).toEqual([expect.stringContaining('GET /v1/stats sent a body that its `reply` does not allow')])
})
