import { expect, it } from 'vitest'
import { makeReplyCheck } from './check-reply.ts'
import { type Document, listOperations } from './document.ts'

const document: Document = {
  components: { schemas: { Problem: { type: 'object', required: ['code'] }, Bytes: {} } },
  paths: {
    '/v1/thing': {
      post: {
        operationId: 'thing.create',
        'x-access': 'public',
        parameters: [],
        requestBody: { content: { 'application/json': { schema: { type: 'object', required: ['name'] } } } },
        responses: {
          200: {
            headers: { ETag: { required: true, schema: { type: 'string' } } },
            content: { 'application/json': { schema: { type: 'object', required: ['id'] } } },
          },
          409: {
            content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
            'x-codes': ['thing.taken'],
          },
          500: { content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } },
        },
      },
    },
  },
}

const json = 'application/json'
const problem = 'application/problem+json'

it.each([
  [200, json, { etag: '"a"' }, { id: 'a' }, { name: 'a' }, []],
  [200, json, {}, { id: 'a' }, { name: 'a' }, ['lacks the header ETag']],
  [
    200,
    json,
    { etag: '"a"' },
    {},
    { name: 'a' },
    ["sent a body that its schema does not allow: data must have required property 'id'"],
  ],
  [200, 'text/html', { etag: '"a"' }, {}, { name: 'a' }, ['sent a body of type text/html, which is not declared for 200']],
  [
    200,
    json,
    { etag: '"a"' },
    { id: 'a' },
    {},
    ["accepted a body that the document forbids: data must have required property 'name'"],
  ],
  [409, problem, {}, { code: 'thing.taken' }, {}, []],
  [409, problem, {}, { code: 'thing.gone' }, {}, ['returned 409 thing.gone, which is not declared']],
  [418, problem, {}, { code: 'x' }, {}, ['returned 418, which is not declared']],
  [500, problem, {}, { code: 'x' }, {}, ['returned 500: {"code":"x"}']],
])('lists the mismatches with the document, if any: %s %s %j %j after %j', (status, type, headers, body, sent, faults) => {
  const [operation] = listOperations(document)
  if (!operation) throw new Error('The document has no operation')
  const request = { method: 'POST', target: '/v1/thing', headers: {}, body: undefined, json: sent }
  const reply = { status, headers: { 'content-type': type, ...headers }, body: Buffer.from(JSON.stringify(body)) }
  expect(makeReplyCheck(document)(operation, request, reply)).toEqual(faults)
})
