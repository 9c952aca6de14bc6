/** E-mails are compared as people mean them: whatever the case, and without the space a paste brings along. */
export const normalizeEmail = (email: string) => email.trim().toLowerCase()
