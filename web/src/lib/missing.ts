/** What stands where a value is missing. */
export const unknown = 'Unknown'

/** The company of what has none: the house itself. */
export const defaultCompany = 'Neptune'
