import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { asAdmin, expect, restart, test } from '../fixtures.ts'
import { describeTree, getExpectedTree, readTree, writeTree } from './tree-steps.ts'
import { chooseInFileChooser, dropOn, openDirectory, prepareFileChooser, reload, tray, trayRow } from './upload-steps.ts'

const files = 10_000
const folders = 1_200

test.beforeEach(async ({ page }) => {
  await prepareFileChooser(page)
  // Firefox and Safari have no handles, so they must ask for the folder after a reload.
  await page.addInitScript(() => Reflect.deleteProperty(DataTransferItem.prototype, 'getAsFileSystemHandle'))
})

/** Waits until the tray counts at least this many files as uploaded. */
const waitForFiles = (page: Page, count: number) =>
  expect
    .poll(
      async () => {
        const text =
          (await tray(page)
            .textContent({ timeout: 1000 })
            .catch(() => '')) ?? ''
        const [, done = '0'] = /([\d,]+) (?:of [\d,]+|uploaded)/.exec(text) ?? []
        return Number(done.replaceAll(',', ''))
      },
      { timeout: 1_200_000, intervals: [1000] },
    )
    .toBeGreaterThanOrEqual(count)

/** Checks a ZIP with Python, unzip and, if it is installed, 7-Zip. Returns the SHA-256 of each file, by path, and the empty folders. */
function readZip(path: string) {
  const script = `
import hashlib, json, re, sys, unicodedata, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
names = [info.filename for info in archive.infolist()]
# The rules of Windows: no reserved characters or names, no space or dot at the end, no two names that differ only in case.
for name in names:
    for part in name.rstrip('/').split('/'):
        assert not re.search(r'[<>:"\\\\\\\\|?*\\x00-\\x1f]', part) and not re.search(r'[ .]$', part), name
        assert not re.fullmatch(r'(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\\..*)?', part), name
assert len({unicodedata.normalize('NFC', name).lower() for name in names}) == len(names)
hashes = {name: hashlib.sha256(archive.read(name)).hexdigest() for name in names if not name.endswith('/')}
print(json.dumps({'files': hashes, 'folders': [name.rstrip('/') for name in names if name.endswith('/')]}))
`
  execFileSync('unzip', ['-tqq', path], { env: { ...process.env, LC_ALL: 'C.UTF-8' } })
  for (const program of ['7z', '7zz']) {
    try {
      execFileSync(program, ['t', path], { stdio: 'ignore' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error // it is not installed everywhere
    }
  }
  const output = execFileSync('python3', ['-c', script, path], { maxBuffer: 64 * 1024 * 1024, encoding: 'utf8' })
  const zip: { files: Record<string, string>; folders: string[] } = JSON.parse(output)
  return zip
}

test(
  'uploads 10,000 files in 1,200 folders, interrupted by a reload, a lost network and a killed server',
  { tag: '@slow' },
  async ({ page, baseURL, neptune, context }, info) => {
    test.setTimeout(3_600_000)
    const { directory } = await openDirectory(page, baseURL)
    const tree = describeTree({ files, folders })
    const folder = writeTree(info, tree)
    await page.evaluate(() => {
      const longTasks: number[] = []
      Object.assign(window, { longTasks })
      new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
        type: 'longtask',
      })
    })
    const startedAt = Date.now()
    await dropOn(page, [folder])
    await expect(tray(page)).toBeVisible({ timeout: 120_000 })
    info.annotations.push({ type: 'read and listed', description: `${Date.now() - startedAt} ms` })
    await waitForFiles(page, 1500)
    const longTasks = await page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks)
    info.annotations.push({ type: 'long tasks', description: `${longTasks.length}, longest ${Math.max(0, ...longTasks)} ms` })

    await reload(page)
    await expect(trayRow(page, 'Archive')).toContainText('Choose the folder again to continue.', { timeout: 120_000 })
    const choose = trayRow(page, 'Archive').getByRole('button', { name: 'Choose Archive again' })
    await chooseInFileChooser(page, () => choose.click(), folder)
    await waitForFiles(page, 1500)

    await context.setOffline(true)
    await expect(
      tray(page)
        .getByText(/Waiting for the network$/)
        .first(),
    ).toBeVisible()
    await context.setOffline(false)
    await waitForFiles(page, 3000)

    neptune.process.kill('SIGKILL')
    await neptune.ended
    await expect(
      tray(page)
        .getByText(/Waiting for the (network|server)$/)
        .first(),
    ).toBeVisible()
    await using _restarted = await restart(neptune)
    await expect(tray(page).getByText(/^[\d,]+ uploaded$/)).toBeVisible({ timeout: 2_400_000 })
    info.annotations.push({ type: 'uploaded', description: `${Date.now() - startedAt} ms` })

    const expected = getExpectedTree(tree)
    expect(await readTree(baseURL, directory)).toEqual(expected)
    const { data } = await asAdmin(baseURL)('POST', `/v1/directory/${directory}/ticket`)
    const zipPath = info.outputPath('Contracts.zip')
    writeFileSync(zipPath, new Uint8Array(await (await fetch(new URL(data.url, baseURL))).arrayBuffer()))
    const zip = readZip(zipPath)
    const zipFiles = Object.entries(zip.files).map(([path, hash]) => [path.normalize('NFC'), hash])
    expect(Object.fromEntries(zipFiles)).toEqual(expected.files)
    expect(zip.folders.map((path) => path.normalize('NFC'))).toEqual(expect.arrayContaining(expected.emptyFolders))
  },
)
