/** The API documentation page. The descriptions of the calls stay in English, as in openapi.json. */
export const docs = {
  API: 'API',
  'All API endpoints. Machine-readable version: {file}': 'Alle Endpunkte der API. Maschinenlesbar: {file}',
  'Loading the API reference': 'Die API-Referenz wird geladen',
  'The API reference did not load.': 'Die API-Referenz konnte nicht geladen werden.',
  Filter: 'Filter',
  '{found} of {n} endpoints': { one: '{found} von {n} Endpunkt', other: '{found} von {n} Endpunkten' },
  'Who can call it': 'Wer aufrufen darf',
  'Anyone, signed in or not.': 'Alle, angemeldet oder nicht.',
  'Staff and recipients: send the token as Authorization: Bearer.':
    'Mitarbeiter und Empfänger: Das Token wird als Authorization: Bearer gesendet.',
  'Recipients only: send the token of the recipient session as Authorization: Bearer.':
    'Nur Empfänger: Das Token der Empfängersitzung wird als Authorization: Bearer gesendet.',
  'Signed-in staff: send the token as Authorization: Bearer.':
    'Angemeldete Mitarbeiter: Das Token wird als Authorization: Bearer gesendet.',
  'Admins only: send the token as Authorization: Bearer.': 'Nur Admins: Das Token wird als Authorization: Bearer gesendet.',
  Parameters: 'Parameter',
  Where: 'Wo',
  Required: 'Pflicht',
  'Body (application/json)': 'Inhalt (application/json)',
  Field: 'Feld',
  'Always present': 'Immer vorhanden',
  'No body.': 'Kein Inhalt.',
  Errors: 'Fehler',
  Meaning: 'Bedeutung',
  yes: 'ja',
  no: 'nein',
} as const
