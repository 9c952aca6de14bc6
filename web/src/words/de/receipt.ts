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
  'The downloaded receipt is signed. Anybody can check, on any computer, that nothing in it was changed, and whether a file is one of those it names: see {page}{address}.':
    'Der heruntergeladene Beleg ist signiert. Jeder kann an jedem Computer prüfen, dass nichts darin geändert wurde und ob eine Datei zu den genannten gehört: siehe {page}{address}.',
  ' at {address}': ' unter {address}',
  'Check a receipt': 'Beleg prüfen',
  'Check a file against this receipt': 'Eine Datei mit diesem Beleg vergleichen',
  'Send it to yourself': 'An sich selbst senden',
  'Send by e-mail': 'Per E-Mail senden',
  'The receipt is on its way to {email}.': 'Der Beleg ist unterwegs zu {email}.',
  'Compare the address with the one you were given: it must be complete.':
    'Vergleichen Sie die Adresse mit der, die Sie erhalten haben: Sie muss vollständig sein.',
  'The receipts did not load.': 'Die Belege konnten nicht geladen werden.',
  '· from {client}': '· von {client}',

  // A receipt is checked.
  'Whether a receipt is genuine, and whether a file is one of those it names. All of it happens in this browser: nothing you choose here is sent anywhere.':
    'Ob ein Beleg echt ist und ob eine Datei zu den genannten gehört. Alles geschieht in diesem Browser: Nichts, was Sie hier wählen, wird irgendwohin gesendet.',
  'Drop a receipt here: the JSON file that was downloaded.': 'Ziehen Sie einen Beleg hierher: die heruntergeladene JSON-Datei.',
  'Choose receipt': 'Beleg wählen',
  'Paste the receipt instead': 'Stattdessen den Beleg einfügen',
  'The receipt is from another portal': 'Der Beleg stammt von einem anderen Portal',
  'Receipts are checked with the key of this portal.': 'Belege werden mit dem Schlüssel dieses Portals geprüft.',
  'Receipts are checked with the key of “{name}”.': 'Belege werden mit dem Schlüssel aus „{name}“ geprüft.',
  'Every portal has its own at {address}: save that file, and give it here.':
    'Jedes Portal hat seinen eigenen unter {address}: Speichern Sie diese Datei und geben Sie sie hier an.',
  'Drop the neptune-key.json of that portal here.': 'Ziehen Sie die neptune-key.json jenes Portals hierher.',
  'Choose key': 'Schlüssel wählen',
  'Use the key of this portal': 'Schlüssel dieses Portals verwenden',
  'The key of this portal did not load.': 'Der Schlüssel dieses Portals konnte nicht geladen werden.',
  '“{name}” holds no key. Choose the neptune-key.json of the portal.':
    '„{name}“ enthält keinen Schlüssel. Wählen Sie die neptune-key.json des Portals.',
  '“{name}” is not a receipt.': '„{name}“ ist kein Beleg.',
  'What the receipt says': 'Was der Beleg sagt',

  // What came of it.
  Genuine: 'Echt',
  'This portal issued it on {date}, and nothing in it was changed since.':
    'Dieses Portal hat ihn am {date} ausgestellt, und seitdem wurde nichts darin geändert.',
  'The key in “{name}” has signed it. That is worth as much as your trust in where that file came from.':
    'Der Schlüssel in „{name}“ hat ihn signiert. Das ist so viel wert wie Ihr Vertrauen in die Herkunft dieser Datei.',
  'Not genuine: it was changed, or another portal made it':
    'Nicht echt: Er wurde geändert, oder ein anderes Portal hat ihn ausgestellt',
  'If another portal made it, give that portal’s key above.':
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
