/**
 * Returns `name_order` of a name in lower-case ASCII. A copy of server/src/lib/names/name-order.ts, so that test data doesn't depend on the
 * code that it tests.
 */
export function makeNameOrder(name: string): string {
  const bare = name.replaceAll(/(?<!\d)0+(?=\d)/g, '')
  const order = bare.replaceAll(/\d+/g, (digits) => formatLength(digits.length) + digits)
  const firstDifference = [...name].findIndex((character, i) => character !== bare[i])
  return firstDifference < 0 ? order : `${order}\u0001${name.slice(firstDifference)}`
}

const formatLength = (length: number) => (length < 9 ? `${length}` : `9${String(length).padStart(3, '0')}`)
