/** Sign-in and sign-out, the user's own account, and navigation. */
export const identity = {
  Email: 'E-Mail',
  // Connection.
  'You’re offline. Neptune can’t be reached.': 'Sie sind offline. Neptune ist nicht erreichbar.',

  // A forgotten password.
  'Enter the email address you sign in with. You’ll get an email with a link to choose a new password.':
    'Geben Sie die E-Mail-Adresse ein, mit der Sie sich anmelden. Sie erhalten eine E-Mail mit einem Link, um ein neues Passwort zu wählen.',
  'Send email': 'E-Mail senden',
  'If there is an account for {email}, an email with a link to choose a new password is on its way. The link works once and expires after an hour.':
    'Falls es ein Konto für {email} gibt, ist eine E-Mail mit einem Link unterwegs, um ein neues Passwort zu wählen. Der Link gilt einmal und läuft nach einer Stunde ab.',
  'Nothing there? Check your spam folder, or ask an administrator.':
    'Nichts angekommen? Sehen Sie im Spam-Ordner nach oder fragen Sie einen Administrator.',
  'Use a different address': 'Andere Adresse verwenden',
  'Back to sign-in': 'Zurück zur Anmeldung',
  'Choose a new password': 'Neues Passwort wählen',
  'Set password': 'Passwort setzen',
  'Request a new email': 'Neue E-Mail anfordern',
  'The password for {email} has been changed.': 'Das Passwort für {email} wurde geändert.',
  'This browser is still signed in as {name}, {email}.': 'Dieser Browser ist noch angemeldet als {name}, {email}.',
  'Your invitation': 'Ihre Einladung',
  'Welcome, {name}': 'Willkommen, {name}',
  'You’re invited to join {company}. Choose a password to get started.':
    'Sie wurden zu {company} eingeladen. Wählen Sie ein Passwort, um zu beginnen.',
  'Accept invitation': 'Einladung annehmen',
  'If you have already chosen a password, sign in with it.':
    'Wenn Sie bereits ein Passwort gewählt haben, melden Sie sich damit an.',
  'This invitation is for {email}, but this browser is signed in as {name}.':
    'Diese Einladung ist für {email}, aber in diesem Browser ist {name} angemeldet.',
  'Sign out to accept it here, or open the link in another browser.':
    'Melden Sie sich ab, um sie hier anzunehmen, oder öffnen Sie den Link in einem anderen Browser.',
  'Go to the dashboard': 'Zur Übersicht',
  'Go to the home page': 'Zur Startseite',
  'At least {n} characters.': { one: 'Mindestens {n} Zeichen.', other: 'Mindestens {n} Zeichen.' },
  'At least {n} characters: {left} more.': {
    one: 'Mindestens {n} Zeichen: noch {left}.',
    other: 'Mindestens {n} Zeichen: noch {left}.',
  },
  'Long enough, as long as it isn’t easy to guess. Several unrelated words work best.':
    'Lang genug, solange es nicht leicht zu erraten ist. Am besten sind mehrere Wörter, die nicht zusammengehören.',

  // Navigation.
  Main: 'Hauptnavigation',
  Dashboard: 'Übersicht',
  'Totals and files at a glance.': 'Summen und Dateien auf einen Blick.',
  'Folders for files. Each one belongs to a company.': 'Ordner für Dateien. Jeder gehört zu einem Unternehmen.',
  'What’s shared, and until when.': 'Was geteilt ist, und bis wann.',
  'The people who can sign in.': 'Alle, die sich anmelden können.',
  Account: 'Konto',
  'Your details and password, where you are signed in, and your API tokens.':
    'Ihre Angaben und Ihr Passwort, wo Sie angemeldet sind, und Ihre API-Tokens.',
  'Who did what, when and from where.': 'Wer was wann und von wo getan hat.',
  'Emails that Neptune sends, and whether they were delivered.': 'E-Mails, die Neptune sendet, und ob sie zugestellt wurden.',
  'Programs that are notified when something happens.': 'Programme, die benachrichtigt werden, wenn etwas geschieht.',
  'Deleted files and directories. You can restore them until they’re permanently removed.':
    'Gelöschte Dateien und Verzeichnisse. Sie können sie wiederherstellen, bis sie endgültig entfernt werden.',
  'Account of {name}': 'Konto von {name}',
  'Open menu': 'Menü öffnen',
  'Close menu': 'Menü schließen',
  '{n} open requests': { one: '{n} offene Anfrage', other: '{n} offene Anfragen' },
  'System theme': 'Design des Systems',
  'Light theme': 'Helles Design',
  'Dark theme': 'Dunkles Design',
  'Sign out': 'Abmelden',
  'Uploads are not finished': 'Uploads sind noch nicht fertig',
  'If you sign out, they stop and can’t be resumed.':
    'Wenn Sie sich abmelden, werden sie beendet und können nicht fortgesetzt werden.',
  Stay: 'Bleiben',

  // The user's own account.
  'Your details': 'Ihre Angaben',
  'Recipients see your name. You sign in with your email address.':
    'Empfänger sehen Ihren Namen. Mit Ihrer E-Mail-Adresse melden Sie sich an.',
  'Change password': 'Passwort ändern',
  'Changing it signs you out of every other browser.': 'Eine Änderung meldet Sie in jedem anderen Browser ab.',
  'Current password': 'Aktuelles Passwort',
  'Enter your current password.': 'Geben Sie Ihr aktuelles Passwort ein.',
  'That is not your current password.': 'Das ist nicht Ihr aktuelles Passwort.',
  'Your password was changed. You’ve been signed out everywhere else.':
    'Ihr Passwort wurde geändert. Überall sonst wurden Sie abgemeldet.',
  Sessions: 'Sitzungen',
  'Where you are signed in.': 'Wo Sie angemeldet sind.',
  'Sign out everywhere': 'Überall abmelden',
  'The sessions did not load.': 'Die Sitzungen konnten nicht geladen werden.',
  Browser: 'Browser',
  '{browser} on {system}': '{browser} auf {system}',
  Address: 'Adresse',
  'Last seen': 'Zuletzt gesehen',
  'Signed in {date}': 'Angemeldet am {date}',
  'End session': 'Sitzung beenden',
  End: 'Beenden',
  'End the session in {name}': 'Sitzung in {name} beenden',
  'Ended the session in {name}.': 'Die Sitzung in {name} ist beendet.',
  'This browser': 'Dieser Browser',
  'Not signed in anywhere.': 'Nirgends angemeldet.',
  'No mail server is set up here, so no email can be sent.':
    'Hier ist kein Mailserver eingerichtet. Es kann keine E-Mail gesendet werden.',
  'Ask an administrator for a link to choose a new password.':
    'Bitten Sie einen Administrator um einen Link, um ein neues Passwort zu wählen.',
} as const
