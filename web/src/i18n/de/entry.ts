/** Sign-in for staff and code entry for recipients. */
export const entry = {
  // Signing in.
  'Sign in': 'Anmelden',
  'Sign in to continue.': 'Melden Sie sich an, um fortzufahren.',
  Password: 'Passwort',
  'Remember me': 'Angemeldet bleiben',
  'Forgot your password?': 'Passwort vergessen?',
  'Enter your email address.': 'Geben Sie Ihre E-Mail-Adresse ein.',
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

  // Code entry.
  'Highly Secured Directory Protocol': 'Hochsicheres Verzeichnisprotokoll',
  'Key {key}': 'Schlüssel {key}',
  'Enter the access code.': 'Geben Sie den Zugangscode ein.',
  'A code has {right} letters and digits. This one has {length}.':
    'Ein Code hat {right} Buchstaben und Ziffern. Dieser hat {length}.',
  'That code has a typo. Compare it with the one you received.':
    'Der Code enthält einen Tippfehler. Vergleichen Sie ihn mit dem, den Sie erhalten haben.',
  'This link isn’t available right now. Try again later, or ask the person who sent it to you.':
    'Dieser Link ist gerade nicht verfügbar. Versuchen Sie es später noch einmal, oder fragen Sie die Person, die ihn geschickt hat.',
  'That code doesn’t match. Check it, or ask the sender for a new one.':
    'Dieser Code passt nicht. Prüfen Sie ihn, oder bitten Sie den Absender um einen neuen.',
  'This link has expired, please contact your administrator to create a new link.':
    'Dieser Link ist abgelaufen. Bitte wenden Sie sich an Ihren Administrator, um einen neuen Link zu erhalten.',
  'Use the access code you were given to open this link.': 'Öffnen Sie diesen Link mit dem Zugangscode, den Sie erhalten haben.',
  '12 letters and digits. You can leave out the dashes.': '12 Buchstaben und Ziffern. Die Bindestriche können Sie weglassen.',
  'Checking the link': 'Der Link wird geprüft',
  'Access File': 'Datei öffnen',
  'Access Directory': 'Verzeichnis öffnen',
  'The link could not be checked.': 'Der Link konnte nicht geprüft werden.',
  'It was deleted, or the address is incomplete.': 'Er wurde gelöscht, oder die Adresse ist unvollständig.',
  'Check the address you were sent, or ask the sender for a new link.':
    'Prüfen Sie die Adresse, die Sie erhalten haben, oder bitten Sie den Absender um einen neuen Link.',

  // Requests.
  'Out of time?': 'Zeit abgelaufen?',
  'Lost the code?': 'Code verloren?',
  'Ask for more time': 'Um mehr Zeit bitten',
  'Ask for a new code': 'Um einen neuen Code bitten',
  'We’ll ask the person who shared this to keep it open longer. Your code stays the same.':
    'Wir bitten die Person, die den Link geschickt hat, ihn länger offen zu halten. Ihr Code bleibt derselbe.',
  'We’ll ask the person who shared this for a new code. They’ll send it to you; it isn’t shown on this page.':
    'Wir bitten die Person, die den Link geschickt hat, um einen neuen Code. Sie erhalten ihn von ihr, nicht auf dieser Seite.',
  'Who are you, and what do you need?': 'Wer sind Sie, und was brauchen Sie?',
  'Optional, up to {n} characters.': { one: 'Optional, höchstens {n} Zeichen.', other: 'Optional, höchstens {n} Zeichen.' },
  'Back to the access code': 'Zurück zum Zugangscode',
  'If the link exists, its owner has received your request. You’ll hear from them.':
    'Falls es den Link gibt, hat der Absender Ihre Anfrage erhalten. Sie hören von ihm.',
} as const
