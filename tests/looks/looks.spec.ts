import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { test } from './demo.ts'
import { languages, Stage } from './stage.ts'
import { walkFirstDay, walkOpenScreens } from './walk-open.ts'
import { walkRecipient } from './walk-recipient.ts'
import { walkPeople, walkWork } from './walk-staff.ts'

const pictures = join(import.meta.dirname, '../../test-results/pictures')

const walks = {
  'open screens': walkOpenScreens,
  'the first day': walkFirstDay,
  'a recipient': walkRecipient,
  'the work of staff': walkWork,
  'people, mail and programs': walkPeople,
}

const locales = { en: 'en-GB', de: 'de-DE' }

for (const language of languages) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      for (const [name, walk] of Object.entries(walks)) {
        const look = `${language} ${colorScheme} ${width}`
        test(`${look}: ${name}: every view fits, passes axe and is saved as a picture`, async ({ browser, full, empty }) => {
          test.setTimeout(600_000) // axe checks about thirty views
          const portal = name === 'the first day' ? empty : full
          const folder = join(pictures, look, name)
          rmSync(folder, { recursive: true, force: true })
          const context = await browser.newContext({
            baseURL: portal.url,
            locale: locales[language],
            colorScheme,
            viewport: { width, height: width < 768 ? 844 : 800 },
            hasTouch: width < 768,
            reducedMotion: 'reduce',
          })
          const stage = new Stage(await context.newPage(), language, folder)
          await walk(stage, portal)
          await context.close()
          expect(stage.faults).toEqual([])
        })
      }
    }
  }
}
