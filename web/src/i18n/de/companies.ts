/** The list of companies and the page of one company. */
export const companies = {
  'Users and companies': 'Benutzer und Unternehmen',
  'The companies that own the files, and how much storage they use.':
    'Die Unternehmen, denen die Dateien gehören, und wie viel Speicher sie belegen.',
  People: 'Personen',
  'Active links': 'Aktive Links',
  'Last activity': 'Letzte Aktivität',
  None: 'Keine',
  Archived: 'Archiviert',
  '{percent}% full': '{percent} % belegt',
  'No archived companies.': 'Keine archivierten Unternehmen.',
  'No active companies.': 'Keine aktiven Unternehmen.',
  'The company did not load.': 'Das Unternehmen konnte nicht geladen werden.',
  'The company is still loading.': 'Das Unternehmen wird noch geladen.',
  'Created on {date}': 'Erstellt am {date}',
  'Archived on {date}. Its links don’t work, and its people can’t sign in.':
    'Archiviert am {date}. Die Links funktionieren nicht, und wer zu dem Unternehmen gehört, kann sich nicht anmelden.',
  '{company} is archived, so nothing can be uploaded or shared.':
    '{company} ist archiviert. Deshalb kann nichts hochgeladen oder geteilt werden.',
  '{company} is archived: you can see and download everything, but not upload or share.':
    '{company} ist archiviert: Sie können alles ansehen und herunterladen, aber nichts hochladen oder teilen.',
  'Go to the company': 'Zum Unternehmen',
  'Show all directories': 'Alle Verzeichnisse anzeigen',
  'Show all people': 'Alle Personen anzeigen',
  'Show all links': 'Alle Links anzeigen',
  'No people yet.': 'Noch keine Personen.',
  'Also have access': 'Haben auch Zugriff',
  'and others.': 'und weitere.',
  'Administrators and people with access to all companies have access, too.':
    'Administratoren und Personen mit Zugriff auf alle Unternehmen haben ebenfalls Zugriff.',
  'No links yet.': 'Noch keine Links.',
  'No limit.': 'Keine Speichergrenze.',
  'Default quota: {size}.': 'Standard-Speichergrenze: {size}.',
  default: 'Standard',
  Note: 'Notiz',
  'No note yet.': 'Noch keine Notiz.',
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
  'Leave it empty for the default of {size}.': 'Wenn das Feld leer ist, gilt der Standard von {size}.',
  'Enter a number greater than 0, such as 50.': 'Geben Sie eine Zahl größer als 0 ein, zum Beispiel 50.',
  '{name} already uses more than that. Nobody can upload to it until files are deleted.':
    '{name} belegt bereits mehr. Niemand kann etwas hochladen, bis Dateien gelöscht sind.',
  'The quota was not changed.': 'Die Speichergrenze wurde nicht geändert.',
  '{name} has no limit now.': 'Für {name} gilt jetzt keine Speichergrenze.',
  'The quota of {name} is now {quota}.': 'Die Speichergrenze von {name} beträgt jetzt {quota}.',
  'Edit note': 'Notiz bearbeiten',
  'Visible to admins, and to people of other companies with access to {name}. Its own people can’t see it.':
    'Sichtbar für Admins und für Personen anderer Unternehmen mit Zugriff auf {name}. Personen des Unternehmens selbst sehen die Notiz nicht.',
  'The note was not saved.': 'Die Notiz wurde nicht gespeichert.',
  'Saved the note about {name}.': 'Die Notiz zu {name} wurde gespeichert.',
  'Archive company': 'Unternehmen archivieren',
  'Its people can’t sign in.': 'Wer zu diesem Unternehmen gehört, kann sich nicht anmelden.',
  'Nothing can be uploaded or shared.': 'Es kann nichts hochgeladen oder geteilt werden.',
  'Nothing is lost: you can still see and download everything, and restore the company at any time.':
    'Nichts geht verloren: Sie können weiterhin alles sehen und herunterladen und das Unternehmen jederzeit wiederherstellen.',
  'The company was not archived.': 'Das Unternehmen wurde nicht archiviert.',
  'Archived {name}.': '{name} wurde archiviert.',
  'Restore company': 'Unternehmen wiederherstellen',
  'Restored {name}. (a company)': '{name} wurde wiederhergestellt.',
  'Its links work again, unless they’ve expired in the meantime.':
    'Die Links funktionieren wieder, sofern sie inzwischen nicht abgelaufen sind.',
  'Its people can sign in again.': 'Wer zu diesem Unternehmen gehört, kann sich wieder anmelden.',
  'The company was not restored.': 'Das Unternehmen wurde nicht wiederhergestellt.',
} as const
