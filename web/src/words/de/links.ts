/** Links, what recipients ask, and what was just made. */
export const links = {
  // What a link is.
  'One file, to download.': 'Eine Datei zum Herunterladen.',
  'All files of the directory, to see and download.': 'Alle Dateien des Verzeichnisses, zum Ansehen und Herunterladen.',
  'All files of the directory, to see and download; and more can be uploaded. You are told of uploads.':
    'Alle Dateien des Verzeichnisses, zum Ansehen und Herunterladen; weitere können hochgeladen werden. Sie erfahren davon.',
  'Expires soon': 'Läuft bald ab',
  Paused: 'Pausiert',
  'In trash or replaced': 'Im Papierkorb oder ersetzt',
  'In trash': 'Im Papierkorb',
  Replaced: 'Ersetzt',
  'It opens nothing while its file or directory is in the trash.':
    'Er öffnet nichts, solange seine Datei oder sein Verzeichnis im Papierkorb ist.',
  'It opens nothing, because its file was replaced. Create a link to the new file, or restore the old one.':
    'Er öffnet nichts, weil seine Datei ersetzt wurde. Erstellen Sie einen Link zur neuen Datei oder stellen Sie die alte wieder her.',
  'Whoever opens it is told that it has expired.': 'Wer ihn öffnet, erfährt, dass er abgelaufen ist.',
  'It opens nothing, because its owner may no longer share it. If you extend it or reset its code, it becomes yours.':
    'Er öffnet nichts, weil sein Ersteller ihn nicht mehr freigeben darf. Wenn Sie ihn verlängern oder den Code zurücksetzen, gehört er Ihnen.',
  'It expires {when}.': 'Er läuft {when} ab.',

  // What happened with it.
  Opened: 'Geöffnet',
  Downloaded: 'Heruntergeladen',
  'Downloaded “{name}”': '„{name}“ heruntergeladen',
  Uploaded: 'Hochgeladen',
  'Uploaded “{name}”': '„{name}“ hochgeladen',
  'Code shown': 'Code angezeigt',
  'Mail with the code': 'E-Mail mit dem Code',
  'Mail with the code to {email}': 'E-Mail mit dem Code an {email}',
  'Code reset': 'Code zurückgesetzt',
  'Thirty more days given': 'Um dreißig Tage verlängert',
  'Asked for more time': 'Um mehr Zeit gebeten',
  'Asked for a new code': 'Um einen neuen Code gebeten',
  'Nothing has happened with this link yet.': 'Mit diesem Link ist noch nichts geschehen.',
  never: 'nie',
  'by {person}': 'von {person}',
  'from {client}': 'von {client}',

  // The list.
  'Search links': 'Links durchsuchen',
  'All states': 'Alle Status',
  'The links did not load.': 'Die Links konnten nicht geladen werden.',
  'No links yet. Create one to share a directory or a file.':
    'Noch keine Links. Erstellen Sie einen, um ein Verzeichnis oder eine Datei zu teilen.',
  'No link matches “{search}”.': 'Kein Link passt zu „{search}“.',
  'No link matches these filters.': 'Kein Link passt zu diesen Filtern.',
  Key: 'Schlüssel',
  'Date Created': 'Erstellt',
  'Expired (a heading)': 'Ablauf',
  'View Link': 'Ansehen',
  'View Link to {name}': 'Ansehen: Link zu {name}',
  'Not opened yet': 'Noch nicht geöffnet',
  'Opened {n}': '{n}× geöffnet',
  'downloaded {n}': '{n}× heruntergeladen',
  'uploaded {n}': '{n}× hochgeladen',
  'Delete link': 'Link löschen',
  'Delete links': 'Links löschen',
  'Reset access code': 'Zugangscode zurücksetzen',
  'Send link details': 'Linkdaten senden',

  // What recipients ask.
  'Questions of recipients': 'Anfragen von Empfängern',
  'Show all {n} questions': { one: 'Die {n} Anfrage zeigen', other: 'Alle {n} Anfragen zeigen' },
  'Somebody asks for more time for “{name}”.': 'Jemand bittet um mehr Zeit für „{name}“.',
  'Somebody asks for a new code for “{name}”.': 'Jemand bittet um einen neuen Code für „{name}“.',
  'They wrote this themselves; nobody has checked it.': 'Das hat der Empfänger selbst geschrieben; niemand hat es geprüft.',
  '“{message}”': '„{message}“',
  'expired {date}': 'abgelaufen am {date}',
  'expires {date}': 'läuft ab am {date}',
  'the code goes to {email}': 'der Code geht an {email}',
  '{email} is told of the answer': '{email} wird benachrichtigt',
  'No mail server is set up. Tell the person who asked.':
    'Es ist kein Mailserver eingerichtet. Sagen Sie es der Person, die gefragt hat, selbst.',
  'No mail server is set up, so nothing was sent. The email was saved to the outbox folder.':
    'Es ist kein Mailserver eingerichtet, also wurde nichts gesendet. Die E-Mail liegt als Datei im Ordner outbox.',
  'This address works on this machine only. Whoever runs Neptune sets PUBLIC_URL to one that others reach.':
    'Diese Adresse funktioniert nur auf diesem Rechner. Wer Neptune betreibt, setzt PUBLIC_URL auf eine, die andere erreichen.',
  'the link was never sent by mail': 'der Link wurde nie per E-Mail gesendet',
  'Give 30 more days': 'Um 30 Tage verlängern',
  'Send a new code': 'Neuen Code senden',
  'Make a new code': 'Neuen Code erstellen',
  'Dismiss (a question)': 'Ablehnen',
  'Dismissed the question about “{name}”.': 'Die Anfrage zu „{name}“ wurde abgelehnt.',
  '“{name}” is open until {date}.': '„{name}“ ist bis {date} offen.',
  'Tell whoever asked: the link was never sent by mail.':
    'Sagen Sie es der anfragenden Person: Der Link wurde nie per E-Mail gesendet.',
  '{email} is told by mail.': '{email} wird per E-Mail benachrichtigt.',
  'A new code is on its way to {email}.': 'Ein neuer Code ist unterwegs zu {email}.',

  // What was just made.
  '{email} gets an email when you extend the link.': '{email} erhält eine E-Mail, wenn Sie den Link verlängern.',
  'It’s still open for more than {n} days.': {
    one: 'Er ist noch länger als {n} Tag offen.',
    other: 'Er ist noch länger als {n} Tage offen.',
  },
  'Link ready': 'Link bereit',
  'The old code no longer works.': 'Der alte Code gilt nicht mehr.',
  'Copy details': 'Angaben kopieren',
  'QR code of the link to {name}': 'QR-Code des Links zu {name}',
  'Link: {address}': 'Link: {address}',
  'Access code: {code}': 'Zugangscode: {code}',
  'Open directory': 'Verzeichnis öffnen',
  'Open until: {date}': 'Offen bis: {date}',
} as const
