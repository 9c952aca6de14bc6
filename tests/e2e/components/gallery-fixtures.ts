import { test as base, expect } from '@playwright/test'
import { startGallery } from '../../support/start-gallery.ts'
import { startNeptune } from '../../support/start-neptune.ts'
import { provideContext } from '../context.ts'

export const test = base.extend<object, { gallery: string }>({
  gallery: [
    async ({ browserName: _ }, use) => {
      // Starts Neptune once, only to read its content security policy.
      const policy = await (async () => {
        await using neptune = await startNeptune()
        return (await fetch(`${neptune.url}/login`)).headers.get('content-security-policy')
      })()
      const gallery = await startGallery(policy ?? '')
      await use(gallery.url)
      await gallery.stop()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ gallery }, use) => use(gallery),
  context: provideContext,
})

export { expect }
