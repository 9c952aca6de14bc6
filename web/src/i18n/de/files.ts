/** Directories, files, and the trash. */
export const files = {
  // A directory.
  'No files': 'Keine Dateien',
  Open: 'Öffnen',
  'Download all': 'Alle herunterladen',
  'Download all (ZIP)': 'Alle herunterladen (ZIP)',
  'Create Directory': 'Verzeichnis erstellen',
  'Search directories': 'Verzeichnisse durchsuchen',
  'Search this directory': 'Dieses Verzeichnis durchsuchen',
  'Largest first': 'Größte zuerst',
  'The directories did not load.': 'Die Verzeichnisse konnten nicht geladen werden.',
  'The directory did not load.': 'Das Verzeichnis konnte nicht geladen werden.',
  'The directory is still loading.': 'Das Verzeichnis wird noch geladen.',
  'No directories yet.': 'Noch keine Verzeichnisse.',
  'Create one to upload files to.': 'Erstellen Sie eines, um Dateien hochzuladen.',
  'No directory matches “{search}”.': 'Kein Verzeichnis passt zu „{search}“.',
  'No directory matches these filters.': 'Kein Verzeichnis passt zu diesen Filtern.',
  'If it was deleted, it may still be in the trash.': 'Falls es gelöscht wurde, liegt es vielleicht noch im Papierkorb.',

  // Files.
  'All files you can access, across all directories.': 'Alle Dateien, auf die Sie Zugriff haben, aus allen Verzeichnissen.',
  'Search files': 'Dateien durchsuchen',
  'The files did not load.': 'Die Dateien konnten nicht geladen werden.',
  'No files yet.': 'Noch keine Dateien.',
  'No files in this directory yet.': 'Noch keine Dateien in diesem Verzeichnis.',
  'No file matches “{search}”.': 'Keine Datei passt zu „{search}“.',
  'No file matches these filters.': 'Keine Datei passt zu diesen Filtern.',
  'Content Type': 'Dateityp',
  Added: 'Hinzugefügt',
  Kind: 'Art',
  'All kinds': 'Alle Arten',
  Images: 'Bilder',
  PDF: 'PDF',
  Text: 'Text',
  Office: 'Office',
  Archives: 'Archive',
  'Audio and video': 'Audio und Video',
  Other: 'Andere',
  Damaged: 'Beschädigt',
  '{name} Damaged': '{name} Beschädigt',
  'This file is damaged on the server and can’t be downloaded. Tell an administrator.':
    'Diese Datei ist auf dem Server beschädigt und kann nicht heruntergeladen werden. Bitte informieren Sie einen Administrator.',
  'This file is damaged on the server and can’t be downloaded. Tell the person who shared it.':
    'Diese Datei ist auf dem Server beschädigt und kann nicht heruntergeladen werden. Bitte informieren Sie die Person, die sie geteilt hat.',
  '“{name}” no longer exists.': '„{name}“ ist nicht mehr vorhanden.',
  'The download did not start.': 'Das Herunterladen hat nicht begonnen.',

  // Deleting and restoring.
  'Deleted “{name}”.': '„{name}“ wurde gelöscht.',
  'Deleted {n} files.': { one: '{n} Datei wurde gelöscht.', other: '{n} Dateien wurden gelöscht.' },
  'Restored “{name}”.': '„{name}“ wurde wiederhergestellt.',
  'Restored {n} files.': { one: '{n} Datei wurde wiederhergestellt.', other: '{n} Dateien wurden wiederhergestellt.' },
  'Restored {n} directories.': {
    one: '{n} Verzeichnis wurde wiederhergestellt.',
    other: '{n} Verzeichnisse wurden wiederhergestellt.',
  },
  '“{name}” wasn’t restored because another directory now has its name. Rename that directory first.':
    '„{name}“ wurde nicht wiederhergestellt, weil ein anderes Verzeichnis jetzt so heißt. Benennen Sie dieses zuerst um.',
  Undo: 'Rückgängig',
  Restore: 'Wiederherstellen',
  'Restore {name}': '{name} wiederherstellen',

  // The trash.
  'Deleted items': 'Gelöschtes',
  'Original location': 'Ursprünglicher Ort',
  Deleted: 'Gelöscht',
  'Gone for good': 'Endgültig weg',
  'Search deleted files': 'Gelöschte Dateien durchsuchen',
  'Search deleted directories': 'Gelöschte Verzeichnisse durchsuchen',
  'Deleted files': 'Gelöschte Dateien',
  'Deleted directories': 'Gelöschte Verzeichnisse',
  'No deleted files.': 'Keine gelöschten Dateien.',
  'No deleted directories.': 'Keine gelöschten Verzeichnisse.',
  'No deleted file matches “{search}”.': 'Keine gelöschte Datei passt zu „{search}“.',
  'No deleted directory matches “{search}”.': 'Kein gelöschtes Verzeichnis passt zu „{search}“.',
  'Deleted items stay here for a while and can be restored.':
    'Gelöschtes bleibt eine Zeit lang hier und kann wiederhergestellt werden.',
  'Files in a deleted directory are restored with it: see Directories.':
    'Dateien in einem gelöschten Verzeichnis werden mit ihm wiederhergestellt: siehe Verzeichnisse.',
  'The trash did not load.': 'Der Papierkorb konnte nicht geladen werden.',
} as const
