const findValues = (header: string | undefined, name: string) =>
  (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))

export const hasCookie = (header: string | undefined, name: string) => findValues(header, name).length > 0

/** Returns the value of a cookie. Ignores a cookie that appears twice, because it is unclear which one to trust. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = findValues(header, name)
  return values.length === 1 ? values[0] : undefined
}

/**
 * Builds a Set-Cookie value that is HttpOnly and, unless said otherwise, SameSite=Strict. `maxAge` is in seconds; without it the cookie
 * lasts for the browser session.
 */
export function writeCookie(
  name: string,
  value: string,
  { secure, maxAge, sameSite = 'Strict' }: { secure: boolean; maxAge?: number | undefined; sameSite?: 'Strict' | 'Lax' },
): string {
  return [
    `${name}=${value}`,
    'Path=/',
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(secure ? ['Secure'] : []),
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
  ].join('; ')
}
