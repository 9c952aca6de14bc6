export const idPattern = /^[\w-]{22}$/

/** The last wall between a path or a key and anything a person typed. */
export function checked(id: string): string {
  if (!idPattern.test(id)) throw new Error('That is not an id of a blob')
  return id
}
