/** Webhooks, and what became of their deliveries. */
export const webhooks = {
  'Create webhook': 'Webhook anlegen',
  'The webhooks did not load.': 'Die Webhooks konnten nicht geladen werden.',
  'No webhooks yet. Create one to have a program told of uploads, downloads and opened links.':
    'Noch keine Webhooks. Legen Sie einen an, damit ein Programm von Uploads, Downloads und geöffneten Links erfährt.',
  'This company has no webhooks.': 'Dieses Unternehmen hat keine Webhooks.',
  Events: 'Ereignisse',
  'Links opened': 'Geöffnete Links',
  Owner: 'Zuständig',
  On: 'Aktiv',
  Failing: 'Gestört',
  '{n} failed tries since {date}': {
    one: '{n} Fehlversuch seit {date}',
    other: '{n} Fehlversuche seit {date}',
  },

  // What can be done with one.
  Deliveries: 'Zustellungen',
  'Send test': 'Test senden',
  Pause: 'Pausieren',
  'Let it go on': 'Weiterlaufen lassen',
  'It is paused. Let it go on first.': 'Er ist pausiert. Lassen Sie ihn zuerst weiterlaufen.',
  'Paused {name}. What happens meanwhile is not kept for it.':
    '{name} ist pausiert. Was inzwischen geschieht, wird nicht aufgehoben.',
  '{name} goes on, and you answer for it.': '{name} läuft weiter, und Sie sind zuständig.',

  // A new one, or another address for it.
  'Create Webhook': 'Webhook anlegen',
  'What happens in a company is sent to an address of yours, signed with a secret.':
    'Was in einem Unternehmen geschieht, wird signiert an eine Adresse von Ihnen gesendet.',
  'The webhook was not created.': 'Der Webhook wurde nicht angelegt.',
  'Enter an address.': 'Geben Sie eine Adresse ein.',
  'Choose at least one event.': 'Wählen Sie mindestens ein Ereignis.',
  'Webhook Ready': 'Webhook bereit',
  Secret: 'Geheimnis',
  'By it your program knows that a delivery came from here: {page} says how.':
    'Daran erkennt Ihr Programm, dass eine Zustellung von hier kommt: {page} sagt, wie.',
  'Edit Webhook': 'Webhook ändern',
  'Whoever changes a webhook answers for it from then on. Its secret stays.':
    'Wer einen Webhook ändert, ist von da an zuständig. Sein Geheimnis bleibt.',
  Save: 'Speichern',
  'The webhook was not changed.': 'Der Webhook wurde nicht geändert.',
  'Changed the webhook to {name}.': 'Der Webhook zu {name} wurde geändert.',
  'Delete Webhook': 'Webhook löschen',
  '{name} is told of nothing any more, and what waits for it is not sent. It cannot be brought back.':
    '{name} erfährt nichts mehr, und was noch wartet, wird nicht gesendet. Der Webhook kann nicht zurückgeholt werden.',
  'Deleted the webhook to {name}.': 'Der Webhook zu {name} wurde gelöscht.',

  // Deliveries.
  'What was sent to {name} in the last thirty days.': 'Was in den letzten dreißig Tagen an {name} gesendet wurde.',
  'The test was not sent.': 'Der Test wurde nicht gesendet.',
  'The deliveries did not load.': 'Die Zustellungen konnten nicht geladen werden.',
  'Nothing was sent yet.': 'Noch wurde nichts gesendet.',
  'No delivery is in this state.': 'Keine Zustellung hat diesen Status.',
  Refresh: 'Aktualisieren',
  'Link opened': 'Link geöffnet',
  Test: 'Test',
  '{n} tries': { one: '{n} Versuch', other: '{n} Versuche' },
  'Answer {status}': 'Antwort {status}',
  'It waits until the webhook goes on.': 'Sie wartet, bis der Webhook weiterläuft.',

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
