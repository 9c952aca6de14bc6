import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { german } from '../../web/src/i18n/de/german.ts'
import { expectClean } from '../e2e/expect-clean.ts'

export const languages = ['en', 'de'] as const
type Text = keyof typeof german
export type Language = (typeof languages)[number]

/** The maximum height of a screenshot. */
const maxHeightPx = 3000

/** Drives the product in one look (language, theme and width): presses buttons by their English names and saves every view as a picture. */
export class Stage {
  readonly faults: string[] = []
  readonly seen: string[] = []
  readonly page: Page
  readonly #language: Language
  readonly #folder: string

  constructor(page: Page, language: Language, folder: string) {
    mkdirSync(folder, { recursive: true })
    this.page = page
    this.#language = language
    this.#folder = folder
  }

  /** Returns a text of the web in the language of this look. */
  say(text: Text, values: Record<string, string> = {}): string {
    const translation = this.#language === 'en' ? text.replace(/ \(an? [a-z]+\)$/, '') : german[text]
    const form = typeof translation === 'string' ? translation : Object.values(translation as Record<string, string>).at(-1)
    return (form ?? text).replaceAll(/\{(\w+)\}/g, (slot, name: string) => values[name] ?? slot)
  }

  button(text: Text, values?: Record<string, string>, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name: this.say(text, values), exact: true }).first()
  }

  async press(text: Text, values?: Record<string, string>) {
    const dialog = this.page.getByRole('dialog')
    await this.button(text, values, (await dialog.count()) > 0 ? dialog.last() : this.page).click()
  }

  async choose(text: Text) {
    await this.page.getByRole('menuitem', { name: this.say(text), exact: true }).click()
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

  /** Saves a picture of the current view and runs axe on it. Records faults without stopping. */
  async look(name: string) {
    await expect(this.page.locator('[aria-busy=true]')).toHaveCount(0)
    try {
      await expectClean(this.page, name)
    } catch (error) {
      this.faults.push(`${name}: ${error instanceof Error ? error.message : error}`)
    }
    this.seen.push(name)
    const number = String(this.seen.length).padStart(2, '0')
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

  /** Presses a button, saves the view of what it opens, and closes it. */
  async peek(name: string, text: Text, values?: Record<string, string>) {
    await this.press(text, values)
    await this.lookAndClose(name)
  }

  async lookAndClose(name: string) {
    const opened = this.page.getByRole('dialog').or(this.page.getByRole('menu'))
    await expect(opened.first()).toBeVisible()
    await this.look(name)
    await this.page.keyboard.press('Escape')
    await expect(opened).toHaveCount(0)
  }
}
