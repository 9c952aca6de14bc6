import { hash } from 'node:crypto'
import { accentTokens, deriveAccent, isPermittedAccent } from '@neptune/contract'

interface AccentStyle {
  accent: string
  path: string
  css: string
}

/** The last one, because deriving the shades takes longer than serving them. */
let last: AccentStyle | undefined

/** Builds the stylesheet for an accent colour, and the path where it is served. */
export function buildAccentStyle(accent: string): AccentStyle {
  if (last?.accent === accent) return last
  const { light, dark } = deriveAccent(accent)
  const css = `:root{${accentTokens.map(([token, shade]) => `--${token}:light-dark(${light[shade]},${dark[shade]})`).join(';')}}`
  last = { accent, path: `/brand/${accent.slice(1)}-${hash('sha256', css, 'base64url').slice(0, 8)}.css`, css }
  return last
}

/**
 * Returns the stylesheet at a path. The path says everything that the stylesheet needs, so that every node can serve it, even one that
 * doesn't know yet, or no longer, that the organisation has this colour.
 */
export function findAccentStyle(path: string): string | undefined {
  const accent = /^\/brand\/([0-9a-f]{6})-[\w-]{8}\.css$/.exec(path)?.[1]
  if (accent === undefined || !isPermittedAccent(`#${accent}`)) return undefined
  const style = buildAccentStyle(`#${accent}`)
  return style.path === path ? style.css : undefined
}
