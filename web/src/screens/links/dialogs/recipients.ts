import type { FieldErrors } from '../../../api/form-errors.ts'
import { t } from '../../../i18n/t.ts'

/** The maximum number of addresses. Each gets its own email. */
const maxRecipients = 20

/** Splits a text at commas, semicolons and spaces. Returns each address once. */
export const readRecipients = (text: string): string[] => [
  ...new Map(
    text
      .split(/[\s,;]+/)
      .filter(Boolean)
      .map((address) => [address.toLowerCase(), address]),
  ).values(),
]

/** Reports the first invalid address, or too many addresses. The server validates them more strictly. */
export function findRecipientsError(text: string): FieldErrors {
  const recipients = readRecipients(text)
  const invalid = recipients.find((address) => !/^[^@]+@[^@]+$/.test(address))
  if (invalid !== undefined) return { recipients: t('“{address}” isn’t an email address.', { address: invalid }) }
  return recipients.length > maxRecipients ? { recipients: t('Enter at most {n} addresses.', { n: maxRecipients }) } : {}
}
