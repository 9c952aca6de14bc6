/** The name of the first company until someone renames it. */
export const firstCompanyName = 'Neptune'
