/** The server's validation messages; `{n}` is any number. Messages that only concern API clients stay in English. */
export const validation = {
  'This field is missing.': 'Diese Angabe fehlt.',
  'This must be text.': 'Das muss Text sein.',
  'This must not be empty.': 'Das darf nicht leer sein.',
  'This must have at most {n} characters.': {
    one: 'Das darf höchstens {n} Zeichen haben.',
    other: 'Das darf höchstens {n} Zeichen haben.',
  },
  'This must have at least {n} characters.': {
    one: 'Das muss mindestens {n} Zeichen haben.',
    other: 'Das muss mindestens {n} Zeichen haben.',
  },
  'This must be a whole number, 1 or more.': 'Das muss eine ganze Zahl ab 1 sein.',
  'This must not contain control characters.': 'Das darf keine Steuerzeichen enthalten.',
  'This must not contain line separators or characters that change the text direction.':
    'Das darf keine Zeichen enthalten, die Zeilen umbrechen oder die Schreibrichtung ändern.',
  'This must be true or false.': 'Das muss true oder false sein.',
  'This must be an email address, such as kim@acme.example.': 'Das muss eine E-Mail-Adresse sein, etwa kim@acme.example.',
  'This must be a date such as 2026-12-31, or a time such as 2026-12-31T23:00:00Z.':
    'Das muss ein Datum wie 2026-12-31 sein oder ein Zeitpunkt wie 2026-12-31T23:00:00Z.',
  'This must be a time such as 2026-01-31T00:00:00Z.': 'Das muss ein Zeitpunkt wie 2026-01-31T00:00:00Z sein.',
  'Send at most 200 at once.': 'Senden Sie höchstens 200 auf einmal.',
  'This must be a URL such as https://example.com/hook.': 'Das muss eine URL wie https://example.com/hook sein.',
  'This must start with https://.': 'Das muss mit https:// beginnen.',
  'This must not contain a user name or password.': 'Das darf keinen Benutzernamen und kein Passwort enthalten.',
  'This is a private address. Enter a public one.': 'Das ist eine private Adresse. Geben Sie eine öffentliche ein.',
  'There is no such field.': 'Dieses Feld gibt es nicht.',
  'This date does not exist.': 'Dieses Datum gibt es nicht.',
  'Unknown action.': 'Unbekannte Aktion.',
  'This must be in the future.': 'Das muss in der Zukunft liegen.',
  'This must be within ten years.': 'Das muss innerhalb von zehn Jahren liegen.',
  'This must be within {n} days.': {
    one: 'Das muss innerhalb von {n} Tag liegen.',
    other: 'Das muss innerhalb von {n} Tagen liegen.',
  },
  'This must not be less than the default of {n} days.': {
    one: 'Das darf nicht weniger sein als die Vorgabe von {n} Tag.',
    other: 'Das darf nicht weniger sein als die Vorgabe von {n} Tagen.',
  },
  'This must not be more than the maximum of {n} days.': {
    one: 'Das darf nicht mehr sein als das Maximum von {n} Tag.',
    other: 'Das darf nicht mehr sein als das Maximum von {n} Tagen.',
  },
  'Choose the file to share.': 'Wählen Sie die Datei, die geteilt werden soll.',
  'Choose the directory to share.': 'Wählen Sie das Verzeichnis, das geteilt werden soll.',
  'Choose the files: at most 10,000 at a time.': 'Wählen Sie die Dateien: höchstens 10.000 auf einmal.',
  'This is your current password. Choose a different one.': 'Das ist Ihr aktuelles Passwort. Wählen Sie ein anderes.',
  'This is easy to guess. Use several unrelated words.':
    'Das ist leicht zu erraten. Verwenden Sie mehrere Wörter, die nichts miteinander zu tun haben.',
  'This cursor is invalid or belongs to another list or sort order. Request the first page again.':
    'Dieser Cursor ist ungültig oder gehört zu einer anderen Liste oder Sortierung. Rufen Sie die erste Seite neu ab.',
  'This name is reserved. Choose a different one.': 'Dieser Name ist reserviert. Wählen Sie einen anderen.',
  'This name contains invalid characters.': 'Dieser Name enthält ungültige Zeichen.',
  'This name contains a slash or a backslash.': 'Dieser Name enthält einen Schrägstrich oder umgekehrten Schrägstrich.',
  'This name contains control characters.': 'Dieser Name enthält Steuerzeichen.',
  'This name contains characters that change the writing direction.':
    'Dieser Name enthält Zeichen, die die Schreibrichtung ändern.',
  'This name contains invisible characters.': 'Dieser Name enthält unsichtbare Zeichen.',
  'This name contains only invisible characters.': 'Dieser Name besteht nur aus unsichtbaren Zeichen.',
  'This name contains only dots.': 'Dieser Name besteht nur aus Punkten.',
  'This name is too long. The limit is {n} bytes.': {
    one: 'Dieser Name ist zu lang. Erlaubt ist {n} Byte.',
    other: 'Dieser Name ist zu lang. Erlaubt sind {n} Byte.',
  },
} as const
