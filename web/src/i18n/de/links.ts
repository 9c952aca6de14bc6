/** Links and the requests of recipients. */
export const links = {
  // Types and states.
  'Recipients can download one file.': 'Empfänger können eine Datei herunterladen.',
  'Recipients can view and download all files in the directory.':
    'Empfänger können alle Dateien des Verzeichnisses ansehen und herunterladen.',
  'Recipients can view, download and upload files in the directory. You’re notified about uploads.':
    'Empfänger können Dateien im Verzeichnis ansehen, herunterladen und hochladen. Sie werden über Uploads benachrichtigt.',
  'Expires soon': 'Läuft bald ab',
  'Company archived': 'Unternehmen archiviert',
  'Directory deleted': 'Verzeichnis gelöscht',
  'File deleted': 'Datei gelöscht',
  'File deleted or replaced': 'Datei gelöscht oder ersetzt',
  'File replaced': 'Datei ersetzt',
  'Owner suspended': 'Besitzer gesperrt',
  'Owner has no access': 'Besitzer ohne Zugriff',
  'It doesn’t work while {company} is archived.': 'Er funktioniert nicht, solange {company} archiviert ist.',
  'It doesn’t work while its directory is in the trash.': 'Er funktioniert nicht, solange sein Verzeichnis im Papierkorb ist.',
  'It doesn’t work while its file is in the trash.': 'Er funktioniert nicht, solange seine Datei im Papierkorb ist.',
  'It doesn’t work because its file was replaced. Create a link to the new file, or restore the old one.':
    'Er funktioniert nicht, weil seine Datei ersetzt wurde. Erstellen Sie einen Link zur neuen Datei, oder stellen Sie die alte wieder her.',
  'It doesn’t work while its owner, {name}, can’t sign in.':
    'Er funktioniert nicht, solange sich sein Besitzer, {name}, nicht anmelden kann.',
  'It doesn’t work while the company of its owner, {name}, is archived.':
    'Er funktioniert nicht, solange das Unternehmen seines Besitzers, {name}, archiviert ist.',
  'It doesn’t work because its owner, {name}, has no access to {company}.':
    'Er funktioniert nicht, weil sein Besitzer, {name}, keinen Zugriff auf {company} hat.',
  'Anyone who opens it sees that it has expired.': 'Wer ihn öffnet, sieht, dass er abgelaufen ist.',
  'If you extend it or reset its code, you become its owner.':
    'Wenn Sie ihn verlängern oder den Code zurücksetzen, gehört er Ihnen.',
  'Ask an administrator to restore the company.': 'Bitten Sie einen Administrator, das Unternehmen wiederherzustellen.',
  'Why it doesn’t work': 'Warum er nicht funktioniert',
  'Restore file': 'Datei wiederherstellen',
  'Restore directory': 'Verzeichnis wiederherstellen',
  'Restore {name} (a user)': '{name} entsperren',
  'Hand over': 'Übergeben',
  'The link to “{name}” works again.': 'Der Link zu „{name}“ funktioniert wieder.',
  'Restored. The link to “{name}” still doesn’t work, for another reason.':
    'Wiederhergestellt. Der Link zu „{name}“ funktioniert aus einem anderen Grund noch nicht.',

  // Links that would stop working.
  'Checking which links would stop working': 'Es wird geprüft, welche Links nicht mehr funktionieren würden',
  'We couldn’t check whether links would stop working. You can still continue.':
    'Es konnte nicht geprüft werden, ob Links nicht mehr funktionieren würden. Sie können trotzdem fortfahren.',
  'No links will stop working.': 'Es sind keine funktionierenden Links betroffen.',
  '{n} links will stop working.': {
    one: '{n} Link funktioniert dann nicht mehr.',
    other: '{n} Links funktionieren dann nicht mehr.',
  },
  'Links that will stop working': 'Links, die nicht mehr funktionieren werden',
  'Last used {when}': 'Zuletzt benutzt: {when}',
  'Never used': 'Nie benutzt',
  'Show all {n} links': { one: '{n} Link anzeigen', other: 'Alle {n} Links anzeigen' },
  'Links to one file': 'Links zu einer Datei',
  'Links to one directory and its files': 'Links zu einem Verzeichnis und seinen Dateien',
  'It expires {when}.': 'Er läuft {when} ab.',

  // Activity of a link.
  Opened: 'Geöffnet',
  Downloaded: 'Heruntergeladen',
  'Downloaded “{name}”': '„{name}“ heruntergeladen',
  Uploaded: 'Hochgeladen',
  'Uploaded “{name}”': '„{name}“ hochgeladen',
  'Code shown': 'Code angezeigt',
  'Code emailed': 'Code per E-Mail gesendet',
  'Code emailed to {email}': 'Code per E-Mail an {email} gesendet',
  'Code reset': 'Code zurückgesetzt',
  'Extended by 30 days': 'Um 30 Tage verlängert',
  'Handed over': 'Übergeben',
  Closed: 'Geschlossen',
  'Handed over to {name}': 'An {name} übergeben',
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

  // Requests of recipients.
  'Requests from recipients': 'Anfragen von Empfängern',
  'Show all {n} requests': { one: '{n} Anfrage anzeigen', other: 'Alle {n} Anfragen anzeigen' },
  'Someone is asking for more time for “{name}”.': 'Jemand bittet um mehr Zeit für „{name}“.',
  'Someone is asking for a new code for “{name}”.': 'Jemand bittet um einen neuen Code für „{name}“.',
  'Written by someone who has the link. We haven’t verified who.':
    'Von jemandem geschrieben, der den Link hat. Wir haben nicht geprüft, von wem.',
  '“{message}”': '„{message}“',
  'expired {date}': 'abgelaufen am {date}',
  'expires {date}': 'läuft ab am {date}',
  'the code will be sent to {email}': 'der Code wird an {email} gesendet',
  '{email} will be notified': '{email} wird benachrichtigt',
  'No mail server is set up. Let the person who asked know.':
    'Es ist kein Mailserver eingerichtet. Sagen Sie es der Person, die gefragt hat, selbst.',
  'No mail server is set up, so nothing was sent. Give the recipient the details yourself.':
    'Es ist kein Mailserver eingerichtet, also wurde nichts gesendet. Geben Sie die Angaben selbst weiter.',
  'This address works only on this computer. Ask your server administrator for one that others can reach.':
    'Diese Adresse funktioniert nur auf diesem Computer. Bitten Sie Ihre Serveradministration um eine, die andere erreichen.',
  'the link was never emailed': 'der Link wurde nie per E-Mail gesendet',
  'Give 30 more days': 'Um 30 Tage verlängern',
  'Send a new code': 'Neuen Code senden',
  'Create a new code': 'Neuen Code erstellen',
  'Dismiss (a request)': 'Ablehnen',
  'Dismissed the request about “{name}”.': 'Die Anfrage zu „{name}“ wurde abgelehnt.',
  'for {email}': 'für {email}',
  '“{name}” is open until {date}.': '„{name}“ ist bis {date} offen.',
  'The link was never emailed, so let the person who asked know.':
    'Der Link wurde nie per E-Mail gesendet. Sagen Sie es der Person, die gefragt hat.',
  '{email} will be notified by email.': '{email} wird per E-Mail benachrichtigt.',
  'A new code is on its way to {email}.': 'Ein neuer Code ist unterwegs zu {email}.',

  // A new link.
  '{email} gets an email when you extend the link.': '{email} erhält eine E-Mail, wenn Sie den Link verlängern.',
  'It has more than {n} days left. Extend it closer to its expiry.': {
    one: 'Er gilt noch länger als {n} Tag. Verlängern Sie ihn kurz vor dem Ablauf.',
    other: 'Er gilt noch länger als {n} Tage. Verlängern Sie ihn kurz vor dem Ablauf.',
  },
  'Link ready': 'Link bereit',
  'The old code no longer works.': 'Der alte Code gilt nicht mehr.',
  'Copy details': 'Angaben kopieren',
  'QR code of the link to {name}': 'QR-Code des Links zu {name}',
  'Link: {address}': 'Link: {address}',
  'Access code: {code}': 'Zugangscode: {code}',
  'Open directory': 'Verzeichnis öffnen',
  'Open until: {date}': 'Offen bis: {date}',
  'Links of {name}': 'Links von {name}',
  'Links of one person': 'Links einer Person',
} as const
