/** Looking at a file without saving it. */
export const preview = {
  Preview: 'Vorschau',
  Space: 'Leertaste',
  'Preview the focused file': 'Vorschau der ausgewählten Datei',
  'Previous file': 'Vorherige Datei',
  'Next file': 'Nächste Datei',
  'This is the first one.': 'Dies ist die erste.',
  'This is the last one.': 'Dies ist die letzte.',
  Smaller: 'Verkleinern',
  Larger: 'Vergrößern',
  'This kind of file cannot be shown here.': 'Dateien dieser Art können hier nicht angezeigt werden.',
  'Your browser cannot show this file.': 'Ihr Browser kann diese Datei nicht anzeigen.',
  'The text did not load.': 'Der Text konnte nicht geladen werden.',
  'The preview did not load.': 'Die Vorschau konnte nicht geladen werden.',
  'Only the first {size} are shown. Download the file to read all of it.':
    'Nur die ersten {size} werden angezeigt. Laden Sie die Datei herunter, um alles zu lesen.',
  'This file is empty.': 'Diese Datei ist leer.',
  Image: 'Bild',
  'Office document': 'Office-Dokument',
  Archive: 'Archiv',
  'Audio or video': 'Audio oder Video',
  'Other file type': 'Anderer Dateityp',
}
