export const idPattern = /^[\w-]{22}$/

/** Returns the id, or throws if it is invalid. Keeps user input out of file paths and object keys. */
export function checkBlobId(id: string): string {
  if (!idPattern.test(id)) throw new Error('Invalid blob id')
  return id
}
