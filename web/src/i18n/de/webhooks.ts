/** Webhooks and their deliveries. */
export const webhooks = {
  'Create webhook': 'Webhook erstellen',
  'The webhooks did not load.': 'Die Webhooks konnten nicht geladen werden.',
  'No webhooks yet. Create one to notify a program about uploads, downloads and opened links.':
    'Noch keine Webhooks. Legen Sie einen an, um ein Programm über Uploads, Downloads und geöffnete Links zu benachrichtigen.',
  'This company has no webhooks.': 'Dieses Unternehmen hat keine Webhooks.',
  Events: 'Ereignisse',
  'Links opened': 'Geöffnete Links',
  Owner: 'Besitzer',
  On: 'Aktiv',
  Failing: 'Gestört',
  '{n} failed attempts since {date}': { one: '{n} Fehlversuch seit {date}', other: '{n} Fehlversuche seit {date}' },

  // Actions.
  Deliveries: 'Zustellungen',
  'Send test': 'Test senden',
  Pause: 'Pausieren',
  Resume: 'Fortsetzen',
  'It’s paused. Resume it first.': 'Er ist pausiert. Setzen Sie ihn zuerst fort.',
  'Paused {name}. Events that happen while it’s paused won’t be sent.':
    '{name} ist pausiert. Ereignisse während der Pause werden nicht gesendet.',
  'Resumed {name}. You’re now its owner.': '{name} läuft weiter. Der Webhook gehört jetzt Ihnen.',

  // Creating and editing.
  'Sends a company’s events to an address you choose, signed with a secret.':
    'Sendet Ereignisse eines Unternehmens an eine Adresse Ihrer Wahl, mit einem Geheimnis signiert.',
  'The webhook was not created.': 'Der Webhook wurde nicht erstellt.',
  'Enter an address.': 'Geben Sie eine Adresse ein.',
  'Choose at least one event.': 'Wählen Sie mindestens ein Ereignis.',
  'Webhook ready': 'Webhook bereit',
  Secret: 'Geheimnis',
  'Your program uses it to verify that a delivery came from Neptune: see {page}.':
    'Damit prüft Ihr Programm, dass eine Zustellung von Neptune kommt: siehe {page}.',
  'Edit webhook': 'Webhook ändern',
  'If you change a webhook, you become its owner. Its secret stays the same.':
    'Wenn Sie einen Webhook ändern, gehört er Ihnen. Sein Geheimnis bleibt gleich.',
  Save: 'Speichern',
  'The webhook was not changed.': 'Der Webhook wurde nicht geändert.',
  'Saved the changes to {name}.': 'Die Änderungen an {name} wurden gespeichert.',
  'Delete webhook': 'Webhook löschen',
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

  // Errors from the server.
  'The receiver responded with {n}.': 'Der Empfänger hat mit {n} geantwortet.',
  'The receiver responded with {n}. Redirects are not followed.':
    'Der Empfänger hat mit {n} geantwortet. Weiterleitungen werden nicht befolgt.',
  'The host name was not found.': 'Der Hostname wurde nicht gefunden.',
  'The host name points to a private address.': 'Der Hostname verweist auf eine private Adresse.',
  'The receiver did not respond in time.': 'Der Empfänger hat nicht rechtzeitig geantwortet.',
  'The connection was refused.': 'Die Verbindung wurde abgelehnt.',
  'The connection was closed before a response arrived.': 'Die Verbindung wurde geschlossen, bevor eine Antwort kam.',
  'The certificate is not trusted ({reason}).': 'Dem Zertifikat wird nicht vertraut ({reason}).',
  'The request failed ({reason}).': 'Die Anfrage ist fehlgeschlagen ({reason}).',
  'It failed {n} times in a row, over more than three days.': {
    one: 'Es gab {n} Fehlversuch in Folge, über mehr als drei Tage.',
    other: 'Es gab {n} Fehlversuche in Folge, über mehr als drei Tage.',
  },
  'More than {n} deliveries were waiting for it.': {
    one: 'Mehr als {n} Zustellung wartete auf ihn.',
    other: 'Mehr als {n} Zustellungen warteten auf ihn.',
  },
  'Its owner no longer has access to this company. Resume it to become its owner.':
    'Der Besitzer hat keinen Zugriff mehr auf dieses Unternehmen. Setzen Sie den Webhook fort, um ihn zu übernehmen.',
  'This company is archived.': 'Dieses Unternehmen ist archiviert.',
} as const
