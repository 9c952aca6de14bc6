/** Looks up class names in a CSS module and joins the truthy ones: `c('button', busy && 'busy')`. */
export function classNames(module: Readonly<Record<string, string>>) {
  return (...names: (string | false | null | undefined)[]) =>
    names
      .map((name) => name && module[name])
      .filter(Boolean)
      .join(' ')
}
