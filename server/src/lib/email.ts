/** Emails are stored and compared in lower case, without the spaces that pasting can add. */
export const normalizeEmail = (email: string) => email.trim().toLowerCase()
