/** Finding anything, and the keys that make it quick. */
export const finder = {
  Search: 'Suchen',
  'Search or choose an action': 'Suchen oder Aktion wählen',
  Recent: 'Zuletzt besucht',
  Pages: 'Seiten',
  'Your account and this browser': 'Ihr Konto und dieser Browser',
  'API documentation': 'API-Dokumentation',
  Searching: 'Suche läuft',
  '{n} results': { one: '{n} Ergebnis', other: '{n} Ergebnisse' },
  'Nothing matches “{search}”.': 'Nichts passt zu „{search}“.',
  'Not everything could be searched. {reason}': 'Es konnte nicht alles durchsucht werden. {reason}',
  'You are offline. Only pages and actions are found.': 'Sie sind offline. Nur Seiten und Aktionen werden gefunden.',

  // The keys.
  'Keyboard shortcuts': 'Tastenkürzel',
  'Search everything, or choose an action': 'Alles durchsuchen oder eine Aktion wählen',
  'Search on this page': 'Auf dieser Seite suchen',
  'Show this list': 'Diese Liste anzeigen',
  'Go through a list, a menu or tiles': 'Durch Listen, Menüs und Kacheln gehen',
  'Open what has the focus': 'Ausgewähltes öffnen',
  'Actions of what has the focus': 'Aktionen für Ausgewähltes',
  'Close a dialog or a menu': 'Dialog oder Menü schließen',
  'Keys without Ctrl or ⌘: / and ?': 'Tasten ohne Strg oder ⌘: / und ?',
  '(turned off)': '(ausgeschaltet)',
  Ctrl: 'Strg',
  Shift: 'Umschalt',
  Esc: 'Esc',
} as const
