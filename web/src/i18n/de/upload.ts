/** Uploads. */
export const upload = {
  // Choosing files.
  'Upload File': 'Datei hochladen',
  Upload: 'Hochladen',
  'This information could be displayed publicly without an access token so be careful what you share.':
    'Diese Informationen könnten ohne Zugangstoken öffentlich sichtbar sein. Achten Sie darauf, was Sie teilen.',
  'This company has no directories yet.': 'Dieses Unternehmen hat noch keine Verzeichnisse.',
  'Choose files': 'Dateien wählen',
  'Choose folder': 'Ordner wählen',
  Folder: 'Ordner',
  'Drop files or folders here, or choose them.': 'Ziehen Sie Dateien oder Ordner hierher oder wählen Sie sie aus.',
  'Drop more here.': 'Ziehen Sie weitere hierher.',
  'Reading folders': 'Ordner werden gelesen',
  'Reading the dropped files': 'Abgelegte Dateien werden gelesen',
  'Drop to upload to {directory}': 'Ablegen, um in {directory} hochzuladen',
  'Drop to choose where to upload': 'Ablegen, um das Ziel zu wählen',
  'The dropped files couldn’t be read. Use “Upload file” instead.':
    'Die abgelegten Dateien konnten nicht gelesen werden. Verwenden Sie stattdessen „Datei hochladen“.',
  'The dropped files couldn’t be read. Choose them instead.':
    'Die abgelegten Dateien konnten nicht gelesen werden. Wählen Sie sie stattdessen aus.',
  'Upload one{drop}.': 'Laden Sie eine hoch{drop}.',
  ', or drop files and folders anywhere on this page': ' oder ziehen Sie Dateien und Ordner irgendwo auf diese Seite',
  'Remove all': 'Alle entfernen',
  'Remove {name}': '{name} entfernen',
  'and {n} more': 'und {n} weitere',
  'Directories have no subfolders: all files end up side by side, and files with the same name get a number.':
    'Verzeichnisse haben keine Unterordner: Alle Dateien liegen nebeneinander, und gleichnamige Dateien erhalten eine Nummer.',
  'Choose at least one file.': 'Wählen Sie mindestens eine Datei.',
  'Nothing was uploaded.': 'Nichts wurde hochgeladen.',

  // Existing names.
  'This name is taken': 'Dieser Name ist vergeben',
  'These names are taken': 'Diese Namen sind vergeben',
  '{directory} already has a file called “{name}”.': '{directory} enthält schon eine Datei namens „{name}“.',
  '{taken} of your {n} files have names that already exist in {directory}.': {
    one: '{taken} Ihrer {n} Datei hat einen Namen, den es in {directory} schon gibt.',
    other: '{taken} Ihrer {n} Dateien haben Namen, die es in {directory} schon gibt.',
  },
  'For this file': 'Für diese Datei',
  'For all {n} files': { one: 'Für die {n} Datei', other: 'Für alle {n} Dateien' },
  'Keep both': 'Beide behalten',
  'The new file gets a number, such as “Offer (1).pdf”.': 'Die neue Datei erhält eine Nummer, etwa „Angebot (1).pdf“.',
  Replace: 'Ersetzen',
  'The old file goes to the trash.': 'Die alte Datei kommt in den Papierkorb.',
  'Decide for each file': 'Für jede Datei entscheiden',
  'Existing names': 'Vorhandene Namen',
  'What to do with {name}': 'Was mit {name} geschehen soll',

  '{n} links share this file. If you replace it, they stop working until you restore the old file.': {
    one: '{n} Link teilt diese Datei. Wenn Sie sie ersetzen, funktioniert er nicht mehr, bis Sie die alte Datei wiederherstellen.',
    other:
      '{n} Links teilen diese Datei. Wenn Sie sie ersetzen, funktionieren sie nicht mehr, bis Sie die alte Datei wiederherstellen.',
  },
  '{n} links share the files you replace. They stop working until you restore the old files.': {
    one: '{n} Link teilt eine Datei, die Sie ersetzen. Er funktioniert nicht mehr, bis Sie die alte Datei wiederherstellen.',
    other:
      '{n} Links teilen Dateien, die Sie ersetzen. Sie funktionieren nicht mehr, bis Sie die alten Dateien wiederherstellen.',
  },
  'Shared through {n} links': { one: 'Über {n} Link geteilt', other: 'Über {n} Links geteilt' },

  // Unfinished uploads of a directory.
  '{n} unfinished uploads': { one: '{n} unfertiger Upload', other: '{n} unfertige Uploads' },
  '{received} of {size}': '{received} von {size}',
  '{size} reserved': '{size} reserviert',
  'Unfinished uploads': 'Unfertige Uploads',
  'Recipient of a link': 'Empfänger eines Links',
  'Recipient of a link sent to {email}': 'Empfänger eines Links an {email}',
  'Cancel upload': 'Upload abbrechen',
  'Keep it': 'Behalten',
  '{received} of “{name}” has been uploaded. If you cancel, it’s deleted and the upload has to start over.':
    '{received} von „{name}“ wurden hochgeladen. Wenn Sie abbrechen, werden sie gelöscht, und der Upload muss neu beginnen.',
  'Canceled the upload of “{name}”.': 'Der Upload von „{name}“ wurde abgebrochen.',
  'The upload was not canceled.': 'Der Upload wurde nicht abgebrochen.',

  // The tray.
  Uploads: 'Uploads',
  'Expand uploads': 'Uploads ausklappen',
  'Collapse uploads': 'Uploads einklappen',
  'All uploads': 'Alle Uploads',
  'Files to resume': 'Dateien zum Fortsetzen',
  'Pause all': 'Alle pausieren',
  'Resume all': 'Alle fortsetzen',
  'Allow all': 'Alle erlauben',
  'Retry all': 'Alle wiederholen',
  'Cancel all': 'Alle abbrechen',
  'Cancel {n} uploads': { one: '{n} Upload abbrechen', other: '{n} Uploads abbrechen' },
  'Clear finished': 'Fertige ausblenden',
  'Upload of {name}': 'Upload von {name}',
  'Clear {name}': '{name} ausblenden',
  'Cancel {name}': '{name} abbrechen',
  'Resume {name}': '{name} fortsetzen',
  'Pause {name}': '{name} pausieren',
  Allow: 'Erlauben',
  'Allow reading {name}': 'Lesen von {name} erlauben',
  Choose: 'Wählen',
  'Choose {name} again': '{name} erneut wählen',
  Retry: 'Wiederholen',
  'Retry {name}': '{name} wiederholen',

  // Progress.
  '{n} uploaded': '{n} hochgeladen',
  '{n} need files': { one: '{n} braucht die Datei', other: '{n} brauchen Dateien' },
  '{n} failed': '{n} fehlgeschlagen',
  '{n} done': '{n} fertig',
  '{n} to be chosen again': '{n} erneut zu wählen',
  '{n} paused': '{n} pausiert',
  'Uploads: {list}.': 'Uploads: {list}.',
  'Uploading {name} to {directory}.': '{name} wird in {directory} hochgeladen.',
  'Uploading {n} files to {directory}.': {
    one: '{n} Datei wird in {directory} hochgeladen.',
    other: '{n} Dateien werden in {directory} hochgeladen.',
  },
  'Uploads are waiting and will resume automatically.': 'Die Uploads warten und werden automatisch fortgesetzt.',
  'Waiting for the network': 'Wartet auf das Netzwerk',
  'Waiting for the server': 'Wartet auf den Server',
  'Waiting for you to sign in': 'Wartet auf Ihre Anmeldung',
  '{size} · Queued': '{size} · In der Warteschlange',
  'Paused · {size}': 'Pausiert · {size}',
  '{size} · In {directory}': '{size} · In {directory}',
  'Allow Neptune to read the file again to continue.': 'Erlauben Sie Neptune, die Datei wieder zu lesen, um fortzufahren.',
  'Choose the file again to continue.': 'Wählen Sie die Datei erneut, um fortzufahren.',
  'You chose “{name}”.': 'Sie haben „{name}“ gewählt.',
  'That file is {size}, not {known}.': 'Diese Datei hat {size}, nicht {known}.',
  'That file has changed since.': 'Diese Datei wurde inzwischen geändert.',
  'That file can’t be read.': 'Diese Datei kann nicht gelesen werden.',
  'That file already belongs to another upload.': 'Diese Datei gehört schon zu einem anderen Upload.',
  '{reason} Choose the original “{name}”, or cancel.':
    '{reason} Wählen Sie „{name}“ in der ursprünglichen Fassung, oder brechen Sie ab.',

  // Failures.
  '{name} was not uploaded. {reason}': '{name} wurde nicht hochgeladen. {reason}',
  '{reason} Rename it and upload it again.': '{reason} Benennen Sie die Datei um und laden Sie sie erneut hoch.',
  'The file was changed or removed in the meantime. Upload it again.':
    'Die Datei wurde inzwischen geändert oder entfernt. Laden Sie sie erneut hoch.',
  'Something went wrong on this page. Try again.': 'Auf dieser Seite ist etwas schiefgegangen. Versuchen Sie es erneut.',
  'The directory was deleted. Restore it from the trash, then retry.':
    'Das Verzeichnis wurde gelöscht. Stellen Sie es aus dem Papierkorb wieder her, und versuchen Sie es erneut.',
  'This file is larger than the server accepts. Split it, or ask an administrator.':
    'Diese Datei ist größer, als der Server annimmt. Teilen Sie sie auf, oder fragen Sie einen Administrator.',
  'This company has {left} left, but the file needs {needed}. Files in the trash count until they’re deleted for good. Ask an administrator for more space.':
    'Dieses Unternehmen hat noch {left} frei, die Datei braucht aber {needed}. Dateien im Papierkorb zählen mit, bis sie endgültig gelöscht sind. Bitten Sie einen Administrator um mehr Speicherplatz.',
  'The upload was canceled or has expired. Check whether the file is there, then retry.':
    'Der Upload wurde abgebrochen oder ist abgelaufen. Sehen Sie nach, ob die Datei da ist, und versuchen Sie es erneut.',
  'The server had an error. Retry, or report request {id}.':
    'Auf dem Server ist ein Fehler aufgetreten. Versuchen Sie es erneut, oder melden Sie die Anfrage {id}.',
  'The server isn’t accepting this file. Try again in a moment.':
    'Der Server nimmt diese Datei nicht an. Versuchen Sie es gleich erneut.',
  'Neptune didn’t return an address for the upload. Try again in a moment.':
    'Neptune hat keine Adresse für den Upload zurückgegeben. Versuchen Sie es gleich erneut.',
  'Neptune didn’t report the upload’s progress. Try again in a moment.':
    'Neptune hat den Fortschritt des Uploads nicht gemeldet. Versuchen Sie es gleich erneut.',
  'You can keep working while files upload. People with access to the company can see them, others only if you share a link.': 'Sie können weiterarbeiten, während Dateien hochgeladen werden. Wer Zugriff auf das Unternehmen hat, sieht sie; andere nur, wenn Sie einen Link teilen.',
} as const
