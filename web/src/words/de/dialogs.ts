/** What dialogs ask, and what comes of it. */
export const dialogs = {
  'Discard what you typed?': 'Eingaben verwerfen?',
  'Keep editing': 'Weiter bearbeiten',
  Discard: 'Verwerfen',
  'This dialog did not load.': 'Dieser Dialog konnte nicht geladen werden.',
  'Enter a name.': 'Geben Sie einen Namen ein.',
  'Enter an e-mail address.': 'Geben Sie eine E-Mail-Adresse ein.',
  'Created {name}.': '{name} wurde angelegt.',

  // What to choose from.
  'Loading companies': 'Unternehmen werden geladen',
  'Choose a company': 'Unternehmen wählen',
  'Choose a company.': 'Wählen Sie ein Unternehmen.',
  'Choose a company first': 'Zuerst ein Unternehmen wählen',
  'Choose a company and a directory first': 'Zuerst das Verzeichnis wählen',
  'Loading directories': 'Verzeichnisse werden geladen',
  'No directories': 'Keine Verzeichnisse',
  'Choose a directory': 'Verzeichnis wählen',
  'Choose a directory.': 'Wählen Sie ein Verzeichnis.',
  'Loading files': 'Dateien werden geladen',
  'Loading more files': 'Weitere Dateien werden geladen',
  'The first {n} are listed. Show more': {
    one: 'Der erste ist aufgeführt ({n}). Mehr anzeigen',
    other: 'Die ersten {n} sind aufgeführt. Mehr anzeigen',
  },
  'No files in this directory': 'Keine Dateien in diesem Verzeichnis',
  'No file matches “{search}”': 'Keine Datei passt zu „{search}“',
  'Choose one of {n} found': 'Eine von {n} gefundenen wählen',
  'Choose a file': 'Datei wählen',
  'Choose a file.': 'Wählen Sie eine Datei.',

  // Companies and directories.
  'Create Company': 'Unternehmen anlegen',
  'Users belong to a company, and see only what is its own.':
    'Benutzer gehören zu einem Unternehmen und sehen nur, was diesem gehört.',
  'The company was not created.': 'Das Unternehmen wurde nicht angelegt.',
  'Create a directory to upload files and assets to.':
    'Erstellen Sie ein Verzeichnis, um Dateien und Inhalte dorthin hochzuladen.',
  'Whose files they are. A client’s company is added on the Users page.':
    'Wem die Dateien gehören. Das Unternehmen eines Kunden wird auf der Seite „Benutzer“ hinzugefügt.',
  'The directory was not created.': 'Das Verzeichnis wurde nicht erstellt.',
  'Created “{name}”.': '„{name}“ wurde erstellt.',
  'Rename File': 'Datei umbenennen',
  'Rename Directory': 'Verzeichnis umbenennen',
  'Rename Company': 'Unternehmen umbenennen',
  'The new name shows wherever the company does.': 'Der neue Name erscheint überall, wo das Unternehmen steht.',
  'The name was not changed.': 'Der Name wurde nicht geändert.',
  'Renamed to “{name}”.': 'Umbenannt in „{name}“.',

  // Users.
  'Create User': 'Benutzer anlegen',
  'They can sign in at once with this e-mail address and password. No mail is sent: tell them yourself.':
    'Die Person kann sich sofort mit dieser E-Mail-Adresse und diesem Passwort anmelden. Es geht keine E-Mail hinaus: Sagen Sie es ihr selbst.',
  'The user was not created.': 'Der Benutzer wurde nicht angelegt.',
  'Update User': 'Benutzer ändern',
  'Update Role': 'Rolle ändern',
  'The user was not changed.': 'Der Benutzer wurde nicht geändert.',
  'Nobody changes their own role.': 'Niemand ändert die eigene Rolle.',
  'Already {role}: nothing would change.': 'Schon {role}: Nichts würde sich ändern.',
  'Now {role}. Update Role makes them a User and signs them out everywhere.':
    'Derzeit {role}. „Rolle ändern“ macht die Person zum Benutzer und meldet sie überall ab.',
  'Now {role}. Update Role makes them an Admin and signs them out everywhere.':
    'Derzeit {role}. „Rolle ändern“ macht die Person zum Admin und meldet sie überall ab.',
  '{name} has the role {role}.': '{name} hat die Rolle {role}.',
  'Edit details': 'Angaben ändern',
  'Edit Details': 'Angaben ändern',
  'Their name, and the e-mail address they sign in with.': 'Name der Person und die E-Mail-Adresse, mit der sie sich anmeldet.',
  'They sign in with the e-mail address. If it changes, a mail tells the old one and the new one.':
    'Mit der E-Mail-Adresse meldet sich die Person an. Ändert sie sich, geht eine Nachricht an die alte und an die neue.',
  'You sign in with the e-mail address. If it changes, a mail tells the old one and the new one.':
    'Mit der E-Mail-Adresse melden Sie sich an. Ändert sie sich, geht eine Nachricht an die alte und an die neue.',
  'The details were not saved.': 'Die Angaben wurden nicht gespeichert.',
  'Your details are saved.': 'Ihre Angaben sind gespeichert.',
  'Saved the details of {name}.': 'Die Angaben von {name} sind gespeichert.',
  Suspend: 'Sperren',
  'Restore (a user)': 'Entsperren',
  'Nobody suspends themselves.': 'Niemand sperrt sich selbst.',
  'Suspending them signs them out, keeps them out and pauses their links.':
    'Sperren meldet die Person ab, lässt sie nicht mehr hinein und pausiert ihre Links.',
  'They can’t sign in, and their links are paused. Restoring them undoes both.':
    'Die Person kann sich nicht anmelden, und ihre Links sind pausiert. Entsperren hebt beides auf.',
  'Suspended {name}.': '{name} wurde gesperrt.',
  'Restored {name}.': '{name} wurde entsperrt.',
  'Wait a moment.': 'Einen Moment bitte.',

  // A new link.
  'Create Shareable Link': 'Link zum Teilen erstellen',
  'Create Link': 'Link erstellen',
  'Whoever has the link and its access code can open it, without an account.':
    'Wer den Link und seinen Zugangscode hat, kann ihn ohne Konto öffnen.',
  'Link type': 'Art des Links',
  'Choose a link type': 'Art des Links wählen',
  'Choose a link type.': 'Wählen Sie die Art des Links.',
  Expiry: 'Ablauf',
  'The link closes at the end of this day, where you are.': 'Der Link endet mit diesem Tag, nach Ihrer Ortszeit.',
  'Choose a day.': 'Wählen Sie einen Tag.',
  'Choose today or a later day.': 'Wählen Sie heute oder einen späteren Tag.',
  'Tell me of the first download': 'Beim ersten Herunterladen benachrichtigen',
  'On its way': 'Unterwegs',
  'Comes with a directory': 'Kommt mit dem Verzeichnis',
  'The link was not created.': 'Der Link wurde nicht erstellt.',
  'The key and the access code were over an hour old. Here are new ones: check them, then create the link.':
    'Schlüssel und Zugangscode waren über eine Stunde alt. Hier sind neue: Prüfen Sie sie und erstellen Sie dann den Link.',

  // A link that is there.
  'Link Activity': 'Aktivität des Links',
  '“{name}”, shared by {maker}.': '„{name}“, geteilt von {maker}.',
  '“{name}”, shared by {maker}, for {email}.': '„{name}“, geteilt von {maker}, für {email}.',
  'View as recipient': 'Als Empfänger ansehen',
  '(opens in a new tab)': '(öffnet einen neuen Tab)',
  'All activity': 'Alle Aktivität',
  'Reset Shareable Link': 'Link zurücksetzen',
  'Reset Link': 'Zurücksetzen',
  'The link to “{name}” gets a new access code. The old one, and whoever came in by it, is out at once.':
    'Der Link zu „{name}“ erhält einen neuen Zugangscode. Der alte gilt sofort nicht mehr, und wer damit hereinkam, ist draußen.',
  'None yet': 'Noch keiner',
  'In force once you press Create Link.': 'Gilt, sobald Sie „Link erstellen“ drücken.',
  'In force once you press Reset Link.': 'Gilt, sobald Sie „Zurücksetzen“ drücken.',
  'The access code was not reset.': 'Der Zugangscode wurde nicht zurückgesetzt.',
  'The new access code was over an hour old. Here is another one: reset the link with it.':
    'Der neue Zugangscode war über eine Stunde alt. Hier ist ein anderer: Setzen Sie den Link damit zurück.',
  'Send Link Details': 'Linkdaten senden',
  'Send Details': 'Daten senden',
  'A mail with the address of the link to “{name}”.': 'Eine E-Mail mit der Adresse des Links zu „{name}“.',
  'Access URL': 'Zugangs-URL',
  'Target e-mail': 'Empfänger-E-Mail',
  'The last mail was for {email}.': 'Die letzte E-Mail war für {email}.',
  'Include the access code': 'Zugangscode mitsenden',
  'Whoever reads the mail can open the link.': 'Wer die E-Mail liest, kann den Link öffnen.',
  'The mail has the address only. Tell the code by telephone.':
    'Die E-Mail enthält nur die Adresse. Nennen Sie den Code am Telefon.',
  'Show code': 'Code anzeigen',
  'To pass it on yourself. The audit log records that you saw it.':
    'Um ihn selbst weiterzugeben. Es wird festgehalten, dass Sie ihn gesehen haben.',
  'The link details were not sent.': 'Die Linkdaten wurden nicht gesendet.',
  'The link details are on their way to {email}.': 'Die Linkdaten sind unterwegs zu {email}.',

  // Links to delete.
  'Delete Shareable Link': 'Link löschen',
  'Delete Shareable Links': 'Links löschen',
  'Delete Link': 'Link löschen',
  'Delete Links': 'Links löschen',
  'Links to delete': 'Zu löschende Links',
  'Whoever came in by the link to “{name}” is out at once, and it cannot be brought back. What it shares stays.':
    'Wer über den Link zu „{name}“ hereinkam, ist sofort draußen, und er kann nicht zurückgeholt werden. Was er teilt, bleibt.',
  'Whoever came in by one of these {n} links is out at once, and they cannot be brought back. What they share stays.': {
    one: 'Wer über diesen {n} Link hereinkam, ist sofort draußen, und er kann nicht zurückgeholt werden. Was er teilt, bleibt.',
    other:
      'Wer über einen dieser {n} Links hereinkam, ist sofort draußen, und sie können nicht zurückgeholt werden. Was sie teilen, bleibt.',
  },
  'Nothing was deleted.': 'Nichts wurde gelöscht.',
  'Deleted the link to “{name}”.': 'Der Link zu „{name}“ wurde gelöscht.',
  'Deleted {n} links.': { one: '{n} Link wurde gelöscht.', other: '{n} Links wurden gelöscht.' },

  // A test mail.
  'Send a Test Mail': 'Test-E-Mail senden',
  'Send test mail': 'Test-E-Mail senden',
  'If it arrives, every other mail can, too.': 'Kommt sie an, können es alle anderen auch.',
  'The test mail was not sent.': 'Die Test-E-Mail wurde nicht gesendet.',
  'The test mail to {email} is in the outbox folder.': 'Die Test-E-Mail an {email} liegt im Ordner outbox.',
  'A test mail is on its way to {email}.': 'Eine Test-E-Mail ist unterwegs zu {email}.',
} as const
