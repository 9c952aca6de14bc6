/** Webhooks, and what became of their deliveries. */
export const webhooks = {
  'Create webhook': 'Webhook anlegen',
  'The webhooks did not load.': 'Die Webhooks konnten nicht geladen werden.',
  'No webhooks yet. Create one to notify a program about uploads, downloads and opened links.':
    'Noch keine Webhooks. Legen Sie einen an, um ein Programm über Uploads, Downloads und geöffnete Links zu benachrichtigen.',
  'This company has no webhooks.': 'Dieses Unternehmen hat keine Webhooks.',
  Events: 'Ereignisse',
  'Links opened': 'Geöffnete Links',
  Owner: 'Zuständig',
  On: 'Aktiv',
  Failing: 'Gestört',
  '{n} failed attempts since {date}': { one: '{n} Fehlversuch seit {date}', other: '{n} Fehlversuche seit {date}' },

  // What can be done with one.
  Deliveries: 'Zustellungen',
  'Send test': 'Test senden',
  Pause: 'Pausieren',
  Resume: 'Fortsetzen',
  'It’s paused. Resume it first.': 'Er ist pausiert. Setzen Sie ihn zuerst fort.',
  'Paused {name}. Events that happen while it’s paused won’t be sent.':
    '{name} ist pausiert. Ereignisse während der Pause werden nicht gesendet.',
  'Resumed {name}. You’re now its owner.': '{name} läuft weiter. Sie sind jetzt zuständig.',

  // A new one, or another address for it.
  'Create Webhook': 'Webhook anlegen',
  'Sends a company’s events to an address you choose, signed with a secret.':
    'Sendet Ereignisse eines Unternehmens an eine Adresse Ihrer Wahl, mit einem Geheimnis signiert.',
  'The webhook was not created.': 'Der Webhook wurde nicht angelegt.',
  'Enter an address.': 'Geben Sie eine Adresse ein.',
  'Choose at least one event.': 'Wählen Sie mindestens ein Ereignis.',
  'Webhook Ready': 'Webhook bereit',
  Secret: 'Geheimnis',
  'Your program uses it to verify that a delivery came from Neptune: see {page}.':
    'Damit prüft Ihr Programm, dass eine Zustellung von Neptune kommt: siehe {page}.',
  'Edit Webhook': 'Webhook ändern',
  'If you change a webhook, you become its owner. Its secret stays the same.':
    'Wenn Sie einen Webhook ändern, sind Sie für ihn zuständig. Sein Geheimnis bleibt gleich.',
  Save: 'Speichern',
  'The webhook was not changed.': 'Der Webhook wurde nicht geändert.',
  'Changed the webhook to {name}.': 'Der Webhook zu {name} wurde geändert.',
  'Delete Webhook': 'Webhook löschen',
  '{name} won’t receive any more events, and pending deliveries are dropped. You can’t undo this.':
    '{name} erhält keine Ereignisse mehr, und ausstehende Zustellungen entfallen. Das lässt sich nicht rückgängig machen.',
  'Deleted the webhook to {name}.': 'Der Webhook zu {name} wurde gelöscht.',

  // Deliveries.
  'Deliveries to {name} in the last 30 days.': 'Zustellungen an {name} in den letzten 30 Tagen.',
  'The test was not sent.': 'Der Test wurde nicht gesendet.',
  'The deliveries did not load.': 'Die Zustellungen konnten nicht geladen werden.',
  'Nothing has been sent yet.': 'Noch wurde nichts gesendet.',
  'No deliveries with this state.': 'Keine Zustellungen mit diesem Status.',
  Refresh: 'Aktualisieren',
  'Link opened': 'Link geöffnet',
  Test: 'Test',
  '{n} attempts': { one: '{n} Versuch', other: '{n} Versuche' },
  'Response {status}': 'Antwort {status}',
  'Waiting until the webhook is resumed.': 'Wartet, bis der Webhook fortgesetzt wird.',

  // What went wrong, by the words of the server.
  'It answered {n}.': 'Die Antwort war {n}.',
  'It answered {n}: redirects are not followed.': 'Die Antwort war {n}: Weiterleitungen werden nicht befolgt.',
  'Its name is not known.': 'Der Name ist nicht bekannt.',
  'Its name leads to this machine or network, not to the internet.':
    'Der Name führt zu diesem Rechner oder Netz, nicht ins Internet.',
  'There was no answer in time.': 'Es kam rechtzeitig keine Antwort.',
  'The connection was refused.': 'Die Verbindung wurde abgelehnt.',
  'The connection broke off before there was an answer.': 'Die Verbindung brach ab, bevor eine Antwort kam.',
  'Its certificate is not trusted ({reason}).': 'Dem Zertifikat wird nicht vertraut ({reason}).',
  'There was no answer that makes sense ({reason}).': 'Es kam keine verständliche Antwort ({reason}).',
  'It failed {n} times in a row, over more than three days.': {
    one: 'Es gab {n} Fehlversuch in Folge, über mehr als drei Tage.',
    other: 'Es gab {n} Fehlversuche in Folge, über mehr als drei Tage.',
  },
  'More than {n} deliveries were waiting for it.': {
    one: 'Mehr als {n} Zustellung wartete auf ihn.',
    other: 'Mehr als {n} Zustellungen warteten auf ihn.',
  },
  'Whoever answers for it may not see this company any more. Let it go on, and it is yours.':
    'Wer zuständig war, darf dieses Unternehmen nicht mehr sehen. Lassen Sie ihn weiterlaufen, und Sie sind zuständig.',
} as const
