import { accentTokens, deriveAccent } from '@neptune/contract'

/** Shows a new accent colour on this page. The server adds it to all pages that are loaded from now on. */
export function showAccent(accent: string): void {
  const { light, dark } = deriveAccent(accent)
  for (const [token, shade] of accentTokens)
    document.documentElement.style.setProperty(`--${token}`, `light-dark(${light[shade]}, ${dark[shade]})`)
}
