/** API tokens: one's own, and those of others. */
export const tokens = {
  'Scripts act as you with one of these; the {docs} says how. A new password, or signing out everywhere, ends them all.':
    'Skripte handeln damit in Ihrem Namen; die {docs} sagt, wie. Ein neues Passwort oder „Überall abmelden“ beendet sie alle.',
  'Create token': 'Token erstellen',
  'The API tokens did not load.': 'Die API-Tokens konnten nicht geladen werden.',
  'No API tokens yet. Create one for each script that is to act as you.':
    'Noch keine API-Tokens. Erstellen Sie eines für jedes Skript, das in Ihrem Namen handeln soll.',
  Scope: 'Umfang',
  Read: 'Lesen',
  'Read and write': 'Lesen und schreiben',
  'Lists and downloads.': 'Listet auf und lädt herunter.',
  'Also uploads, changes and deletes.': 'Lädt auch hoch, ändert und löscht.',
  'Last used': 'Zuletzt benutzt',
  'Last used: {when}': 'Zuletzt benutzt: {when}',
  Expires: 'Läuft ab',
  'Expires: {when}': 'Läuft ab: {when}',
  'Created: {when}': 'Erstellt: {when}',
  Never: 'Nie',

  // A new one.
  'Create API Token': 'API-Token erstellen',
  'Create Token': 'Token erstellen',
  'A script that has it acts as you, with what you may do at that moment.':
    'Ein Skript, das es hat, handelt in Ihrem Namen und darf, was Sie in dem Moment dürfen.',
  'What uses it, such as “Nightly backup”.': 'Wer es benutzt, etwa „Nächtliche Sicherung“.',
  '30 days': '30 Tage',
  '90 days': '90 Tage',
  'One year': 'Ein Jahr',
  'Until a day of your choice': 'Bis zu einem bestimmten Tag',
  'Last day': 'Letzter Tag',
  'Good until {date}.': 'Gültig bis {date}.',
  'Good until it is revoked.': 'Gültig, bis es widerrufen wird.',
  'The token was not created.': 'Das Token wurde nicht erstellt.',
  'API Token Ready': 'API-Token bereit',
  Token: 'Token',
  'Copy it now: it is not shown again.': 'Kopieren Sie es jetzt: Es wird nicht noch einmal angezeigt.',
  'Whoever has it can do what it allows. It goes into the header Authorization, after Bearer.':
    'Wer es hat, kann tun, was es erlaubt. Es steht im Header Authorization nach Bearer.',

  // One that is there.
  Revoke: 'Widerrufen',
  'Revoke {name}': '{name} widerrufen',
  'Revoke API Token': 'API-Token widerrufen',
  'Revoke Token': 'Token widerrufen',
  'Whatever uses “{name}” is refused from now on, and what it is doing breaks off. It cannot be brought back.':
    'Was „{name}“ benutzt, wird ab sofort abgelehnt, und was es gerade tut, bricht ab. Es kann nicht zurückgeholt werden.',
  'Revoked the token “{name}”.': 'Das Token „{name}“ wurde widerrufen.',
  'The token was not revoked.': 'Das Token wurde nicht widerrufen.',

  // Those of others.
  'Scripts may act as them.': 'Skripte können im Namen der Person handeln.',
  'With these, scripts act as {name}.': 'Damit handeln Skripte im Namen von {name}.',
  '{name} has no API tokens.': '{name} hat keine API-Tokens.',
} as const
