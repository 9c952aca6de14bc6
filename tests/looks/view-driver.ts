import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '@neptune/contract'
import { expect, type Locator, type Page } from '@playwright/test'
import { readCatalogue } from '../../web/build/catalogues.ts'
import type { Catalogue, Text } from '../../web/src/i18n/catalogue.ts'
import { expectClean, expectFits } from '../e2e/expect-clean.ts'
import { createEnglishFinder, readShownTexts } from '../e2e/shown-texts.ts'
import { createAppTextCheck, findClippedTexts } from './clipped-texts.ts'

export interface Look {
  colorScheme: 'light' | 'dark'
  width: number
  /** Whether to run axe. It takes most of the time. */
  withAxe?: boolean
}

/** The maximum height of a screenshot. */
const maxHeightPx = 3000

/**
 * Drives the browser in one language. Finds buttons by their English names, and checks and saves every view in each look. Interacts in
 * the first look, so all of them must have the same layout.
 */
export class ViewDriver {
  readonly faults: string[] = []
  readonly captured: string[] = []
  readonly page: Page
  readonly #catalogue: Catalogue
  readonly #plurals: Intl.PluralRules
  readonly #looks: readonly Look[]
  readonly #getFolder: (look: Look) => string
  readonly #findEnglish: (texts: readonly string[]) => string[]
  readonly #isAppText: (text: string) => boolean

  constructor(page: Page, language: Language, looks: readonly Look[], getFolder: (look: Look) => string) {
    for (const look of looks) mkdirSync(getFolder(look), { recursive: true })
    this.page = page
    this.#catalogue = readCatalogue(language)
    this.#plurals = new Intl.PluralRules(language)
    this.#looks = looks
    this.#getFolder = getFolder
    this.#findEnglish = createEnglishFinder(language)
    this.#isAppText = createAppTextCheck({ ...toEnglish(readCatalogue('de')), ...this.#catalogue })
  }

  /** Returns the text in the language of the walk. */
  translate(text: Text, values: Record<string, string> = {}): string {
    const translation = this.#catalogue[text] ?? text
    const category = this.#plurals.select(Number(values['n']))
    const form = typeof translation === 'string' ? translation : (translation[category] ?? translation.other)
    return form.replaceAll(/\{(\w+)\}/g, (slot, name: string) => values[name] ?? slot)
  }

  button(text: Text, values?: Record<string, string>, scope: Page | Locator = this.page): Locator {
    return scope.getByRole('button', { name: this.translate(text, values), exact: true }).first()
  }

  /** Presses a button of the open dialog or, if none is open, of the page. */
  async press(text: Text, values?: Record<string, string>) {
    const dialog = this.page.getByRole('dialog')
    await this.button(text, values, (await dialog.count()) > 0 ? dialog.last() : this.page).click()
  }

  /** Chooses an item of the open menu. */
  async choose(text: Text) {
    await this.page.getByRole('menuitem', { name: this.translate(text), exact: true }).click()
  }

  /** Opens a screen and waits until it is loaded. */
  async open(path: string) {
    await this.page.goto(path)
    await this.waitUntilLoaded()
  }

  async waitUntilLoaded() {
    await expect(this.page.getByRole('heading', { level: 1 }).first()).not.toHaveText(
      new RegExp(`^(${this.translate('Loading')}.*)?$`),
    )
    await expect(this.page.locator('[aria-busy=true]')).toHaveCount(0)
  }

  /** Checks the current view and saves screenshots of it. Records faults instead of throwing them. */
  async capture(name: string) {
    await expect(this.page.locator('[aria-busy=true]')).toHaveCount(0)
    const english = this.#findEnglish(await readShownTexts(this.page))
    this.faults.push(...english.map((text) => `${name}: not translated: ${text}`))
    const window = this.page.viewportSize() ?? { width: 0, height: 0 }
    this.captured.push(name)
    for (const look of this.#looks) {
      await this.page.setViewportSize({ ...window, width: look.width })
      await this.page.emulateMedia({ colorScheme: look.colorScheme })
      await this.#captureLook(name, look)
    }
    await this.page.setViewportSize(window)
    await this.page.emulateMedia({ colorScheme: this.#looks[0]?.colorScheme ?? null })
  }

  async #captureLook(name: string, look: Look) {
    const view = `${name}, ${look.colorScheme} ${look.width}`
    try {
      await (look.withAxe ? expectClean(this.page, view) : expectFits(this.page, view))
    } catch (error) {
      this.faults.push(`${view}: ${error instanceof Error ? error.message : error}`)
    }
    const window = this.page.viewportSize() ?? { width: 0, height: 0 }
    const pageHeight = await this.page.evaluate(() => document.documentElement.scrollHeight)
    const hasOverlay = (await this.page.getByRole('dialog').or(this.page.getByRole('menu')).count()) > 0
    // Off-screen rows are not rendered, so the window has to be as tall as the page.
    if (!hasOverlay)
      await this.page.setViewportSize({ ...window, height: Math.max(window.height, Math.min(pageHeight, maxHeightPx)) })
    const number = String(this.captured.length).padStart(2, '0')
    await this.page.screenshot({ path: join(this.#getFolder(look), `${number} ${name}.png`), animations: 'disabled' })
    const clipped = await findClippedTexts(this.page, this.#isAppText)
    this.faults.push(...clipped.map((text) => `${view}: does not fit: ${text}`))
    if (!hasOverlay) await this.page.setViewportSize(window)
  }

  /** Presses a button, captures the dialog or menu it opens, and closes it. */
  async pressAndCapture(name: string, text: Text, values?: Record<string, string>) {
    await this.press(text, values)
    await this.captureAndClose(name)
  }

  /** Captures the open dialog or menu and closes it. */
  async captureAndClose(name: string) {
    const opened = this.page.getByRole('dialog').or(this.page.getByRole('menu'))
    await expect(opened.first()).toBeVisible()
    await this.capture(name)
    await this.page.keyboard.press('Escape')
    await expect(opened).toHaveCount(0)
  }
}

/** Returns a catalogue with the English texts. Plurals and texts with a context are in the English catalogue. */
const toEnglish = (catalogue: Catalogue): Catalogue => Object.fromEntries(Object.keys(catalogue).map((text) => [text, text]))
