import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { test } from './portals.ts'
import { languages, ViewDriver } from './view-driver.ts'
import { walkEmptyPortal, walkPublicScreens } from './walk-public.ts'
import { walkRecipient } from './walk-recipient.ts'
import { walkAdministration, walkFilesAndLinks } from './walk-staff.ts'

const screenshots = join(import.meta.dirname, '../../test-results/pictures')

const walks = {
  'public screens': walkPublicScreens,
  'an empty portal': walkEmptyPortal,
  'a recipient': walkRecipient,
  'files and links': walkFilesAndLinks,
  'people, email, tokens and webhooks': walkAdministration,
}

const locales = { en: 'en-GB', de: 'de-DE' }

for (const language of languages) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      for (const [name, walk] of Object.entries(walks)) {
        const look = `${language} ${colorScheme} ${width}`
        test(`${look}: ${name}: every view fits, passes axe and is saved as a screenshot`, async ({
          browser,
          demoPortal,
          emptyPortal,
        }) => {
          test.setTimeout(600_000) // axe checks about thirty views
          const portal = name === 'an empty portal' ? emptyPortal : demoPortal
          const folder = join(screenshots, look, name)
          rmSync(folder, { recursive: true, force: true })
          const context = await browser.newContext({
            baseURL: portal.url,
            locale: locales[language],
            colorScheme,
            viewport: { width, height: width < 768 ? 844 : 800 },
            hasTouch: width < 768,
            reducedMotion: 'reduce',
          })
          const driver = new ViewDriver(await context.newPage(), language, folder)
          await walk(driver, portal)
          await context.close()
          expect(driver.faults).toEqual([])
        })
      }
    }
  }
}
