/** Shortest password anybody may choose. Length is what counts; no rule asks for signs or digits. */
export const passwordMin = 12

/** Longest password accepted anywhere, so that nobody can make the server hash a novel. */
export const passwordMax = 1024
