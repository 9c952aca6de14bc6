import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page, TestInfo } from '@playwright/test'
import { authenticate, openClient } from '../../support/client.ts'
import { type S3Server, startS3 } from '../../support/services/start-s3.ts'
import { startNeptune } from '../../support/start-neptune.ts'
import { waitForDownload } from '../access/access-steps.ts'
import { admin, expect, signIn, test } from '../fixtures.ts'
import { megabyte, removeFilePicker, sha256, tray, upload, writeFile } from './upload-steps.ts'

test.describe.configure({ mode: 'default' }) // all tests share one store

let s3: S3Server
test.beforeAll(async () => {
  test.setTimeout(120_000)
  s3 = await startS3()
})
test.afterAll(() => s3?.stop())

/** Records which requests for file contents the page sends to the store and which to Neptune. */
function watchRequests(page: Page, store: string): string[] {
  const requests: string[] = []
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url())
    if (origin === store) requests.push(`${request.method()} store`)
    else if (/^\/v1\/(upload|file\/[^/]+\/ticket)/.test(pathname)) requests.push(`${request.method()} Neptune`)
  })
  return requests
}

test('uploads to and downloads from the store directly with S3_DIRECT', async ({ browser }, info) => {
  const endpoint = s3.settings.S3_ENDPOINT
  await using neptune = await startWithDirectTransfers('direct')
  const page = await browser.newPage({ baseURL: neptune.url })
  const requests = watchRequests(page, endpoint)
  const { bytes, stored } = await uploadVideo(page, neptune.url, info)
  expect(stored).toEqual({ 'Film.mp4': sha256(bytes) })
  expect(requests).not.toContain('PATCH Neptune')
  expect(requests.filter((text) => text === 'PUT store').length).toBeGreaterThan(1)

  await page.goto('/files')
  const download = await waitForDownload(page, () =>
    page.getByRole('table').getByRole('button', { name: 'Film.mp4', exact: true }).click(),
  )
  expect(download.suggestedFilename()).toBe('Film.mp4')
  expect(new URL(download.url()).origin).toBe(endpoint)
  expect(sha256(readFileSync(await download.path()))).toBe(sha256(bytes))
})

test('falls back to uploading through Neptune when the browser cannot reach the store', async ({ browser }, info) => {
  const unreachable = 'http://127.0.0.1:9'
  await using neptune = await startWithDirectTransfers('fallback', { S3_PUBLIC_ENDPOINT: unreachable })
  const page = await browser.newPage({ baseURL: neptune.url })
  const requests = watchRequests(page, unreachable)
  const { bytes, stored } = await uploadVideo(page, neptune.url, info)
  expect(stored).toEqual({ 'Film.mp4': sha256(bytes) })
  expect(requests).toContain('PATCH Neptune')
})

/** Starts a server with direct transfers to the store. */
const startWithDirectTransfers = (bucket: string, more: Record<string, string> = {}) =>
  startNeptune({
    ...s3.settings,
    S3_BUCKET: bucket,
    S3_DIRECT: 'on',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    ...more,
  })

/** Uploads a video through the UI. Returns its bytes, and the SHA-256 of every file the server then has, by name. */
async function uploadVideo(page: Page, url: string, info: TestInfo) {
  await removeFilePicker(page)
  const bytes = randomBytes(20 * megabyte) // more than one part
  const { headers, company } = await authenticate(url, admin)
  const client = openClient(url, headers)
  const { id } = await client.requestData('POST', '/v1/directory', { directory: 'Contracts', client: company })
  await page.goto(`/directories/${id}`)
  await signIn(page)
  await upload(page, writeFile(info, 'Film.mp4', bytes))
  await expect(tray(page).getByText('1 uploaded')).toBeVisible()
  const rows = await client.requestData<{ file_name: string; sha256: string }[]>('GET', `/v1/file?directory=${id}`)
  return { bytes, stored: Object.fromEntries(rows.map(({ file_name, sha256 }) => [file_name, sha256])) }
}
