import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { languages } from '@neptune/contract'
import { expect } from '@playwright/test'
import { test } from './portals.ts'
import { type Look, ViewDriver } from './view-driver.ts'
import { walkBrandedPortal } from './walk-brand.ts'
import { walkPasskeys } from './walk-passkeys.ts'
import { walkEmptyPortal, walkPublicScreens } from './walk-public.ts'
import { walkRecipient } from './walk-recipient.ts'
import { walkSecondFactor } from './walk-second-factor.ts'
import { walkSingleSignOn } from './walk-single-sign-on.ts'
import { walkAdministration, walkFilesAndLinks } from './walk-staff.ts'

const screenshots = join(import.meta.dirname, '../../test-results/pictures')

const walks = {
  'public screens': walkPublicScreens,
  'an empty portal': walkEmptyPortal,
  'a branded portal': walkBrandedPortal,
  'a recipient': walkRecipient,
  'files and links': walkFilesAndLinks,
  'people, email, tokens and webhooks': walkAdministration,
  'a second factor': walkSecondFactor,
  passkeys: walkPasskeys,
  'single sign-on': walkSingleSignOn,
}

/**
 * Every language in the narrowest and in a wide window. The theme doesn't change how much room a text needs, and 390 pixels leave more
 * of it than 320, so these are combined in English and in German only.
 */
const looks: Look[] = [
  ...languages.flatMap((language) =>
    [320, 1280].map((width) => ({ language, colorScheme: 'light' as const, width, withAxe: language === 'de' })),
  ),
  { language: 'en', colorScheme: 'light', width: 390, withAxe: true },
  { language: 'en', colorScheme: 'dark', width: 1280, withAxe: true },
  { language: 'de', colorScheme: 'dark', width: 390, withAxe: true },
]

for (const look of looks) {
  const { language, colorScheme, width } = look
  for (const [name, walk] of Object.entries(walks)) {
    const title = `${language} ${colorScheme} ${width}`
    test(`${title}: ${name}: every look is translated, fits and is saved as a screenshot`, async ({
      browser,
      demoPortal,
      emptyPortal,
    }) => {
      test.setTimeout(600_000) // about thirty views
      const portal = name === 'an empty portal' ? emptyPortal : demoPortal
      const folder = join(screenshots, title, name)
      rmSync(folder, { recursive: true, force: true })
      const context = await browser.newContext({
        baseURL: portal.url,
        locale: language === 'en' ? 'en-GB' : language,
        colorScheme,
        viewport: { width, height: width < 768 ? 844 : 800 },
        hasTouch: width < 768,
        reducedMotion: 'reduce',
      })
      const driver = new ViewDriver(await context.newPage(), look, folder)
      await walk(driver, portal)
      await context.close()
      expect(driver.faults).toEqual([])
    })
  }
}
