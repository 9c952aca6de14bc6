/**
 * Derives the colours of pages and emails from the accent colour of an organisation. Lightness is changed in OKLCH, where equal steps
 * look equal and the hue stays the same.
 */

/** A colour in OKLCH: lightness from 0 to 1, chroma, and hue in radians. */
interface Oklch {
  l: number
  c: number
  h: number
}

/** The colours that stand for the accent in one theme, as `#rrggbb`. */
export interface AccentShades {
  /** Text, icons and lines on any background of the theme. */
  text: string
  textHover: string
  /** The background of buttons, and the text on it. */
  fill: string
  fillHover: string
  onFill: string
  /** A light background, such as that of a selected row. */
  tint: string
}

/** The design tokens of the web app that the accent colour replaces (web/src/styles/tokens.css), and their shades. */
export const accentTokens: readonly (readonly [token: string, shade: keyof AccentShades])[] = [
  ['accent', 'text'],
  ['accent-hover', 'textHover'],
  ['accent-fill', 'fill'],
  ['accent-fill-hover', 'fillHover'],
  ['on-accent', 'onFill'],
  ['accent-tint', 'tint'],
  ['focus', 'text'],
]

/** The contrast that text needs with its background, and that a control needs with what surrounds it (WCAG 2.2, 1.4.3 and 1.4.11). */
const textContrast = 4.5
const controlContrast = 3

/** The backgrounds of a theme that are hardest to read on: the darkest in the light theme, the lightest in the dark one (tokens.css). */
const themes = {
  light: { surface: '#ffffff', hardest: toHex({ l: 0.955, c: 0.006, h: 4.3 }), tint: { l: 0.955, c: 0.02 }, step: -0.01 },
  dark: {
    surface: toHex({ l: 0.245, c: 0.014, h: 4.36 }),
    hardest: toHex({ l: 0.29, c: 0.015, h: 4.36 }),
    tint: { l: 0.29, c: 0.045 },
    step: 0.01,
  },
}

/** Returns whether buttons in this colour stand out from a white page. */
export const isPermittedAccent = (accent: string) => getContrast(accent, themes.light.surface) >= controlContrast

/** Returns the permitted colour that is nearest to this one: the same hue, as light as possible. */
export const findPermittedAccent = (accent: string) => shiftUntil(accent, themes.light.step, isPermittedAccent)

/** Derives the shades of a permitted accent colour for both themes. */
export const deriveAccent = (accent: string): Record<'light' | 'dark', AccentShades> => ({
  light: deriveShades(accent, 'light'),
  dark: deriveShades(accent, 'dark'),
})

function deriveShades(accent: string, name: 'light' | 'dark'): AccentShades {
  const { surface, hardest, tint: tintTone, step } = themes[name]
  const { c, h } = toOklch(accent)
  const tint = toHex({ l: tintTone.l, c: Math.min(c, tintTone.c), h })
  const isReadable = (colour: string) => [surface, hardest, tint].every((back) => getContrast(colour, back) >= textContrast)
  const text = shiftUntil(accent, step, isReadable)
  const fill = shiftUntil(accent, step, (colour) => getContrast(colour, surface) >= controlContrast)
  const onFill = pickInk(fill)
  // The text on a button stays readable while the pointer is over it: dark buttons get darker, light ones lighter.
  return { text, textHover: shift(text, 6 * step), fill, fillHover: shift(fill, onFill === white ? -0.05 : 0.05), onFill, tint }
}

const white = '#ffffff'
const black = '#000000'

/** Returns white or black, whichever is easier to read on this colour. White wins if it is readable. */
const pickInk = (fill: string) =>
  getContrast(white, fill) >= textContrast || getContrast(white, fill) > getContrast(black, fill) ? white : black

function shiftUntil(colour: string, step: number, isEnough: (colour: string) => boolean): string {
  const count = Array.from({ length: 100 }, (_, index) => index).find((index) => isEnough(shift(colour, index * step)))
  return shift(colour, (count ?? 100) * step)
}

/** Changes the lightness. A colour that is not changed stays exactly as it is. */
function shift(colour: string, by: number): string {
  const { l, c, h } = toOklch(colour)
  return by === 0 ? colour.toLowerCase() : toHex({ l: Math.min(1, Math.max(0, l + by)), c, h })
}

/** Returns the contrast ratio of two colours, from 1 to 21 (WCAG 2.2). */
export function getContrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [getLuminance(one), getLuminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function getLuminance(colour: string) {
  const { r, g, b } = toLinear(colour)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Converts to linear light, each channel from 0 to 1. */
function toLinear(colour: string) {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return { r, g, b }
}

/** Converts by the matrices of https://bottosson.github.io/posts/oklab/. */
function toOklch(colour: string): Oklch {
  const { r, g, b } = toLinear(colour)
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const greenRed = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
  const blueYellow = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
  return {
    l: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    c: Math.hypot(greenRed, blueYellow),
    h: Math.atan2(blueYellow, greenRed),
  }
}

/** Converts to `#rrggbb`. A colour that screens can’t show loses chroma until they can. */
function toHex({ l, c, h }: Oklch): string {
  const channels = toChannels({ l, c, h })
  if (c > 0.001 && channels.some((value) => value < -0.0005 || value > 1.0005)) return toHex({ l, c: c * 0.98, h })
  const encode = (value: number) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055)
  const toByte = (value: number) => Math.round(encode(Math.min(1, Math.max(0, value))) * 255)
  return `#${channels.map((value) => toByte(value).toString(16).padStart(2, '0')).join('')}`
}

function toChannels({ l, c, h }: Oklch): number[] {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)]
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}
