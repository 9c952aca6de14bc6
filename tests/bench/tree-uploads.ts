import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { admin } from '../support/start-neptune.ts'
import type { Case } from './case.ts'
import { measure, type Sample } from './measure.ts'
import { openBenchServer } from './servers.ts'

/** The share of 2,000 files to upload, see `trees.ts`. */
const share = Number(process.env['BENCH_TREE'] ?? 1)
const fileCount = Math.round(2000 * share)
const filesPerFolder = 20
const fileSize = 10 * 1024
const maxUploadMs = 600_000

/** Measures the upload of a folder from a browser, from the click to the message that all files have arrived. */
export async function makeTreeUploadCases(stack: AsyncDisposableStack): Promise<Case[]> {
  const server = stack.use(await openBenchServer())
  const folder = mkdtempSync(join(tmpdir(), 'neptune-bench-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '', args: ['--no-sandbox'] })
  stack.defer(() => browser.close())
  const page = await browser.newPage({ baseURL: server.url, locale: 'en' })
  // Stores the session cookie in the page's context, which signs the page in.
  await page.request.post('/v1/identity/login', { data: admin })
  let round = 0

  /** Uploads a new tree to a new directory, so that no name is taken. */
  async function uploadTree(): Promise<Sample> {
    const name = `Tree ${++round}`
    const tree = writeTree(join(folder, name))
    const { id } = await server.client.requestData('POST', '/v1/directory', { directory: name, client: server.company })
    await page.goto(`/directories/${id}`)
    await page.getByRole('button', { name: 'Upload file' }).click()
    const dialog = page.getByRole('dialog', { name: 'Upload File' })
    await dialog.getByLabel('Folder').setInputFiles(tree)
    const upload = async () => {
      await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
      const done = page.getByText(`${fileCount.toLocaleString('en')} uploaded`)
      await done.waitFor({ timeout: maxUploadMs })
    }
    const sample = await measure([server.pid], upload, () => fileCount)
    const { files } = await server.client.requestData<{ files: number }>('GET', `/v1/directory/${id}`)
    if (files !== fileCount) throw new Error(`${files} of ${fileCount} files were uploaded`)
    rmSync(tree, { recursive: true })
    return sample
  }

  const name = `tree upload of ${fileCount.toLocaleString('en')} × 10 KiB from a browser`
  return [{ name, unit: 'CPU-ms', rounds: 5, measurements: { neptune: uploadTree } }]
}

/** Writes folders with files in two levels, and returns the path. */
function writeTree(path: string): string {
  for (let i = 0; i < fileCount; i++) {
    const number = Math.floor(i / filesPerFolder)
    const folder = join(path, `part ${Math.floor(number / 10)}`, `folder ${number}`)
    if (i % filesPerFolder === 0) mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `file ${i}.bin`), Buffer.alloc(fileSize, `${path} ${i}`))
  }
  return path
}
