/** The dashboard below its totals and files, and the first steps of somebody new. */
export const overview = {
  // Transfers.
  'Transfers per day': 'Übertragungen pro Tag',
  'Last 30 days': 'Letzte 30 Tage',
  'The transfers did not load.': 'Die Übertragungen konnten nicht geladen werden.',
  Day: 'Tag',
  'Day (UTC)': 'Tag (UTC)',
  Downloads: 'Downloads',
  When: 'Zeitraum',
  'All together': 'Insgesamt',
  'Days are counted in UTC.': 'Tage nach UTC.',
  '{day}: {uploads}, {received}; {downloads}, {sent}': '{day}: {uploads}, {received}; {downloads}, {sent}',
  '{n} uploads': { one: '{n} Upload', other: '{n} Uploads' },
  '{n} downloads': { one: '{n} Download', other: '{n} Downloads' },

  // Storage.
  'Storage per company': 'Speicher je Unternehmen',
  Storage: 'Speicher',
  'The storage did not load.': 'Der Speicher konnte nicht geladen werden.',
  'Nearly full': 'Fast voll',
  'What is in the trash counts.': 'Der Papierkorb zählt mit.',
  'The largest of {n} companies. What is in the trash counts.': {
    one: 'Das größte von {n} Unternehmen. Der Papierkorb zählt mit.',
    other: 'Die größten von {n} Unternehmen. Der Papierkorb zählt mit.',
  },

  // What happened last.
  'What happened last': 'Zuletzt geschehen',
  'Show everything': 'Alles zeigen',

  // Links about to expire.
  'Links about to expire': 'Bald ablaufende Links',
  'Show all that expire': 'Alle bald ablaufenden zeigen',
  'No link expires within the next 7 days.': 'In den nächsten 7 Tagen läuft kein Link ab.',
  '30 more days': '30 Tage mehr',
  '30 more days for {name}': '30 Tage mehr für {name}',
  '“{name}” now ends {when}.': '„{name}“ endet jetzt {when}.',

  // First steps.
  'Getting started': 'Erste Schritte',
  'Hide these steps': 'Diese Schritte ausblenden',
  '{n} of {total} steps are done.': {
    one: '{n} von {total} Schritten ist erledigt.',
    other: '{n} von {total} Schritten sind erledigt.',
  },
  'This step is done.': 'Dieser Schritt ist erledigt.',
  'Choose a password, and say who you are': 'Passwort wählen und Namen eintragen',
  'Yours was given to you: choose one that only you know. Recipients see your name.':
    'Ihres wurde Ihnen gegeben: Wählen Sie eines, das nur Sie kennen. Empfänger sehen Ihren Namen.',
  'Name your company': 'Unternehmen benennen',
  'Recipients see who shares something with them.': 'Empfänger sehen, wer etwas mit ihnen teilt.',
  'Make a first directory': 'Erstes Verzeichnis anlegen',
  'Files lie in directories, and a directory belongs to one company.':
    'Dateien liegen in Verzeichnissen; ein Verzeichnis gehört zu einem Unternehmen.',
  'Upload something': 'Etwas hochladen',
  'Choose files, or whole folders.': 'Wählen Sie Dateien oder ganze Ordner.',
  'Share it by a link': 'Mit einem Link teilen',
  'Whoever gets it needs no account: an address and an access code.':
    'Wer ihn erhält, braucht kein Konto: nur die Adresse und einen Zugangscode.',
  'See it as a recipient': 'Als Empfänger ansehen',
  'What others see who open your link.': 'Das sehen andere, die Ihren Link öffnen.',
  You: 'Sie',
} as const
