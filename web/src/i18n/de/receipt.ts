/** Receipts and their verification. */
export const receipt = {
  'This portal can’t send email yet. Download the receipt instead.':
    'Dieses Portal kann noch keine E-Mails senden. Laden Sie den Beleg stattdessen herunter.',
  'Received by': 'Eingegangen bei',
  'Received for': 'Eingegangen für',
  Issued: 'Ausgestellt',
  Portal: 'Portal',
  '{size} · received {time}': '{size} · erhalten {time}',
  'Received: {amount}, on {date}.': 'Eingegangen: {amount}, am {date}.',
  'Back to {name}': 'Zurück zu {name}',
  'Print or save as PDF': 'Drucken oder als PDF sichern',
  'Download receipt': 'Beleg herunterladen',
  'How to check this receipt': 'So prüfen Sie diesen Beleg',
  'The downloaded receipt is signed. Anyone can check that it hasn’t been changed, and whether it lists a certain file: see {page}{address}.':
    'Der heruntergeladene Beleg ist signiert. Jeder kann prüfen, dass er nicht geändert wurde und ob eine bestimmte Datei darin steht: siehe {page}{address}.',
  ' at {address}': ' unter {address}',
  'Check a receipt': 'Beleg prüfen',
  'Check a file against this receipt': 'Eine Datei mit diesem Beleg vergleichen',
  'Send it to yourself': 'An sich selbst senden',
  'Send by email': 'Per E-Mail senden',
  'The receipt is on its way to {email}.': 'Der Beleg ist unterwegs zu {email}.',
  'Check that the address is complete.': 'Prüfen Sie, ob die Adresse vollständig ist.',
  'The receipts did not load.': 'Die Belege konnten nicht geladen werden.',
  '· from {client}': '· von {client}',

  // Checking a receipt.
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

  // Results.
  Genuine: 'Echt',
  'This portal issued it on {date}, and it hasn’t been changed since.':
    'Dieses Portal hat ihn am {date} ausgestellt, und er wurde seitdem nicht geändert.',
  'It was signed with the key in “{name}”. Trust it only if you trust the source of that file.':
    'Er wurde mit dem Schlüssel in „{name}“ signiert. Vertrauen Sie ihm nur, wenn Sie der Herkunft dieser Datei vertrauen.',
  'Not genuine: it was changed, or another portal issued it':
    'Nicht echt: Er wurde geändert, oder ein anderes Portal hat ihn ausgestellt',
  'If another portal issued it, add that portal’s key above.':
    'Hat ihn ein anderes Portal ausgestellt, geben Sie oben dessen Schlüssel an.',
  'Can’t be checked': 'Kann nicht geprüft werden',
  'This is not a receipt.': 'Das ist kein Beleg.',
  'This is not a receipt: it isn’t valid JSON.': 'Das ist kein Beleg: Es ist kein gültiges JSON.',
  'This is not a receipt: required fields are missing.': 'Das ist kein Beleg: Pflichtfelder fehlen.',
  'This page doesn’t support this receipt’s version.': 'Diese Seite unterstützt die Version dieses Belegs nicht.',
  'It contains something that doesn’t belong in a receipt.': 'Er enthält etwas, das nicht in einen Beleg gehört.',
  'It was changed: it contains a number in an invalid format.':
    'Er wurde geändert: Er enthält eine Zahl in einem ungültigen Format.',
  'It says that it was signed with a different key.': 'Laut seinen Angaben wurde er mit einem anderen Schlüssel signiert.',
  'Its signature doesn’t match its contents.': 'Seine Signatur passt nicht zu seinem Inhalt.',

  // Checking a file.
  'Check a file': 'Datei prüfen',
  'Choose file': 'Datei wählen',
  'Drop a file here to check whether this receipt lists it. The file stays on this computer.':
    'Ziehen Sie eine Datei hierher, um zu prüfen, ob dieser Beleg sie nennt. Die Datei bleibt auf diesem Computer.',
  'Reading “{name}”': '„{name}“ wird gelesen',
  'This file matches “{name}” in the receipt, byte for byte.': 'Diese Datei stimmt Byte für Byte mit „{name}“ im Beleg überein.',
  'The receipt also lists the same content under {n} other names: {names}.': {
    one: 'Der Beleg nennt denselben Inhalt auch unter {n} anderen Namen: {names}.',
    other: 'Der Beleg nennt denselben Inhalt auch unter {n} anderen Namen: {names}.',
  },
  'Its SHA-256 hash is the same as in the receipt.': 'Ihr SHA-256-Hash ist derselbe wie im Beleg.',
  'This file is not in this receipt.': 'Diese Datei steht nicht in diesem Beleg.',
  'The receipt has a file named “{name}”, but with different content.':
    'Der Beleg nennt eine Datei „{name}“, aber mit anderem Inhalt.',
  'No file in the receipt has the content of “{name}”.': 'Keine Datei des Belegs hat den Inhalt von „{name}“.',
  'The file could not be read.': 'Die Datei konnte nicht gelesen werden.',
  '“{name}” was moved or changed, or it’s a folder. Choose it again.':
    '„{name}“ wurde verschoben oder geändert oder ist ein Ordner. Wählen Sie erneut.',
} as const
