import { describe, expect, it } from 'vitest'
import { deriveAccent, findPermittedAccent, getContrast, isPermittedAccent } from './accent.ts'

/** A thousand colours from all over the range. */
const channel = ['00', '11', '33', '55', '77', '99', 'bb', 'dd', 'ee', 'ff']
const colours = channel.flatMap((r) => channel.flatMap((g) => channel.map((b) => `#${r}${g}${b}`)))

it('computes the contrast of two colours', () => {
  expect(getContrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(getContrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
})

it('rejects colours whose buttons are hard to see on a white page', () => {
  expect(['#ffffff', '#ffeb3b', '#d8d8d8', '#00ff00'].filter(isPermittedAccent)).toEqual([])
  expect(['#000000', '#006eb3', '#c2185b', '#8a7400', '#949494'].filter((colour) => !isPermittedAccent(colour))).toEqual([])
})

it('proposes a permitted colour with the same hue, and keeps a permitted one', () => {
  expect(colours.map(findPermittedAccent).filter((colour) => !isPermittedAccent(colour))).toEqual([])
  expect(findPermittedAccent('#ffeb3b')).toBe('#a2940b')
  expect(findPermittedAccent('#006EB3')).toBe('#006eb3')
})

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  // The colours of canvas, surface, raised and hover in tokens.css.
  const backgrounds = { light: ['#ffffff', '#f8fafb', '#f1f4f7'], dark: ['#0d1116', '#14191e', '#1b2127', '#21272e'] }[theme]
  const shades = colours.filter(isPermittedAccent).map((colour) => deriveAccent(colour)[theme])

  it('derives text that is readable on every background', () => {
    const getWorst = (text: string, tint: string) => Math.min(...[...backgrounds, tint].map((back) => getContrast(text, back)))
    expect(shades.filter(({ text, textHover, tint }) => getWorst(text, tint) < 4.5 || getWorst(textHover, tint) < 4.5)).toEqual(
      [],
    )
  })

  it('derives buttons that can be seen, with readable text', () => {
    expect(shades.filter(({ fill }) => getContrast(fill, backgrounds[0] ?? '') < 3)).toEqual([])
    expect(shades.filter(({ fill, onFill }) => getContrast(fill, onFill) < 4.5)).toEqual([])
    expect(shades.filter(({ fillHover, onFill }) => getContrast(fillHover, onFill) < 4.5)).toEqual([])
  })
})
