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
 * The looks of the two layouts, phone and desktop. Each walk captures every view in all looks of its layout, which takes much less time than
 * a walk for each look.
 */
const layouts: Record<string, [Look, ...Look[]]> = {
  phone: [
    { colorScheme: 'light', width: 320 },
    { colorScheme: 'dark', width: 390 },
  ],
  desktop: [
    { colorScheme: 'light', width: 1280 },
    { colorScheme: 'dark', width: 1280 },
  ],
}

/** axe finds the same in every language. In German, the longest one, it checks phones in light and desktops in dark. */
const withAxe = (looks: Look[]): Look[] =>
  looks.map((look) => ({ ...look, withAxe: (look.colorScheme === 'dark') === look.width > 768 }))

for (const language of languages) {
  for (const [layout, looks] of Object.entries(layouts)) {
    for (const [name, walk] of Object.entries(walks)) {
      test(`${language} ${layout}: ${name}: every view is translated, fits in every look, and is saved as a screenshot`, async ({
        browser,
        demoPortal,
        emptyPortal,
      }) => {
        test.setTimeout(900_000) // up to about fifty views, each in two looks
        const portal = name === 'an empty portal' ? emptyPortal : demoPortal
        const getFolder = ({ colorScheme, width }: Look) => join(screenshots, `${language} ${colorScheme} ${width}`, name)
        for (const look of looks) rmSync(getFolder(look), { recursive: true, force: true })
        const [{ colorScheme, width }] = looks
        const context = await browser.newContext({
          baseURL: portal.url,
          locale: language === 'en' ? 'en-GB' : language,
          colorScheme,
          viewport: { width, height: layout === 'phone' ? 844 : 800 },
          hasTouch: layout === 'phone',
          reducedMotion: 'reduce',
        })
        const page = await context.newPage()
        const driver = new ViewDriver(page, language, language === 'de' ? withAxe(looks) : looks, getFolder)
        await walk(driver, portal)
        await context.close()
        expect(driver.faults).toEqual([])
      })
    }
  }
}
