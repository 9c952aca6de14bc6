/** Returns an email address in the form in which it is stored and compared: in lower case, without the spaces that pasting can add. */
export const normalizeEmail = (email: string) => email.trim().toLowerCase()
