const valuesOf = (header: string | undefined, name: string) =>
  (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))

export const hasCookie = (header: string | undefined, name: string) => valuesOf(header, name).length > 0

/** The value of one cookie, or undefined. Given twice it is nobody's. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = valuesOf(header, name)
  return values.length === 1 ? values[0] : undefined
}

/** A cookie no script can read and no other site can send. `maxAge` in seconds; without it the browser forgets it when it closes. */
export function writeCookie(
  name: string,
  value: string,
  { secure, maxAge }: { secure: boolean; maxAge?: number | undefined },
): string {
  return [
    `${name}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    ...(secure ? ['Secure'] : []),
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
  ].join('; ')
}
