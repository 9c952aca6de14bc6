/** Shortens a name so that it fits into a subject line. */
export const shorten = (name: string) => ([...name].length > 60 ? `${[...name].slice(0, 59).join('')}…` : name)
