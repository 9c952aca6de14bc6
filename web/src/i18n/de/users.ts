/** Users and their companies. */
export const users = {
  Title: 'Position',
  Employee: 'Mitarbeiter',
  Active: 'Aktiv',
  Suspended: 'Gesperrt',
  Edit: 'Ändern',
  'Edit {name}': '{name} ändern',
  'Works only with this company’s directories, files and links.':
    'Arbeitet nur mit den Verzeichnissen, Dateien und Links dieses Unternehmens.',
  'Sees and changes everything in every company, including users, email and activity.':
    'Sieht und ändert alles in jedem Unternehmen, auch Benutzer, E-Mail und Aktivität.',
  'Search users': 'Benutzer durchsuchen',
  'Sort by email': 'Nach E-Mail',
  'Add user': 'Benutzer hinzufügen',
  'Rename company': 'Unternehmen umbenennen',
  'Only administrators can create companies.': 'Nur Administratoren können Unternehmen erstellen.',
  'Only administrators can add users.': 'Nur Administratoren können Benutzer hinzufügen.',
  'Only administrators can change users.': 'Nur Administratoren können Benutzer ändern.',
  'The users did not load.': 'Die Benutzer konnten nicht geladen werden.',
  'No user matches “{search}”.': 'Kein Benutzer passt zu „{search}“.',
  'No user matches these filters.': 'Kein Benutzer passt zu diesen Filtern.',
} as const
