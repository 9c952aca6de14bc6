import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { german } from '../../web/src/i18n/de/german.ts'
import { expectClean } from '../e2e/expect-clean.ts'

export const languages = ['en', 'de'] as const
type TranslationKey = keyof typeof german
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
  readonly #language: Language
  readonly #folder: string

  constructor(page: Page, language: Language, folder: string) {
    mkdirSync(folder, { recursive: true })
    this.page = page
    this.#language = language
    this.#folder = folder
  }

  /** Returns the text in the language of this look. */
  translate(text: TranslationKey, values: Record<string, string> = {}): string {
    const translation = this.#language === 'en' ? text.replace(/ \(an? [a-z]+\)$/, '') : german[text]
    const form = typeof translation === 'string' ? translation : Object.values(translation as Record<string, string>).at(-1)
    return (form ?? text).replaceAll(/\{(\w+)\}/g, (slot, name: string) => values[name] ?? slot)
  }

  button(text: TranslationKey, values?: Record<string, string>, scope: Page | Locator = this.page): Locator {
    return scope.getByRole('button', { name: this.translate(text, values), exact: true }).first()
  }

  /** Presses a button of the open dialog or, if none is open, of the page. */
  async press(text: TranslationKey, values?: Record<string, string>) {
    const dialog = this.page.getByRole('dialog')
    await this.button(text, values, (await dialog.count()) > 0 ? dialog.last() : this.page).click()
  }

  /** Chooses an item of the open menu. */
  async choose(text: TranslationKey) {
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
  async pressAndCapture(name: string, text: TranslationKey, values?: Record<string, string>) {
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
