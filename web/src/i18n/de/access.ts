/** The recipient's pages. */
export const access = {
  // Shared content.
  'Access granted. {name}': 'Zugang gewährt. {name}',
  'Directory Section': 'Verzeichnisbereich',
  'Shared by {person} · {company}': 'Geteilt von {person} · {company}',
  'Until {date}, {wait}': 'Bis {date}, {wait}',
  'No files yet': 'Noch keine Dateien',
  'No files here yet.': 'Hier sind noch keine Dateien.',
  'New files appear here automatically.': 'Neue Dateien erscheinen hier automatisch.',
  'Press a file to download it.': 'Wählen Sie eine Datei, um sie herunterzuladen.',
  'Download file': 'Datei herunterladen',
  'Your download should start automatically. If it doesn’t, use the button below.':
    'Der Download sollte automatisch beginnen. Falls nicht, verwenden Sie die Schaltfläche unten.',
  'The shared files did not load.': 'Die geteilten Dateien konnten nicht geladen werden.',
  'This is no longer available.': 'Das ist nicht mehr verfügbar.',
  'The shared file or directory was removed. Ask the person who shared it with you.':
    'Die geteilte Datei oder das geteilte Verzeichnis wurde entfernt. Fragen Sie die Person, die den Link geteilt hat.',
  'If it’s restored, it appears here automatically.': 'Wird es wiederhergestellt, erscheint es hier automatisch.',
  'Check again': 'Erneut prüfen',
  'The upload form did not load.': 'Das Upload-Formular konnte nicht geladen werden.',
  'Received: {amount}': 'Eingegangen: {amount}',
  'The receipt was not created.': 'Der Beleg wurde nicht erstellt.',
  'Files are uploaded to {directory}. Keep this page open until they finish.':
    'Dateien werden in {directory} hochgeladen. Lassen Sie diese Seite offen, bis alle fertig sind.',

  // The staff preview.
  'Back to links': 'Zurück zu den Links',
  'You’re viewing this link as its recipient. Your visit isn’t counted.':
    'Sie sehen diesen Link wie sein Empfänger. Ihr Besuch wird nicht gezählt.',
  'You can’t upload in a preview.': 'In der Vorschau können Sie nichts hochladen.',
  'This link can’t be opened.': 'Dieser Link kann nicht geöffnet werden.',
  'It has expired, or doesn’t work right now. Its details on the Links page say why.':
    'Er ist abgelaufen oder funktioniert gerade nicht. Den Grund finden Sie auf der Seite „Links“ in seinen Details.',
  'It was closed in the meantime, or its access code was reset.':
    'Er wurde inzwischen geschlossen, oder sein Zugangscode wurde zurückgesetzt.',
  'Recipients see a message instead.': 'Empfänger sehen stattdessen einen Hinweis.',
} as const
