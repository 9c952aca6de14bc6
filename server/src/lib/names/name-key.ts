/**
 * Returns the key by which names of any kind are compared and searched. Names with the same key would be the same file on
 * a case-insensitive file system. ß and ss differ, because Maße and Masse are different words.
 */
export const toNameKey = (name: string) => name.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC')
