import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { readCatalogue } from '../../web/build/catalogues.ts'
import type { Catalogue, Text } from '../../web/src/i18n/catalogue.ts'
import { expectClean } from '../e2e/expect-clean.ts'

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** The maximum height of a screenshot. */
const maxHeightPx = 3000

/**
 * Drives the browser in one look: a combination of language, theme and width. Finds buttons by their English names and saves a
 * screenshot of every view.
 */
export class ViewDriver {
  readonly faults: string[] = []
  readonly captured: string[] = []
  readonly page: Page
  readonly #catalogue: Catalogue
  readonly #folder: string

  constructor(page: Page, language: Language, folder: string) {
    mkdirSync(folder, { recursive: true })
    this.page = page
    this.#catalogue = readCatalogue(language)
    this.#folder = folder
  }

  /** Returns the text in the language of this look. */
  translate(text: Text, values: Record<string, string> = {}): string {
    const translation = this.#catalogue[text] ?? text
    const form = typeof translation === 'string' ? translation : translation.other
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
    await expect(this.page.getByRole('heading', { level: 1 }).first()).not.toHaveText(/^(Loading.*|Wird geladen.*)?$/)
    await expect(this.page.locator('[aria-busy=true]')).toHaveCount(0)
  }

  /** Saves a screenshot of the current view and runs axe on it. Records faults instead of throwing them. */
  async capture(name: string) {
    await expect(this.page.locator('[aria-busy=true]')).toHaveCount(0)
    try {
      await expectClean(this.page, name)
    } catch (error) {
      this.faults.push(`${name}: ${error instanceof Error ? error.message : error}`)
    }
    this.captured.push(name)
    const number = String(this.captured.length).padStart(2, '0')
    const path = join(this.#folder, `${number} ${name}.png`)
    const window = this.page.viewportSize() ?? { width: 0, height: 0 }
    const pageHeight = await this.page.evaluate(() => document.documentElement.scrollHeight)
    const hasOverlay = (await this.page.getByRole('dialog').or(this.page.getByRole('menu')).count()) > 0
    // Off-screen rows are not rendered, so the window has to be as tall as the page.
    if (!hasOverlay)
      await this.page.setViewportSize({ ...window, height: Math.max(window.height, Math.min(pageHeight, maxHeightPx)) })
    await this.page.screenshot({ path, animations: 'disabled' })
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
