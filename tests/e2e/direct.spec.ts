import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page, TestInfo } from '@playwright/test'
import { enter, openClient } from '../support/client.ts'
import { startNeptune } from '../support/start-neptune.ts'
import { type S3, startS3 } from '../support/start-s3.ts'
import { downloadBy } from './access-steps.ts'
import { admin, expect, signIn, test } from './fixtures.ts'
import { megabyte, row, sha256, upload, withPlainPicker, writeFile } from './upload-steps.ts'

test.describe.configure({ mode: 'default' }) // one store is enough

let s3: S3
test.beforeAll(async () => {
  test.setTimeout(120_000)
  s3 = await startS3()
})
test.afterAll(() => s3?.stop())

/** What the page asks of whom, but for files of the web itself. */
function watch(page: Page, store: string): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url())
    if (origin === store) asked.push(`${request.method()} store`)
    else if (/^\/v1\/(upload|file\/[^/]+\/ticket)/.test(pathname)) asked.push(`${request.method()} Neptune`)
  })
  return asked
}

test('with S3_DIRECT the bytes of a file go straight to the store and come from there', async ({ browser }, info) => {
  const endpoint = s3.settings.S3_ENDPOINT
  await using direct = await startDirect('direct')
  const page = await browser.newPage({ baseURL: direct.url })
  const asked = watch(page, endpoint)
  const { bytes, held } = await uploadFilm(page, direct.url, info)
  expect(held).toEqual({ 'Film.mp4': sha256(bytes) })
  expect(asked).not.toContain('PATCH Neptune')
  expect(asked.filter((text) => text === 'PUT store').length).toBeGreaterThan(1)

  await page.goto('/files')
  const download = await downloadBy(page, () =>
    page.getByRole('table').getByRole('button', { name: 'Film.mp4', exact: true }).click(),
  )
  expect(download.suggestedFilename()).toBe('Film.mp4')
  expect(new URL(download.url()).origin).toBe(endpoint)
  expect(sha256(readFileSync(await download.path()))).toBe(sha256(bytes))
})

test('who cannot reach the store sends the bytes by way of Neptune, and need not know', async ({ browser }, info) => {
  const unreachable = 'http://127.0.0.1:9'
  await using direct = await startDirect('around', { S3_PUBLIC_ENDPOINT: unreachable })
  const page = await browser.newPage({ baseURL: direct.url })
  const asked = watch(page, unreachable)
  const { bytes, held } = await uploadFilm(page, direct.url, info)
  expect(held).toEqual({ 'Film.mp4': sha256(bytes) })
  expect(asked).toContain('PATCH Neptune')
})

/** A Neptune that leaves the bytes to the store. */
const startDirect = (bucket: string, more: Record<string, string> = {}) =>
  startNeptune({
    ...s3.settings,
    S3_BUCKET: bucket,
    S3_DIRECT: 'on',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    ...more,
  })

/** What the server then holds: each name with its SHA-256. */
async function uploadFilm(page: Page, url: string, info: TestInfo) {
  await withPlainPicker(page)
  const bytes = randomBytes(20 * megabyte) // more than one part
  const { headers, company } = await enter(url, admin)
  const client = openClient(url, headers)
  const { id } = await client.data('POST', '/v1/directory', { directory: 'Contracts', client: company })
  await page.goto(`/directories/${id}`)
  await signIn(page)
  await upload(page, writeFile(info, 'Film.mp4', bytes))
  await expect(row(page, 'Film.mp4')).toContainText('In Contracts')
  const rows = await client.data<{ file_name: string; sha256: string }[]>('GET', `/v1/file?directory=${id}`)
  return { bytes, held: Object.fromEntries(rows.map(({ file_name, sha256 }) => [file_name, sha256])) }
}
