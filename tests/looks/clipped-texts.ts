import type { Page } from '@playwright/test'
import type { Catalogue } from '../../web/src/i18n/catalogue.ts'
import { listForms } from '../e2e/shown-texts.ts'

/**
 * Returns the texts of the app that are cut off, or stick out of their box or the window. Names that people chose may be cut: they
 * can have any length, and have a tooltip.
 */
export async function findClippedTexts(page: Page, isAppText: (text: string) => boolean): Promise<string[]> {
  return [...new Set(await page.evaluate(collectClippedTexts))].filter(isAppText)
}

/**
 * Returns a function that checks whether a text is from the catalogue, and not chosen by a person. It doesn't recognize texts with
 * placeholders other than `{n}`, so they are not checked.
 */
export function createAppTextCheck(catalogue: Catalogue) {
  const forms = Object.entries(catalogue).flatMap(([, translation]) => listForms(translation))
  const texts = new Set(forms.filter((form) => !form.includes('{')))
  const counts = new Set(forms.filter((form) => /\{n\}/.test(form)))
  return (text: string) => texts.has(text) || counts.has(text.replace(/[\d.,\u00a0\u202f]+/, '{n}'))
}

/** Runs in the browser. */
function collectClippedTexts(): string[] {
  const tolerancePx = 1
  const lineGapPx = 4 // the box of a line is higher than its letters
  const dialogs = document.querySelectorAll('dialog[open], [role=dialog], [role=menu]')
  const root = [...dialogs].at(-1) ?? document.body // what is behind a dialog was checked without it
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const clipped: string[] = []
  while (walker.nextNode()) {
    const text = walker.currentNode.nodeValue?.trim() ?? ''
    const element = walker.currentNode.parentElement
    // Rows far outside the window are not laid out.
    const options = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }
    if (text === '' || !element?.checkVisibility(options)) continue
    if (element.closest('.sr-only, script, style')) continue
    const range = document.createRange()
    range.selectNodeContents(walker.currentNode)
    const box = range.getBoundingClientRect()
    if (box.width > 0 && isClipped(element, box)) clipped.push(text)
  }
  for (const select of root.querySelectorAll('select')) {
    const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(select)
    const context = document.createElement('canvas').getContext('2d')
    const text = select.selectedOptions[0]?.text ?? ''
    if (!context || !select.checkVisibility({ visibilityProperty: true })) continue
    context.font = font
    const roomPx = select.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd)
    if (context.measureText(text).width > roomPx + tolerancePx) clipped.push(text)
  }
  return clipped

  /** Whether the text leaves its own block, an ancestor that hides what leaves it, or the window. */
  function isClipped(element: Element, text: DOMRect): boolean {
    let isOwnBlock = true
    for (let node: Element | null = element; node && node !== document.documentElement; node = node.parentElement) {
      const { display, overflowX, overflowY } = getComputedStyle(node)
      if (display === 'inline' || display === 'contents') continue
      const box = node.getBoundingClientRect()
      if (box.width <= 1 || box.height <= 1) return false // for screen readers only
      const leavesSideways = text.right > box.right + tolerancePx || text.left < box.left - tolerancePx
      if (leavesSideways && (isOwnBlock || isHiding(overflowX))) return true
      if (isHiding(overflowY) && (text.bottom > box.bottom + lineGapPx || text.top < box.top - lineGapPx)) return true
      if (/auto|scroll/.test(overflowX)) return false // can be scrolled to
      isOwnBlock = false
    }
    return text.right > innerWidth + tolerancePx || text.left < -tolerancePx
  }

  function isHiding(overflow: string): boolean {
    return overflow === 'hidden' || overflow === 'clip'
  }
}
