import { screens } from '@neptune/contract'

export type Screen = keyof typeof screens

type Paths = {
  [S in Screen]: (typeof screens)[S] extends `${string}{${string}` ? (value: string) => string : (typeof screens)[S]
}

/** The path of every screen, or a function of the parameter if it has one. */
export const paths = Object.fromEntries(
  Object.entries(screens).map(([screen, path]) => [screen, path.includes('{') ? fillParameter(path) : path]),
) as Paths

/** Converts a path for the router, which writes a parameter as `:name`. */
export const toRoutePattern = (screen: Screen) => screens[screen].replaceAll(/\{(\w+)\}/g, ':$1')

function fillParameter(path: string) {
  return (value: string) => path.replace(/\{\w+\}/, () => encodeURIComponent(value))
}
