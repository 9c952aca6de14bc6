/** The list of companies and the page of one company. */
export const companies = {
  'Users and companies': 'Benutzer und Unternehmen',
  'Who the files belong to, and how much is stored for them.': 'Wem die Dateien gehören und wie viel für sie gespeichert ist.',
  People: 'Personen',
  'Active links': 'Aktive Links',
  'Last activity': 'Letzte Aktivität',
  None: 'Keine',
  Archived: 'Archiviert',
  '{percent} % full': '{percent} % belegt',
  'No archived companies.': 'Keine archivierten Unternehmen.',
  'No active companies.': 'Keine aktiven Unternehmen.',
  'The company did not load.': 'Das Unternehmen konnte nicht geladen werden.',
  'The company is still loading.': 'Das Unternehmen wird noch geladen.',
  'Created on {date}': 'Erstellt am {date}',
  'Archived on {date}. Its links are closed, and its people can’t sign in.':
    'Archiviert am {date}. Die Links sind geschlossen, und die Personen können sich nicht anmelden.',
  '{company} is archived, so nothing can be uploaded or shared.':
    '{company} ist archiviert. Deshalb kann nichts hochgeladen oder geteilt werden.',
  '{company} is archived: you can see and download everything, but not upload or share.':
    '{company} ist archiviert: Sie können alles ansehen und herunterladen, aber nichts hochladen oder teilen.',
  'Go to the company': 'Zum Unternehmen',
  'Show all directories': 'Alle Verzeichnisse anzeigen',
  'Show all people': 'Alle Personen anzeigen',
  'Show all links': 'Alle Links anzeigen',
  'Nobody yet.': 'Noch niemand.',
  'Also have access': 'Haben auch Zugriff',
  'and others.': 'und weitere.',
  'Administrators and people with access to all companies have access, too.':
    'Administratoren und Personen mit Zugriff auf alle Unternehmen haben ebenfalls Zugriff.',
  'No links yet.': 'Noch keine Links.',
  'No limit.': 'Keine Speichergrenze.',
  'The default quota of {size}.': 'Die Standard-Speichergrenze von {size}.',
  default: 'Standard',
  Note: 'Notiz',
  'Nothing noted yet.': 'Noch nichts notiert.',
  'Archive (a company)': 'Archivieren',
  'You belong to this company, so you would lock yourself out.':
    'Sie gehören zu diesem Unternehmen und würden sich selbst aussperren.',

  // Dialogs.
  'New company…': 'Neues Unternehmen …',
  'The company that owns the files.': 'Das Unternehmen, dem die Dateien gehören.',
  'Set quota': 'Speichergrenze festlegen',
  Quota: 'Speichergrenze',
  Unit: 'Einheit',
  'No limit': 'Keine Speichergrenze',
  '{name} uses {size}, including files in the trash.': '{name} belegt {size}, einschließlich der Dateien im Papierkorb.',
  'Leave it empty for no limit, which is the default.': 'Lassen Sie das Feld leer, gilt der Standard: keine Speichergrenze.',
  'Leave it empty for the default of {size}.': 'Lassen Sie das Feld leer, gilt der Standard von {size}.',
  'Enter a number greater than 0, such as 50.': 'Geben Sie eine Zahl größer als 0 ein, zum Beispiel 50.',
  '{name} already uses more than that. Nobody can upload to it until files are deleted.':
    '{name} belegt bereits mehr. Niemand kann etwas hochladen, bis Dateien gelöscht sind.',
  'The quota was not changed.': 'Die Speichergrenze wurde nicht geändert.',
  '{name} has no limit now.': 'Für {name} gilt jetzt keine Speichergrenze.',
  'The quota of {name} is now {quota}.': 'Die Speichergrenze von {name} ist jetzt {quota}.',
  'Edit note': 'Notiz bearbeiten',
  'For admins, and people of other companies with access to {name}. Its own people don’t see it.':
    'Für Admins und für Personen anderer Unternehmen mit Zugriff auf {name}. Wer dort arbeitet, sieht sie nicht.',
  'The note was not saved.': 'Die Notiz wurde nicht gespeichert.',
  'Saved the note about {name}.': 'Die Notiz zu {name} wurde gespeichert.',
  'Archive company': 'Unternehmen archivieren',
  'Its people can’t sign in.': 'Seine Personen können sich nicht mehr anmelden.',
  'Nothing can be uploaded or shared.': 'Es kann nichts hochgeladen oder geteilt werden.',
  'Nothing is lost: you can still see and download everything, and restore the company at any time.':
    'Nichts geht verloren: Sie können weiterhin alles sehen und herunterladen und das Unternehmen jederzeit wiederherstellen.',
  'The company was not archived.': 'Das Unternehmen wurde nicht archiviert.',
  'Archived {name}.': '{name} wurde archiviert.',
  'Restore company': 'Unternehmen wiederherstellen',
  'Its links open again, unless they’ve expired meanwhile.':
    'Die Links öffnen sich wieder, sofern sie inzwischen nicht abgelaufen sind.',
  'Its people can sign in again.': 'Seine Personen können sich wieder anmelden.',
  'The company was not restored.': 'Das Unternehmen wurde nicht wiederhergestellt.',
} as const
