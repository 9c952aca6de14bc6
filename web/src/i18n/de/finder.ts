/** The search dialog and keyboard shortcuts. */
export const finder = {
  Search: 'Suchen',
  'Search or choose an action': 'Suchen oder Aktion wählen',
  Recent: 'Zuletzt besucht',
  Pages: 'Seiten',
  'Account and settings': 'Konto und Einstellungen',
  'API documentation': 'API-Dokumentation',
  Searching: 'Suche läuft',
  '{n} results': { one: '{n} Ergebnis', other: '{n} Ergebnisse' },
  'Nothing matches “{search}”.': 'Nichts passt zu „{search}“.',
  'Some results couldn’t be loaded. {reason}': 'Einige Ergebnisse konnten nicht geladen werden. {reason}',
  'You’re offline. Search finds only pages and actions.': 'Sie sind offline. Die Suche findet nur Seiten und Aktionen.',

  // Keyboard shortcuts.
  'Keyboard shortcuts': 'Tastenkürzel',
  'Search everything, or choose an action': 'Alles durchsuchen oder eine Aktion wählen',
  'Search on this page': 'Auf dieser Seite suchen',
  'Show this list': 'Diese Liste anzeigen',
  'Move through a list, menu or tiles': 'Durch Listen, Menüs und Kacheln gehen',
  'Open the focused item': 'Ausgewähltes Element öffnen',
  'Show actions for the focused item': 'Aktionen für das ausgewählte Element anzeigen',
  'Close a dialog or menu': 'Dialog oder Menü schließen',
  'Single-key shortcuts: / and ?': 'Tastenkürzel mit nur einer Taste: / und ?',
  '(turned off)': '(ausgeschaltet)',
  Ctrl: 'Strg',
  Shift: 'Umschalt',
  Esc: 'Esc',
} as const
