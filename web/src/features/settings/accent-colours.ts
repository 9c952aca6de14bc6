import { accentTokens, deriveAccent, findPermittedAccent, isPermittedAccent } from '@neptune/contract'
import type { CSSProperties } from 'react'
import type { PageTheme } from '../../components/logo-sample.tsx'
import type { Text } from '../../i18n/t.ts'

/** The colour of Neptune itself, which applies if the organisation has none. */
export const defaultAccent = '#006eb3'

/** Colours to choose from. All are permitted. */
export const presets = [
  { colour: defaultAccent, name: 'Blue' },
  { colour: '#00796b', name: 'Teal' },
  { colour: '#2e7d32', name: 'Green' },
  { colour: '#b45309', name: 'Amber' },
  { colour: '#c62828', name: 'Red' },
  { colour: '#ad2a6f', name: 'Pink' },
  { colour: '#6d3fc0', name: 'Purple' },
  { colour: '#3f4b5b', name: 'Graphite' },
] as const satisfies { colour: string; name: Text }[]

export const isColour = (text: string) => /^#[0-9a-f]{6}$/i.test(text)

/** Returns the nearest permitted colour if this one is a colour, but not permitted. */
export const findAlternative = (accent: string) =>
  isColour(accent) && !isPermittedAccent(accent) ? findPermittedAccent(accent) : undefined

/** Returns the colour to preview for what was typed: always a permitted one. */
export const toPreviewAccent = (typed: string, saved: string | null) =>
  typed.trim() === ''
    ? defaultAccent
    : isColour(typed.trim())
      ? (findAlternative(typed.trim()) ?? typed.trim())
      : (saved ?? defaultAccent)

/** Returns the design tokens that a colour replaces, for one theme. */
export function toAccentStyle(accent: string, theme: PageTheme): CSSProperties {
  const shades = deriveAccent(accent)[theme]
  return Object.fromEntries(accentTokens.map(([token, shade]) => [`--${token}`, shades[shade]]))
}

/** Applies the colour to this page without a reload. */
export function applyAccent(accent: string | null): void {
  const { light, dark } = deriveAccent(accent ?? defaultAccent)
  const { style } = document.documentElement
  for (const [token, shade] of accentTokens) style.setProperty(`--${token}`, `light-dark(${light[shade]}, ${dark[shade]})`)
}
