/** The dashboard's panels and the first steps of a new installation. */
export const dashboard = {
  Summary: 'Übersicht',
  'Total Shareable Links': 'Links insgesamt',
  'Total Directories': 'Verzeichnisse insgesamt',
  'Total Files': 'Dateien insgesamt',
  // Transfers.
  'Transfers per day': 'Übertragungen pro Tag',
  'Last 30 days': 'Letzte 30 Tage',
  'The transfers did not load.': 'Die Übertragungen konnten nicht geladen werden.',
  Day: 'Tag',
  'Day (UTC)': 'Tag (UTC)',
  Downloads: 'Downloads',
  When: 'Zeitraum',
  'In total': 'Insgesamt',
  'Days are counted in UTC.': 'Tage nach UTC.',
  '{day}: {uploads}, {received}; {downloads}, {sent}': '{day}: {uploads}, {received}; {downloads}, {sent}',
  '{n} uploads': { one: '{n} Upload', other: '{n} Uploads' },
  '{n} downloads': { one: '{n} Download', other: '{n} Downloads' },

  // Storage.
  'Storage per company': 'Speicher je Unternehmen',
  Storage: 'Speicher',
  'The storage per company did not load.': 'Der Speicher je Unternehmen konnte nicht geladen werden.',
  'Includes files in the trash.': 'Dateien im Papierkorb zählen mit.',
  'Companies that are nearly full, and the largest of {n}. Includes files in the trash.': {
    one: 'Fast volle Unternehmen und das größte von {n}. Dateien im Papierkorb zählen mit.',
    other: 'Fast volle Unternehmen und die größten von {n}. Dateien im Papierkorb zählen mit.',
  },
  'The largest of {n} companies. Includes files in the trash.': {
    one: 'Das größte von {n} Unternehmen. Dateien im Papierkorb zählen mit.',
    other: 'Die größten von {n} Unternehmen. Dateien im Papierkorb zählen mit.',
  },

  // Recent activity.
  'Recent activity': 'Letzte Aktivität',
  'Show all activity': 'Gesamte Aktivität anzeigen',

  // Links about to expire.
  'Links about to expire': 'Bald ablaufende Links',
  'Show all expiring links': 'Alle bald ablaufenden Links anzeigen',
  'No link expires within the next 7 days.': 'In den nächsten 7 Tagen läuft kein Link ab.',
  '30 more days': '30 Tage mehr',
  '30 more days for {name}': '30 Tage mehr für {name}',
  '“{name}” now expires {when}.': '„{name}“ läuft jetzt {when} ab.',

  // First steps.
  'Getting started': 'Erste Schritte',
  'Hide these steps': 'Diese Schritte ausblenden',
  '{n} of {total} steps are done.': {
    one: '{n} von {total} Schritten ist erledigt.',
    other: '{n} von {total} Schritten sind erledigt.',
  },
  'This step is done.': 'Dieser Schritt ist erledigt.',
  'Set your password and name': 'Passwort und Namen festlegen',
  'Replace the password you were given with one that only you know. Recipients see your name.':
    'Ersetzen Sie das Passwort, das Sie erhalten haben, durch eines, das nur Sie kennen. Empfänger sehen Ihren Namen.',
  'Name your company': 'Unternehmen benennen',
  'Recipients see this name when you share something.': 'Empfänger sehen diesen Namen, wenn Sie etwas teilen.',
  'Create your first directory': 'Erstes Verzeichnis erstellen',
  'Files are stored in directories. Each directory belongs to one company.':
    'Dateien liegen in Verzeichnissen. Jedes Verzeichnis gehört zu einem Unternehmen.',
  'Upload some files': 'Dateien hochladen',
  'Choose files or whole folders.': 'Wählen Sie Dateien oder ganze Ordner.',
  'Share them with a link': 'Mit einem Link teilen',
  'Recipients need only the link and its access code. No account is required.':
    'Empfänger brauchen nur den Link und seinen Zugangscode, kein Konto.',
  'View the link as a recipient': 'Link als Empfänger ansehen',
  'See what people see when they open your link.': 'Sehen Sie, was andere sehen, wenn sie Ihren Link öffnen.',
  You: 'Sie',
} as const
