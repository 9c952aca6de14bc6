import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { buildOpenapi } from './openapi.ts'

it('passes the strictest recommended rules of an OpenAPI linter', async () => {
  // A sign-in with a provider only redirects. contract.test.ts checks that other calls can succeed.
  const config = await createConfig({ extends: ['recommended-strict'], rules: { 'operation-2xx-response': 'off' } })
  const problems = await lintFromString({ source: JSON.stringify(buildOpenapi()), config })
  const findings = problems.map(({ ruleId, message, location: [place] }) => `${ruleId}: ${message} ${place?.pointer}`)
  expect(findings).toEqual([])
})

it('is checked by a linter that reports a missing field', async () => {
  const { info: _, ...withoutInfo } = buildOpenapi()
  const config = await createConfig({ extends: ['recommended-strict'] })
  const problems = await lintFromString({ source: JSON.stringify(withoutInfo), config })
  expect(problems.map(({ message }) => message)).toContain('The field `info` must be present on this level.')
})

const responsesOf = (path: string, method: string) => {
  const operation = buildOpenapi().paths[path]?.[method] as {
    parameters: { name: string; in: string; required: boolean }[]
    responses: Record<string, { headers?: object; content?: object }>
  }
  const headers = (status: number) => Object.keys(operation.responses[status]?.headers ?? {})
  const types = (status: number) => Object.keys(operation.responses[status]?.content ?? {})
  const requestHeaders = operation.parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
  return { headers, types, requestHeaders, statuses: Object.keys(operation.responses) }
}

it('documents the content types, headers and statuses of downloads', () => {
  const download = responsesOf('/v1/file/{id}', 'get')
  expect(download.requestHeaders).toEqual(['Range', 'If-Range', 'If-None-Match'])
  expect(download.types(200)).toContain('application/pdf')
  expect(download.types(206)).toEqual(download.types(200))
  expect(download.headers(206)).toEqual(
    expect.arrayContaining(['Content-Disposition', 'Content-Filename', 'Accept-Ranges', 'ETag', 'Content-Range']),
  )
  expect(download.statuses).toEqual(expect.arrayContaining(['200', '206', '304', '416']))
  expect(download.headers(416)).toEqual(['Content-Range'])
  expect(responsesOf('/v1/file/{id}', 'head').headers(200)).toEqual(download.headers(200))
  expect(responsesOf('/v1/directory/{id}/zip', 'get').types(200)).toEqual(['application/zip'])
  expect(responsesOf('/v1/thumbnail/{ticket}', 'get').types(200)).toEqual(['image/webp'])
  expect(responsesOf('/v1/activity/export/{ticket}', 'get').types(200)).toEqual(['text/csv'])
  expect(responsesOf('/v1/export/file', 'get').types(200)).toEqual(['application/x-ndjson'])
  expect(responsesOf('/v1/preview/{ticket}/{name}', 'get').types(200)).not.toContain('application/zip')
})

it('documents the headers and statuses of tus', () => {
  const create = responsesOf('/v1/upload', 'post')
  expect(create.requestHeaders).toEqual(['Tus-Resumable', 'Upload-Length', 'Upload-Metadata'])
  expect(create.headers(201)).toEqual(expect.arrayContaining(['Location', 'Tus-Resumable', 'Upload-Offset', 'Upload-Expires']))
  expect(create.headers(412)).toEqual(['Tus-Resumable', 'Tus-Version'])
  const append = responsesOf('/v1/upload/{id}', 'patch')
  expect(append.requestHeaders).toEqual(['Tus-Resumable', 'Upload-Offset', 'Upload-Checksum'])
  expect(append.headers(204)).toEqual(expect.arrayContaining(['Upload-Offset', 'Neptune-File']))
  expect(append.statuses).toEqual(expect.arrayContaining(['204', '404', '409', '412', '413', '415', '423', '460', '507']))
  expect(responsesOf('/v1/upload', 'options').headers(204)).toContain('Tus-Max-Size')
})
