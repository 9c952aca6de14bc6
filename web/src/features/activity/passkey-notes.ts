import { type Text, t } from '../../i18n/t.ts'

/** Translates the note of an entry about a passkey: its name, or why it was refused. */
export function formatPasskeyNote(note: string, formatOther: (note: string) => string): string {
  const [, name] = /^“(.*)”$/.exec(note) ?? []
  if (name !== undefined) return formatPasskeyName(name)
  const entry = reasons.find(([stored]) => stored === note)
  return `${t('Passkey')}: ${entry ? t(entry[1]) : formatOther(note)}`
}

export const formatPasskeyName = (name: string) => t('Passkey “{name}”', { name })

/** The reasons that the audit log stores, with the texts to show for them. */
const reasons = [
  ['invalid', 'invalid'],
  ['unknown', 'not known'],
  ['of someone else', 'of someone else'],
  ['of another host', 'of another host'],
  ['wrong address', 'used at an address other than PUBLIC_URL'],
  ['unknown challenge', 'not for this request'],
  ['too late', 'too late'],
  ['used before', 'used before'],
] as const satisfies [string, Text][]
