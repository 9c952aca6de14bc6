/** The dashboard's totals. */
export const dashboard = {
  Summary: 'Übersicht',
  'Total Shareable Links': 'Links insgesamt',
  'Total Directories': 'Verzeichnisse insgesamt',
  'Total Files': 'Dateien insgesamt',
} as const
