import { screens } from '@neptune/contract'

export type Screen = keyof typeof screens

type Paths = {
  [S in Screen]: (typeof screens)[S] extends `${string}{${string}` ? (value: string) => string : (typeof screens)[S]
}

/** The address of every screen; where it has a parameter, a function of its value. */
export const paths = Object.fromEntries(
  Object.entries(screens).map(([screen, address]) => [screen, address.includes('{') ? filled(address) : address]),
) as Paths

/** The same for the router, which writes a parameter as `:name`. */
export const routePattern = (screen: Screen) => screens[screen].replaceAll(/\{(\w+)\}/g, ':$1')

function filled(address: string) {
  return (value: string) => address.replace(/\{\w+\}/, () => encodeURIComponent(value))
}
