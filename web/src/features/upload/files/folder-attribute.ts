/** Makes a file input choose folders. Non-standard, but supported by every browser. React’s types don’t know it. */
export const folderAttribute = { webkitdirectory: '' }
