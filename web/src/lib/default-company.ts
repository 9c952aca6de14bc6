/** Shown for rows without a company. */
export const defaultCompany = 'Neptune'
