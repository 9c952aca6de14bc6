/** File previews. */
export const preview = {
  Preview: 'Vorschau',
  Space: 'Leertaste',
  'Preview the focused file': 'Vorschau der ausgewählten Datei',
  'Previous file': 'Vorherige Datei',
  'Next file': 'Nächste Datei',
  'This is the first file.': 'Dies ist die erste Datei.',
  'This is the last file.': 'Dies ist die letzte Datei.',
  'Zoom out': 'Verkleinern',
  'Zoom in': 'Vergrößern',
  'This type of file can’t be previewed.': 'Für diesen Dateityp gibt es keine Vorschau.',
  'Your browser can’t display this file.': 'Ihr Browser kann diese Datei nicht anzeigen.',
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
