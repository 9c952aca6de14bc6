/** What recipients of a link see. */
export const access = {
  // What is shared.
  'You are in. {name}': 'Sie haben Zugang. {name}',
  'Directory Section': 'Verzeichnisbereich',
  'Shared by {person} · {company}': 'Geteilt von {person} · {company}',
  'Until {date}, {wait}': 'Bis {date}, {wait}',
  'No files yet': 'Noch keine Dateien',
  'No files here yet.': 'Hier sind noch keine Dateien.',
  'As soon as there are some, they show here by themselves.': 'Sobald es welche gibt, erscheinen sie hier von selbst.',
  'Press a file to download it.': 'Wählen Sie eine Datei, um sie herunterzuladen.',
  'Download file': 'Datei herunterladen',
  'The download has started. If it has not, press the button.':
    'Das Herunterladen hat begonnen. Falls nicht, drücken Sie die Schaltfläche.',
  'What was shared did not load.': 'Das Geteilte konnte nicht geladen werden.',
  'This is not here any more.': 'Das ist nicht mehr hier.',
  'What the link shares was taken away. Ask whoever shared it with you.':
    'Was der Link teilt, wurde entfernt. Fragen Sie den Absender.',
  'If they put it back, it shows here by itself.': 'Wird es zurückgelegt, erscheint es hier von selbst.',
  'Look again': 'Erneut nachsehen',
  'Uploading did not load.': 'Das Hochladen konnte nicht geladen werden.',
  'Received: {amount}': 'Eingegangen: {amount}',
  'The receipt was not made.': 'Der Beleg wurde nicht erstellt.',
  'Files go to {directory}. Keep this page open until they are there.':
    'Dateien kommen in {directory}. Lassen Sie diese Seite offen, bis sie dort sind.',

  // What staff see of it.
  'Back to the links': 'Zurück zu den Links',
  'You see what the recipient sees. Nothing here is counted.': 'Sie sehen, was der Empfänger sieht. Nichts hier wird gezählt.',
  'A preview takes no uploads.': 'Eine Vorschau nimmt keine Dateien an.',
  'This link opens nothing now.': 'Dieser Link öffnet derzeit nichts.',
  'It has expired, or whoever made it may not share it any more.':
    'Er ist abgelaufen, oder sein Ersteller darf nichts mehr teilen.',
  'It was closed meanwhile, or its code was changed.': 'Er wurde inzwischen geschlossen, oder sein Code wurde geändert.',
  'Recipients are told so, and can ask for more time or a new code.':
    'Empfänger erfahren das und können um mehr Zeit oder einen neuen Code bitten.',
} as const
