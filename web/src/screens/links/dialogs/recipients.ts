import type { FieldErrors } from '../../../api/form-errors.ts'
import { t } from '../../../i18n/t.ts'

/** How many people can be named at once. Each of them gets an email of their own. */
const maxRecipients = 20

/** Returns the addresses in a text, which commas, semicolons or spaces separate, without those that occur twice. */
export const readRecipients = (text: string): string[] => [
  ...new Map(
    text
      .split(/[\s,;]+/)
      .filter(Boolean)
      .map((address) => [address.toLowerCase(), address]),
  ).values(),
]

/** Names the first address that is none. The server checks each of them in full. */
export function findRecipientsError(text: string): FieldErrors {
  const recipients = readRecipients(text)
  const wrong = recipients.find((address) => !/^[^@]+@[^@]+$/.test(address))
  if (wrong !== undefined) return { recipients: t('“{address}” isn’t an email address.', { address: wrong }) }
  return recipients.length > maxRecipients ? { recipients: t('Enter at most {n} addresses.', { n: maxRecipients }) } : {}
}
