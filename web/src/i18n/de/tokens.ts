/** API tokens of the user and of others. */
export const tokens = {
  'Scripts use these tokens to act as you: see the {docs}. Changing your password or signing out everywhere revokes them all.':
    'Mit diesen Tokens handeln Skripte in Ihrem Namen: siehe {docs}. Ein neues Passwort oder „Überall abmelden“ widerruft sie alle.',
  'Create token': 'Token erstellen',
  'The API tokens did not load.': 'Die API-Tokens konnten nicht geladen werden.',
  'No API tokens yet. Create one for each script that acts as you.':
    'Noch keine API-Tokens. Erstellen Sie eines für jedes Skript, das in Ihrem Namen handelt.',
  Scope: 'Umfang',
  Read: 'Lesen',
  'Read and write': 'Lesen und schreiben',
  'Can list and download.': 'Kann auflisten und herunterladen.',
  'Can also upload, change and delete.': 'Kann auch hochladen, ändern und löschen.',
  'Last used': 'Zuletzt benutzt',
  'Last used: {when}': 'Zuletzt benutzt: {when}',
  Expires: 'Läuft ab',
  'Expires: {when}': 'Läuft ab: {when}',
  'Created: {when}': 'Erstellt: {when}',
  Never: 'Nie',

  // Creating a token.
  'Create API token': 'API-Token erstellen',
  'A script with this token acts as you, with the permissions you have at that time.':
    'Ein Skript mit diesem Token handelt in Ihrem Namen und mit den Rechten, die Sie dann haben.',
  'What the token is for, such as “Nightly backup”.': 'Wofür das Token ist, etwa „Nächtliche Sicherung“.',
  '30 days': '30 Tage',
  '90 days': '90 Tage',
  'One year': 'Ein Jahr',
  'Custom date': 'Eigenes Datum',
  'Last day': 'Letzter Tag',
  'Valid until {date}.': 'Gültig bis {date}.',
  'Valid until it’s revoked.': 'Gültig, bis es widerrufen wird.',
  'The token was not created.': 'Das Token wurde nicht erstellt.',
  'API token ready': 'API-Token bereit',
  Token: 'Token',
  'Copy it now. You won’t be able to see it again.': 'Kopieren Sie es jetzt. Es wird nicht noch einmal angezeigt.',
  'Anyone who has this token can use it. Send it in the Authorization header, after “Bearer”.':
    'Wer dieses Token hat, kann es benutzen. Senden Sie es im Header Authorization nach „Bearer“.',

  // Revoking a token.
  Revoke: 'Widerrufen',
  'Revoke {name}': '{name} widerrufen',
  'Revoke API token': 'API-Token widerrufen',
  'Revoke token': 'Token widerrufen',
  'Scripts that use “{name}” stop working right away, and their running requests are aborted. You can’t undo this.':
    'Skripte, die „{name}“ benutzen, funktionieren ab sofort nicht mehr, und ihre laufenden Anfragen werden abgebrochen. Das lässt sich nicht rückgängig machen.',
  'Revoked the token “{name}”.': 'Das Token „{name}“ wurde widerrufen.',
  'The token was not revoked.': 'Das Token wurde nicht widerrufen.',

  // Tokens of other users.
  'Tokens that let scripts act as this user.': 'Tokens, mit denen Skripte im Namen der Person handeln.',
  'Scripts use these tokens to act as {name}.': 'Mit diesen Tokens handeln Skripte im Namen von {name}.',
  '{name} has no API tokens.': '{name} hat keine API-Tokens.',
} as const
