/** Receipts, and how they are checked. */
export const receipt = {
  'This portal sends no mails yet. Download the receipt instead.':
    'Dieses Portal versendet noch keine E-Mails. Laden Sie den Beleg stattdessen herunter.',
  'Received by': 'Eingegangen bei',
  'Received for': 'Eingegangen für',
  Issued: 'Ausgestellt',
  Portal: 'Portal',
  '{size} · received {time}': '{size} · erhalten {time}',
  'Received: {amount}, on {date}.': 'Eingegangen: {amount}, am {date}.',
  'Back to {name}': 'Zurück zu {name}',
  'Print or save as PDF': 'Drucken oder als PDF sichern',
  'Download receipt': 'Beleg herunterladen',
  'How to check it': 'So wird er geprüft',
  'The downloaded receipt is signed. Anyone can check that it hasn’t been changed, and whether it lists a certain file: see {page}{address}.':
    'Der heruntergeladene Beleg ist signiert. Jeder kann prüfen, dass er nicht geändert wurde und ob eine bestimmte Datei darin steht: siehe {page}{address}.',
  ' at {address}': ' unter {address}',
  'Check a receipt': 'Beleg prüfen',
  'Check a file against this receipt': 'Eine Datei mit diesem Beleg vergleichen',
  'Send it to yourself': 'An sich selbst senden',
  'Send by e-mail': 'Per E-Mail senden',
  'The receipt is on its way to {email}.': 'Der Beleg ist unterwegs zu {email}.',
  'Check that the address is complete.': 'Prüfen Sie, ob die Adresse vollständig ist.',
  'The receipts did not load.': 'Die Belege konnten nicht geladen werden.',
  '· from {client}': '· von {client}',

  // A receipt is checked.
  'Find out whether a receipt is genuine and whether it lists a certain file. Everything happens in this browser: nothing you choose here is sent anywhere.':
    'Prüfen Sie, ob ein Beleg echt ist und ob eine bestimmte Datei darin steht. Alles geschieht in diesem Browser: Nichts, was Sie hier wählen, wird irgendwohin gesendet.',
  'Drop a receipt here (the JSON file you downloaded).': 'Ziehen Sie einen Beleg hierher (die heruntergeladene JSON-Datei).',
  'Choose receipt': 'Beleg wählen',
  'Paste the receipt instead': 'Stattdessen den Beleg einfügen',
  'The receipt is from another portal': 'Der Beleg stammt von einem anderen Portal',
  'Receipts are checked with this portal’s key.': 'Belege werden mit dem Schlüssel dieses Portals geprüft.',
  'Receipts are checked with the key from “{name}”.': 'Belege werden mit dem Schlüssel aus „{name}“ geprüft.',
  'Each portal publishes its key at {address}. Save that file, then add it here.':
    'Jedes Portal veröffentlicht seinen Schlüssel unter {address}. Speichern Sie diese Datei und geben Sie sie hier an.',
  'Drop that portal’s neptune-key.json here.': 'Ziehen Sie die neptune-key.json jenes Portals hierher.',
  'Choose key': 'Schlüssel wählen',
  'Use this portal’s key': 'Schlüssel dieses Portals verwenden',
  'This portal’s key did not load.': 'Der Schlüssel dieses Portals konnte nicht geladen werden.',
  '“{name}” doesn’t contain a key. Choose the portal’s neptune-key.json.':
    '„{name}“ enthält keinen Schlüssel. Wählen Sie die neptune-key.json des Portals.',
  '“{name}” is not a receipt.': '„{name}“ ist kein Beleg.',
  'Receipt contents': 'Inhalt des Belegs',

  // What came of it.
  Genuine: 'Echt',
  'This portal issued it on {date}, and it hasn’t been changed since.':
    'Dieses Portal hat ihn am {date} ausgestellt, und er wurde seitdem nicht geändert.',
  'It was signed with the key in “{name}”. Trust it only if you trust the source of that file.':
    'Er wurde mit dem Schlüssel in „{name}“ signiert. Vertrauen Sie ihm nur, wenn Sie der Herkunft dieser Datei vertrauen.',
  'Not genuine: it was changed, or another portal issued it':
    'Nicht echt: Er wurde geändert, oder ein anderes Portal hat ihn ausgestellt',
  'If another portal issued it, add that portal’s key above.':
    'Hat ihn ein anderes Portal ausgestellt, geben Sie oben dessen Schlüssel an.',
  'Cannot be checked': 'Kann nicht geprüft werden',
  'This is not a receipt.': 'Das ist kein Beleg.',
  'This is not a receipt: it cannot be read as JSON.': 'Das ist kein Beleg: Es ist nicht als JSON lesbar.',
  'This is not a receipt: it lacks what every receipt has.': 'Das ist kein Beleg: Es fehlt, was jeder Beleg hat.',
  'This receipt is of a version that this page does not know.': 'Dieser Beleg hat eine Version, die diese Seite nicht kennt.',
  'There is something in it that no receipt has.': 'Darin steht etwas, das kein Beleg hat.',
  'It was changed: a number in it is written as in no receipt.':
    'Er wurde geändert: Eine Zahl darin ist geschrieben wie in keinem Beleg.',
  'It names a key that is not the one it is checked with.': 'Er nennt einen anderen Schlüssel als den, mit dem er geprüft wird.',
  'Its signature does not fit what it says.': 'Seine Signatur passt nicht zu dem, was er sagt.',

  // A file is compared with it.
  'Check a file': 'Datei prüfen',
  'Choose file': 'Datei wählen',
  'Drop a file here to see whether this receipt is for it. It stays on this computer.':
    'Ziehen Sie eine Datei hierher, um zu sehen, ob dieser Beleg für sie gilt. Sie bleibt auf diesem Computer.',
  'Reading “{name}”': '„{name}“ wird gelesen',
  'This is the file “{name}” of this receipt, byte for byte.': 'Das ist die Datei „{name}“ dieses Belegs, Byte für Byte.',
  'The receipt has the same content under {n} other names, too: {names}.': {
    one: 'Der Beleg enthält denselben Inhalt auch unter {n} anderen Namen: {names}.',
    other: 'Der Beleg enthält denselben Inhalt auch unter {n} anderen Namen: {names}.',
  },
  'Its SHA-256 is the one in the receipt.': 'Ihr SHA-256-Wert ist der im Beleg.',
  'This file is not in this receipt.': 'Diese Datei steht nicht in diesem Beleg.',
  'The receipt has a file named “{name}”, but with other content.':
    'Der Beleg nennt eine Datei „{name}“, aber mit anderem Inhalt.',
  'No file in the receipt has the content of “{name}”.': 'Keine Datei des Belegs hat den Inhalt von „{name}“.',
  'The file could not be read.': 'Die Datei konnte nicht gelesen werden.',
  '“{name}” was moved, changed, or is a folder. Choose it again.':
    '„{name}“ wurde verschoben oder geändert, oder ist ein Ordner. Wählen Sie erneut.',
} as const
