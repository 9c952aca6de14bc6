/** What whoever is not inside yet reads: the way in for staff, and for recipients. */
export const entry = {
  // Signing in.
  'Sign in': 'Anmelden',
  'Sign in to continue.': 'Melden Sie sich an, um fortzufahren.',
  Password: 'Passwort',
  'Remember me': 'Angemeldet bleiben',
  'Forgot your password?': 'Passwort vergessen?',
  'Enter your e-mail address.': 'Geben Sie Ihre E-Mail-Adresse ein.',
  'Enter your password.': 'Geben Sie Ihr Passwort ein.',
  'Your password has been changed. Sign in with the new one.': 'Ihr Passwort wurde geändert. Melden Sie sich mit dem neuen an.',
  'Your session has ended. Sign in to continue.': 'Ihre Sitzung ist beendet. Melden Sie sich an, um fortzufahren.',
  'You’re signed out in this browser. The server will be notified as soon as it can be reached.':
    'Sie sind in diesem Browser abgemeldet. Der Server wird benachrichtigt, sobald er erreichbar ist.',
  'Too many attempts. Try again in {n} seconds.': {
    one: 'Zu viele Versuche. Versuchen Sie es in {n} Sekunde erneut.',
    other: 'Zu viele Versuche. Versuchen Sie es in {n} Sekunden erneut.',
  },
  'Too many attempts. Try again in {n} minutes.': {
    one: 'Zu viele Versuche. Versuchen Sie es in {n} Minute erneut.',
    other: 'Zu viele Versuche. Versuchen Sie es in {n} Minuten erneut.',
  },
  'You can try again now.': 'Sie können es jetzt erneut versuchen.',

  // The way in.
  'Highly Secured Directory Protocol': 'Hochsicheres Verzeichnisprotokoll',
  'Key {key}': 'Schlüssel {key}',
  'Enter the access code.': 'Geben Sie den Zugangscode ein.',
  'A code has {right} letters and digits. This one has {length}.':
    'Ein Code hat {right} Buchstaben und Ziffern. Dieser hat {length}.',
  'That code was mistyped: a letter or a digit is wrong. Compare it with the one you got.':
    'Der Code ist falsch eingegeben: Ein Buchstabe oder eine Ziffer stimmt nicht. Vergleichen Sie ihn mit dem, den Sie erhalten haben.',
  'This link isn’t available right now. Try again later, or ask the person who sent it to you.':
    'Dieser Link ist gerade nicht verfügbar. Versuchen Sie es später noch einmal, oder fragen Sie die Person, die ihn geschickt hat.',
  'That code does not match. Check it, or ask the sender for a new one.':
    'Dieser Code passt nicht. Prüfen Sie ihn oder bitten Sie den Absender um einen neuen.',
  'This link has expired, please contact your administrator to create a new link.':
    'Dieser Link ist abgelaufen. Bitte wenden Sie sich an Ihren Administrator, um einen neuen Link zu erhalten.',
  'Use the access code you were given to open this link.': 'Öffnen Sie diesen Link mit dem Zugangscode, den Sie erhalten haben.',
  '12 letters and digits; dashes do not matter.': '12 Buchstaben und Ziffern; Bindestriche sind egal.',
  'Checking the link': 'Der Link wird geprüft',
  'Access File': 'Datei öffnen',
  'Access Directory': 'Verzeichnis öffnen',
  'The link could not be checked.': 'Der Link konnte nicht geprüft werden.',
  'It was deleted, or the address is incomplete.': 'Er wurde gelöscht, oder die Adresse ist unvollständig.',
  'Check the address you were sent, or ask the sender for a new link.':
    'Prüfen Sie die Adresse, die Sie erhalten haben, oder bitten Sie den Absender um einen neuen Link.',

  // What to ask for.
  'Out of time?': 'Zeit abgelaufen?',
  'Lost the code?': 'Code verloren?',
  'Ask for more time': 'Um mehr Zeit bitten',
  'Ask for a new code': 'Um einen neuen Code bitten',
  'Whoever shared this is asked to keep it open longer. The code stays the same.':
    'Der Absender wird gebeten, den Link länger offen zu halten. Der Code bleibt derselbe.',
  'Whoever shared this is asked for a new code. It comes from them, not from this page.':
    'Der Absender wird um einen neuen Code gebeten. Sie erhalten ihn von ihm, nicht von dieser Seite.',
  'Who are you, and what do you need?': 'Wer sind Sie, und was brauchen Sie?',
  'Optional, up to {n} characters.': { one: 'Freiwillig, höchstens {n} Zeichen.', other: 'Freiwillig, höchstens {n} Zeichen.' },
  'Back to the access code': 'Zurück zum Zugangscode',
  'If the link exists, its owner has received your request. You’ll hear from them.':
    'Falls es den Link gibt, hat der Absender Ihre Anfrage erhalten. Sie hören von ihm.',
} as const
