/** The company of what has none: the house itself. */
export const defaultCompany = 'Neptune'
