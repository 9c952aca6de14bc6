/** Common states of lists, fields and pages. */
export const states = {
  'Skip to content': 'Zum Inhalt springen',
  Loading: 'Wird geladen',
  Notifications: 'Benachrichtigungen',
  Close: 'Schließen',
  Reload: 'Neu laden',
  'Try again': 'Erneut versuchen',
  'Access code': 'Zugangscode',
  'E-mail address': 'E-Mail-Adresse',
  'Request {id}': 'Anfrage {id}',

  // A list.
  Selection: 'Auswahl',
  'Select all': 'Alle auswählen',
  'Select {name}': '{name} auswählen',
  'Clear selection': 'Auswahl aufheben',
  '{count} selected': '{count} ausgewählt',
  'All {shown} shown': 'Alle {shown} angezeigt',
  'None shown': 'Keine angezeigt',
  'Showing {shown}': '{shown} angezeigt',
  'Showing {shown} of {total}': '{shown} von {total} angezeigt',
  'Couldn’t load more.': 'Weitere konnten nicht geladen werden.',
  'Show more': 'Mehr anzeigen',
  '{list}, starting at {n}': '{list} ab Nr. {n}',

  // A field.
  'Copy {what}': '{what} kopieren',
  Copied: 'Kopiert',
  'Not copied. Your browser doesn’t allow it.': 'Nicht kopiert. Ihr Browser erlaubt es nicht.',
  'Not copied. The text is selected; copy it with your keyboard.':
    'Nicht kopiert. Der Text ist markiert; kopieren Sie ihn mit der Tastatur.',
  'Show {what}': '{what} anzeigen',

  // Failures.
  'Neptune cannot be reached. Check your connection and try again.':
    'Neptune ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  'Neptune sent an invalid response. Try again in a moment.':
    'Neptune hat eine ungültige Antwort gesendet. Versuchen Sie es gleich erneut.',
  'This page did not load.': 'Diese Seite konnte nicht geladen werden.',
  'Check your connection and try again.': 'Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  'Check your connection, then reload the page.': 'Prüfen Sie Ihre Verbindung und laden Sie die Seite dann neu.',
  'This page can’t be shown.': 'Diese Seite kann nicht angezeigt werden.',
  'Something went wrong on this page.': 'Auf dieser Seite ist etwas schiefgegangen.',
  'Reload the page to continue. Everything you saved is safe.':
    'Laden Sie die Seite neu, um fortzufahren. Alles Gespeicherte bleibt erhalten.',
} as const
