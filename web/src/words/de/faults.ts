/** What the server finds wrong with a field, by the words it says itself; `{n}` is any number. What only a program can get wrong stays English. */
export const faults = {
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
  'This must not contain control characters.': 'Das darf keine Steuerzeichen enthalten.',
  'This must not contain line separators or characters that change the text direction.':
    'Das darf keine Zeichen enthalten, die Zeilen umbrechen oder die Schreibrichtung ändern.',
  'This must be true or false.': 'Das muss true oder false sein.',
  'This must be an email address, such as kim@acme.example.': 'Das muss eine E-Mail-Adresse sein, etwa kim@acme.example.',
  'This must be a date such as 2026-12-31, or a time such as 2026-12-31T23:00:00Z.':
    'Das muss ein Datum wie 2026-12-31 sein oder ein Zeitpunkt wie 2026-12-31T23:00:00Z.',
  'This must be a time such as 2026-01-31T00:00:00Z.': 'Das muss ein Zeitpunkt wie 2026-01-31T00:00:00Z sein.',
  'At most 200 at once.': 'Höchstens 200 auf einmal.',
  'This must be an address such as https://example.com/hook.': 'Das muss eine Adresse wie https://example.com/hook sein.',
  'This must begin with https://.': 'Das muss mit https:// beginnen.',
  'This must not contain a name or a password.': 'Das darf keinen Namen und kein Passwort enthalten.',
  'This is an address of this machine or network, not of the internet.':
    'Das ist eine Adresse dieses Rechners oder Netzes, nicht des Internets.',
  'There is no such field.': 'Dieses Feld gibt es nicht.',
  'There is no such day.': 'Diesen Tag gibt es nicht.',
  'Unknown action.': 'Unbekannte Aktion.',
  'This must be in the future.': 'Das muss in der Zukunft liegen.',
  'This must be within ten years.': 'Das muss innerhalb von zehn Jahren liegen.',
  'Choose the file to share.': 'Wählen Sie die Datei, die geteilt werden soll.',
  'Choose the directory to share.': 'Wählen Sie das Verzeichnis, das geteilt werden soll.',
  'Choose the files: at most 10,000 at a time.': 'Wählen Sie die Dateien: höchstens 10.000 auf einmal.',
  'This is the password you have. Choose another one.': 'Das ist Ihr jetziges Passwort. Wählen Sie ein anderes.',
  'This is easy to guess. Use several words that do not belong together.':
    'Das ist leicht zu erraten. Verwenden Sie mehrere Wörter, die nicht zusammengehören.',
  'This cursor belongs to another list or sort order.': 'Dieser Cursor gehört zu einer anderen Liste oder Sortierung.',
  'Activity calls others by this name. Choose another one.': 'So heißen in der Aktivität andere. Wählen Sie einen anderen Namen.',
  'This name contains broken characters.': 'Dieser Name enthält fehlerhafte Zeichen.',
  'This name contains a slash or a backslash.': 'Dieser Name enthält einen Schrägstrich oder umgekehrten Schrägstrich.',
  'This name contains control characters.': 'Dieser Name enthält Steuerzeichen.',
  'This name contains characters that turn the direction of writing around.':
    'Dieser Name enthält Zeichen, die die Schreibrichtung ändern.',
  'This name contains invisible characters.': 'Dieser Name enthält unsichtbare Zeichen.',
  'This name contains invisible characters alone.': 'Dieser Name besteht nur aus unsichtbaren Zeichen.',
  'This name is empty.': 'Dieser Name ist leer.',
  'This name has nothing but dots.': 'Dieser Name besteht nur aus Punkten.',
  'This name is too long. It may take {n} bytes.': {
    one: 'Dieser Name ist zu lang. Er darf {n} Byte umfassen.',
    other: 'Dieser Name ist zu lang. Er darf {n} Byte umfassen.',
  },
} as const
