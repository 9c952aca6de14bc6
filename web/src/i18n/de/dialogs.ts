/** Dialogs and their outcomes. */
export const dialogs = {
  'Discard your changes?': 'Änderungen verwerfen?',
  'Keep editing': 'Weiter bearbeiten',
  Discard: 'Verwerfen',
  'This dialog did not load.': 'Dieser Dialog konnte nicht geladen werden.',
  'Enter a name.': 'Geben Sie einen Namen ein.',
  'Enter an email address.': 'Geben Sie eine E-Mail-Adresse ein.',
  'Created {name}.': '{name} wurde erstellt.',

  // Selects.
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
  'Create company': 'Unternehmen erstellen',
  'Users belong to a company. They see only its data, unless you give them access to others.':
    'Benutzer gehören zu einem Unternehmen und sehen nur dessen Daten, außer Sie geben ihnen Zugriff auf weitere Unternehmen.',
  'The company was not created.': 'Das Unternehmen wurde nicht erstellt.',
  'Create a directory to upload files and assets to.':
    'Erstellen Sie ein Verzeichnis, um Dateien und Inhalte dorthin hochzuladen.',
  'The directory was not created.': 'Das Verzeichnis wurde nicht erstellt.',
  'Created “{name}”.': '„{name}“ wurde erstellt.',
  'Rename file': 'Datei umbenennen',
  'Rename directory': 'Verzeichnis umbenennen',
  'The new name appears everywhere the company is shown.': 'Der neue Name erscheint überall, wo das Unternehmen angezeigt wird.',
  'The name was not changed.': 'Der Name wurde nicht geändert.',
  'Renamed to “{name}”.': 'Umbenannt in „{name}“.',

  // Users.
  'Create User': 'Benutzer erstellen',
  'Set a password now': 'Passwort jetzt setzen',
  'They can sign in right away. No email is sent: give them the password yourself.':
    'Die Person kann sich sofort anmelden. Es wird keine E-Mail gesendet: Geben Sie ihr das Passwort selbst.',
  'Send an invitation by email instead': 'Stattdessen Einladung per E-Mail senden',
  'They get an email with a link to choose a password. It works once, for 7 days.':
    'Die Person erhält eine E-Mail mit einem Link, um ein Passwort zu wählen. Er kann einmal verwendet werden und gilt 7 Tage.',
  'Create an invitation link instead': 'Stattdessen Einladungslink erstellen',
  'No mail server is set up, so you get the link and send it yourself. It works once, for 7 days.':
    'Es ist kein Mailserver eingerichtet. Sie erhalten den Link und senden ihn selbst. Er kann einmal verwendet werden und gilt 7 Tage.',
  'They choose it themselves.': 'Die Person wählt es selbst.',
  'Invited {name}.': '{name} wurde eingeladen.',
  'Invitation for {name}': 'Einladung für {name}',
  'Invitation link': 'Einladungslink',
  'No mail server is set up, so send this link to {name} yourself. It works once, until {time}.':
    'Es ist kein Mailserver eingerichtet. Senden Sie diesen Link selbst an {name}. Er kann einmal verwendet werden und gilt bis {time}.',
  'The user was not created.': 'Der Benutzer wurde nicht erstellt.',
  'Update User': 'Benutzer ändern',
  'Update Role': 'Rolle ändern',
  'The user was not changed.': 'Der Benutzer wurde nicht geändert.',
  'You can’t change your own role.': 'Sie können Ihre eigene Rolle nicht ändern.',
  'They already have the role {role}.': 'Die Person hat bereits die Rolle {role}.',
  'Current role: {role}. Update Role makes them a User and signs them out everywhere.':
    'Aktuelle Rolle: {role}. „Rolle ändern“ macht die Person zum Benutzer und meldet sie überall ab.',
  'Current role: {role}. Update Role makes them an Admin and signs them out everywhere.':
    'Aktuelle Rolle: {role}. „Rolle ändern“ macht die Person zum Admin und meldet sie überall ab.',
  '{name} now has the role {role}.': '{name} hat jetzt die Rolle {role}.',
  'Choose at least one other company.': 'Wählen Sie mindestens ein weiteres Unternehmen.',
  'Save or discard the changed access first.': 'Speichern oder verwerfen Sie zuerst den geänderten Zugriff.',
  'Saved the access of {name}.': 'Der Zugriff von {name} ist gespeichert.',
  'Edit details': 'Angaben ändern',
  'Their name and the email address they sign in with.': 'Name und E-Mail-Adresse, mit der sich die Person anmeldet.',
  'They sign in with this email address. If you change it, the old and the new address both get an email.':
    'Mit dieser E-Mail-Adresse meldet sich die Person an. Wenn Sie sie ändern, erhalten die alte und die neue Adresse eine E-Mail.',
  'They haven’t accepted their invitation yet. If you change the email address, the link stops working: send a new one.':
    'Die Person hat ihre Einladung noch nicht angenommen. Wenn Sie die E-Mail-Adresse ändern, gilt der Link nicht mehr: Senden Sie einen neuen.',
  'You sign in with this email address. If you change it, the old and the new address both get an email.':
    'Mit dieser E-Mail-Adresse melden Sie sich an. Wenn Sie sie ändern, erhalten die alte und die neue Adresse eine E-Mail.',
  'The details were not saved.': 'Die Angaben wurden nicht gespeichert.',
  'Saved your details.': 'Ihre Angaben sind gespeichert.',
  'Saved the details of {name}.': 'Die Angaben von {name} sind gespeichert.',
  'They haven’t accepted their invitation, and its link no longer works.':
    'Die Person hat ihre Einladung nicht angenommen, und der Link gilt nicht mehr.',
  'They haven’t accepted their invitation yet. The link works until {time}.':
    'Die Person hat ihre Einladung noch nicht angenommen. Der Link gilt bis {time}.',
  'Resending replaces the link, and the previous one stops working. Revoking the invitation removes the user.':
    'Erneutes Senden ersetzt den Link, und der vorherige gilt nicht mehr. Wenn Sie die Einladung widerrufen, wird der Benutzer entfernt.',
  'Resend invitation': 'Einladung erneut senden',
  'Sent {name} a new invitation.': 'Eine neue Einladung an {name} wurde gesendet.',
  'Restore them first.': 'Entsperren Sie die Person zuerst.',
  'Revoke invitation': 'Einladung widerrufen',
  'The invitation was not revoked.': 'Die Einladung wurde nicht widerrufen.',
  'Revoked the invitation for {name}.': 'Die Einladung für {name} wurde widerrufen.',
  Suspend: 'Sperren',
  'Suspend user': 'Benutzer sperren',
  '{name} is signed out everywhere and can’t sign in until you restore them.':
    '{name} wird überall abgemeldet und kann sich erst wieder anmelden, wenn Sie die Sperre aufheben.',
  'The user was not suspended.': 'Der Benutzer wurde nicht gesperrt.',
  '{n} links stop working while {name} is suspended.': {
    one: '{n} Link funktioniert nicht, solange {name} gesperrt ist.',
    other: '{n} Links funktionieren nicht, solange {name} gesperrt ist.',
  },
  'They work again when you restore {name}.': 'Sie funktionieren wieder, wenn Sie die Sperre von {name} aufheben.',
  'The links keep working, with the same codes. The new owner keeps them even if you restore this user.':
    'Die Links funktionieren weiter, mit denselben Codes. Auch wenn Sie die Sperre aufheben, gehören sie dem neuen Besitzer.',
  'Choose a person.': 'Wählen Sie eine Person aus.',
  'Hand over link': 'Link übergeben',
  'The new code is sent to {email}, which the link was sent to. If someone else asked, they don’t get it.':
    'Der neue Code geht an {email}, wohin auch der Link gesendet wurde. Hat jemand anderes gefragt, erhält diese Person ihn nicht.',
  'The link was never emailed, so you see the new code and pass it on to whoever asked.':
    'Der Link wurde nie per E-Mail gesendet. Sie sehen den neuen Code und geben ihn selbst weiter.',
  'The link was not handed over.': 'Der Link wurde nicht übergeben.',
  'The link to “{name}” now belongs to {owner}.': 'Der Link zu „{name}“ gehört jetzt {owner}.',
  '{n} links now belong to {owner}.': {
    one: '{n} Link gehört jetzt {owner}.',
    other: '{n} Links gehören jetzt {owner}.',
  },
  '{n} links were closed.': { one: '{n} Link wurde geschlossen.', other: '{n} Links wurden geschlossen.' },
  'The link to “{name}” belongs to {owner}. Its code stays the same, and its notifications go to the new owner.':
    'Der Link zu „{name}“ gehört {owner}. Der Code bleibt gleich, und Benachrichtigungen gehen an den neuen Besitzer.',
  'Delete “{name}”?': '„{name}“ löschen?',
  'Delete {n} files?': { one: '{n} Datei löschen?', other: '{n} Dateien löschen?' },
  'It goes to the trash. You can restore it from there.':
    'Die Datei kommt in den Papierkorb. Von dort können Sie sie wiederherstellen.',
  'They go to the trash. You can restore them from there.':
    'Die Dateien kommen in den Papierkorb. Von dort können Sie sie wiederherstellen.',
  'It goes to the trash with its files. You can restore it from there.':
    'Das Verzeichnis kommt mit seinen Dateien in den Papierkorb. Von dort können Sie es wiederherstellen.',
  'Restore (a user)': 'Entsperren',
  'You can’t suspend yourself.': 'Sie können sich nicht selbst sperren.',
  'Suspending them ends their invitation.': 'Wenn Sie die Person sperren, gilt ihre Einladung nicht mehr.',
  'Suspending them signs them out and blocks sign-in. Their links stop working.':
    'Sperren meldet die Person ab und verhindert neue Anmeldungen. Ihre Links funktionieren dann nicht mehr.',
  'They can’t sign in, and their links don’t work. Restore them to undo both.':
    'Die Person kann sich nicht anmelden, und ihre Links funktionieren nicht. Entsperren hebt beides auf.',
  'Suspended {name}.': '{name} wurde gesperrt.',
  'Restored {name}.': '{name} wurde entsperrt.',
  'Wait a moment.': 'Einen Moment bitte.',

  // A new link.
  'Create Shareable Link': 'Link zum Teilen erstellen',
  'Create Link': 'Link erstellen',
  'Anyone with the link and its access code can open it. No account is required.':
    'Wer den Link und seinen Zugangscode hat, kann ihn öffnen. Ein Konto ist nicht nötig.',
  'Link type': 'Art des Links',
  'Choose a link type': 'Art des Links wählen',
  'Choose a link type.': 'Wählen Sie die Art des Links.',
  Expiry: 'Ablauf',
  'The link expires at the end of this day, in your time zone.': 'Der Link läuft am Ende dieses Tages ab, in Ihrer Zeitzone.',
  'Choose a day.': 'Wählen Sie einen Tag.',
  'Choose today or a later day.': 'Wählen Sie heute oder einen späteren Tag.',
  'Notify me about the first download': 'Mich über den ersten Download benachrichtigen',
  Generating: 'Wird erzeugt',
  'Choose a directory first': 'Zuerst ein Verzeichnis wählen',
  'The link was not created.': 'Der Link wurde nicht erstellt.',
  'The key and the access code expired after an hour. Check the new ones, then create the link.':
    'Schlüssel und Zugangscode sind nach einer Stunde abgelaufen. Prüfen Sie die neuen und erstellen Sie dann den Link.',

  // An existing link.
  'Link activity': 'Aktivität des Links',
  '“{name}”, shared by {maker}.': '„{name}“, geteilt von {maker}.',
  '“{name}”, shared by {maker}, for {email}.': '„{name}“, geteilt von {maker}, für {email}.',
  'View as recipient': 'Als Empfänger ansehen',
  '(opens in a new tab)': '(öffnet einen neuen Tab)',
  'All activity': 'Alle Aktivität',
  'Reset Shareable Link': 'Link zurücksetzen',
  'Reset Link': 'Zurücksetzen',
  'The link to “{name}” gets a new access code. The old code stops working right away, and anyone who used it loses access.':
    'Der Link zu „{name}“ erhält einen neuen Zugangscode. Der alte gilt sofort nicht mehr, und wer ihn benutzt hat, verliert den Zugang.',
  'None yet': 'Noch keiner',
  'Takes effect when you press Create Link.': 'Gilt, sobald Sie „Link erstellen“ drücken.',
  'Takes effect when you press Reset Link.': 'Gilt, sobald Sie „Zurücksetzen“ drücken.',
  'The access code was not reset.': 'Der Zugangscode wurde nicht zurückgesetzt.',
  'The access code shown before expired after an hour. Here is another one: reset the link to use it.':
    'Der zuvor gezeigte Zugangscode ist nach einer Stunde abgelaufen. Hier ist ein anderer: Setzen Sie den Link zurück, um ihn zu verwenden.',
  'Send Link Details': 'Linkdaten senden',
  'Send Details': 'Daten senden',
  'Sends an email with the address of the link to “{name}”.': 'Sendet eine E-Mail mit der Adresse des Links zu „{name}“.',
  'Access URL': 'Zugangs-URL',
  'Target e-mail': 'Empfänger-E-Mail',
  'Include the access code': 'Zugangscode mitsenden',
  'Anyone who reads the email can open the link.': 'Wer die E-Mail liest, kann den Link öffnen.',
  'The email contains only the link. Give the recipient the access code by phone.':
    'Die E-Mail enthält nur den Link. Nennen Sie den Zugangscode am Telefon.',
  'Show code': 'Code anzeigen',
  'Lets you pass it on yourself. The audit log records that you saw it.':
    'Damit Sie ihn selbst weitergeben können. Das Protokoll hält fest, dass Sie ihn gesehen haben.',
  'The link details were not sent.': 'Die Linkdaten wurden nicht gesendet.',
  'The link details are on their way to {email}.': 'Die Linkdaten sind unterwegs zu {email}.',

  // Deleting links.
  'Delete Shareable Link': 'Link löschen',
  'Delete Shareable Links': 'Links löschen',
  'Delete Link': 'Link löschen',
  'Delete Links': 'Links löschen',
  'Links to delete': 'Zu löschende Links',
  'Anyone using the link to “{name}” loses access right away. You can’t undo this. The shared files are kept.':
    'Wer den Link zu „{name}“ benutzt, verliert sofort den Zugang. Das lässt sich nicht rückgängig machen. Die geteilten Dateien bleiben erhalten.',
  'Anyone using these {n} links loses access right away. You can’t undo this. The shared files are kept.': {
    one: 'Wer diesen {n} Link benutzt, verliert sofort den Zugang. Das lässt sich nicht rückgängig machen. Die geteilten Dateien bleiben erhalten.',
    other:
      'Wer einen dieser {n} Links benutzt, verliert sofort den Zugang. Das lässt sich nicht rückgängig machen. Die geteilten Dateien bleiben erhalten.',
  },
  'Nothing was deleted.': 'Nichts wurde gelöscht.',
  'Deleted the link to “{name}”.': 'Der Link zu „{name}“ wurde gelöscht.',
  'Deleted {n} links.': { one: '{n} Link wurde gelöscht.', other: '{n} Links wurden gelöscht.' },

  // A test email.
  'Send test email': 'Test-E-Mail senden',
  'If it arrives, email delivery works.': 'Kommt sie an, funktioniert der E-Mail-Versand.',
  'The test email was not sent.': 'Die Test-E-Mail wurde nicht gesendet.',
  'No mail server is set up: the test email to {email} was saved on the server.':
    'Es ist kein Mailserver eingerichtet: Die Test-E-Mail an {email} wurde auf dem Server gespeichert.',
  'A test email is on its way to {email}.': 'Eine Test-E-Mail ist unterwegs zu {email}.',
} as const
