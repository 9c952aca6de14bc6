import { chromium } from '@playwright/test'
import { createDirectoryLink } from '../support/client.ts'
import type { Case, Group } from './case.ts'
import { openBenchServer } from './servers.ts'

/** Measures the bytes that a browser without a cache downloads until the network is idle, counting compressed bytes. */
export const webGroup: Group = {
  names: ['web'],
  async open(stack) {
    const server = stack.use(await openBenchServer())
    const { key } = await createDirectoryLink(server.client, server.company, server.directory)
    const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '', args: ['--no-sandbox'] })
    stack.defer(() => browser.close())

    /** Loads a page and measures the bytes of these kinds of resources, or of all if none is given. */
    async function measurePage(path: string, kinds: string[] = []) {
      const context = await browser.newContext()
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      const kindByRequest = new Map<string, string>()
      let bytes = 0
      await session.send('Network.enable')
      session.on('Network.responseReceived', ({ requestId, type }) => void kindByRequest.set(requestId, type))
      session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        if (kinds.length === 0 || kinds.includes(kindByRequest.get(requestId) ?? '')) bytes += encodedDataLength
      })
      await page.goto(server.url + path, { waitUntil: 'networkidle' })
      await context.close()
      return { cpu: 0, seconds: 0, amount: bytes / 1024 }
    }
    const pages = { '/login': '/login', '/access/{key}': `/access/${key}` }
    return Object.entries(pages).flatMap(([name, path]): Case[] => [
      {
        name: `web: JavaScript of ${name}`,
        unit: 'KiB',
        atMost: 120,
        rounds: 1,
        measurements: { neptune: () => measurePage(path, ['Script']) },
      },
      {
        name: `web: typeface of ${name}`,
        unit: 'KiB',
        atMost: 45,
        rounds: 1,
        measurements: { neptune: () => measurePage(path, ['Font']) },
      },
      { name: `web: all of ${name}`, unit: 'KiB', rounds: 1, measurements: { neptune: () => measurePage(path) } },
    ])
  },
}
