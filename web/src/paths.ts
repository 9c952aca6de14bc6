import { screens } from '@neptune/contract'

export type Screen = keyof typeof screens

/** The screens that need no session. */
export type PublicScreen =
  | 'start'
  | 'login'
  | 'access'
  | 'forgot'
  | 'reset'
  | 'factorReset'
  | 'invitation'
  | 'enter'
  | 'receipt'
  | 'verify'
  | 'docs'

export type StaffScreen = Exclude<Screen, PublicScreen>

type Paths = {
  [S in Screen]: (typeof screens)[S] extends `${string}{${string}` ? (value: string) => string : (typeof screens)[S]
}

/** The path of every screen. For a path with a parameter, a function that takes its value. */
export const paths = Object.fromEntries(
  Object.entries(screens).map(([screen, path]) => [screen, path.includes('{') ? createPathBuilder(path) : path]),
) as Paths

/** Returns the path that opens a directory and selects one of its files. If the file isn’t found, the page searches for its name. */
export const getFilePath = (directory: string, file: { id: string; name: string }) =>
  `${paths.directory(directory)}?${new URLSearchParams({ file: file.id, name: file.name })}`

/** Converts a path for the router, which writes a parameter as `:name`. */
export const toRoutePattern = (screen: Screen) => screens[screen].replaceAll(/\{(\w+)\}/g, ':$1')

function createPathBuilder(path: string) {
  return (value: string) => path.replace(/\{\w+\}/, () => encodeURIComponent(value))
}
