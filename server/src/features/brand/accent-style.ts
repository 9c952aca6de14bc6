import { hash } from 'node:crypto'
import { accentTokens, deriveAccent, isPermittedAccent } from '@neptune/contract'

interface AccentStyle {
  accent: string
  path: string
  css: string
}

/** The last stylesheet. It is cached, because deriving the shades takes longer than serving them. */
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
 * Returns the stylesheet at a path. The path contains the colour, so that every node can serve it, even one that still has the settings
 * from before a change, or already those from after it.
 */
export function findAccentStyle(path: string): string | undefined {
  const accent = /^\/brand\/([0-9a-f]{6})-[\w-]{8}\.css$/.exec(path)?.[1]
  if (accent === undefined || !isPermittedAccent(`#${accent}`)) return undefined
  const style = buildAccentStyle(`#${accent}`)
  return style.path === path ? style.css : undefined
}
