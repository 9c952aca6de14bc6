interface Place {
  id: string
  name: string
}

/** Formats folders as a path: `Tax 2026 / Receipts`. */
export const formatPath = (places: readonly Place[]): string => places.map(({ name }) => name).join(' / ')

/** Returns the part of a path below a folder. The whole path, if the folder isn’t in it. */
export const getPathBelow = (places: readonly Place[], folder: string): readonly Place[] =>
  places.slice(places.findIndex(({ id }) => id === folder) + 1)
