import { hiddenPassword, type SectionName, type Settings } from '@neptune/contract'
import { languageNames } from '../../i18n/language.ts'
import { type Text, t, translate } from '../../i18n/t.ts'
import { formatUtcDay } from '../time/dates.ts'
import { formatQuantity, type Quantity } from './quantities.ts'

export const sectionNames = [
  'organisation',
  'appearance',
  'links',
  'email',
  'security',
  'storage',
] as const satisfies SectionName[]

export const sectionTexts = {
  organisation: { label: 'Organisation', purpose: 'The name, texts and language that people see in this portal.' },
  appearance: { label: 'Appearance', purpose: 'The colour and the logo of pages and emails.' },
  links: { label: 'Links', purpose: 'How long links stay open, and what recipients can upload.' },
  email: { label: 'Email', purpose: 'Who emails come from, and the server that sends them.' },
  security: { label: 'Security', purpose: 'How people sign in, and when they have to sign in again.' },
  storage: { label: 'Storage', purpose: 'How much can be stored, and how long it is kept.' },
} as const satisfies Record<SectionName, { label: Text; purpose: Text }>

export interface FieldText {
  label: Text
  /** What the field’s number counts. Undefined if the value is not a number. */
  quantity?: Quantity
}

type FieldTexts = { [S in SectionName]: Record<keyof Settings[S], FieldText> }

/** The label of every field, and what its number counts. */
const fieldTexts = {
  organisation: {
    name: { label: 'Name of the organisation' },
    welcome: { label: 'Welcome text' },
    imprint_url: { label: 'Address of the imprint' },
    privacy_url: { label: 'Address of the privacy policy' },
    time_zone: { label: 'Time zone' },
    language: { label: 'Language' },
  },
  appearance: { accent: { label: 'Accent colour' } },
  links: {
    default_days: { label: 'New links expire after', quantity: 'days' },
    max_days: { label: 'Links stay open for at most', quantity: 'days' },
    session_minutes: { label: 'Recipients enter the code again after', quantity: 'minutes' },
    max_bytes: { label: 'Upload limit of a link', quantity: 'bytes' },
    max_files: { label: 'Files that can be uploaded through a link', quantity: 'files' },
    notice_minutes: { label: 'Email about uploads after', quantity: 'minutes' },
  },
  email: {
    sender_name: { label: 'Sender name' },
    sender_address: { label: 'Sender address' },
    reply_to: { label: 'Reply-To address' },
    smtp_host: { label: 'Server' },
    smtp_port: { label: 'Port', quantity: 'count' },
    smtp_security: { label: 'Encryption' },
    smtp_user: { label: 'User name' },
    smtp_password: { label: 'Password' },
  },
  security: {
    session_minutes: { label: 'Sign people out after', quantity: 'minutes' },
    session_idle_minutes: { label: 'Sign people out when idle for', quantity: 'minutes' },
    session_remembered_idle_minutes: { label: 'With “Remember me”, sign people out when idle for', quantity: 'minutes' },
    password_sign_in: { label: 'Signing in with a password' },
    second_factor: { label: 'Who needs a second factor' },
    second_factor_from: { label: 'Required from' },
    trust_days: { label: 'Trust browsers for', quantity: 'days' },
    factor_reset_minutes: { label: 'Remove lost second factors after', quantity: 'minutes' },
  },
  storage: {
    max_upload_bytes: { label: 'Largest file', quantity: 'bytes' },
    company_quota_bytes: { label: 'Default quota of a company', quantity: 'bytes' },
    trash_days: { label: 'Keep deleted files for', quantity: 'days' },
    versions_kept: { label: 'Earlier versions to keep per file', quantity: 'count' },
    version_days: { label: 'Keep earlier versions for', quantity: 'days' },
    activity_days: { label: 'Keep the activity log for', quantity: 'days' },
  },
} as const satisfies FieldTexts

/** Returns the texts of a field whose name is known only at run time. */
export const getFieldText = (section: SectionName, field: string): FieldText =>
  (fieldTexts[section] as Record<string, FieldText>)[field] ?? { label: 'Unknown' }

/** Returns the label of a field whose name is known only at run time. */
export const getFieldLabel = (section: SectionName, field: string) => translate(getFieldText(section, field).label)

export const securityNames = {
  starttls: 'STARTTLS, if the server offers it',
  tls: 'TLS, always',
} as const satisfies Record<Settings['email']['smtp_security'], Text>

export const secondFactorNames = {
  nobody: 'Nobody',
  admins: 'Only administrators',
  everyone: 'Everyone who signs in',
} as const satisfies Record<Settings['security']['second_factor'], Text>

/** Formats a value for a sentence. */
export function formatValue(section: SectionName, field: string, value: unknown): string {
  if (value === null) return t('not set')
  if (value === hiddenPassword) return t('set')
  const { quantity } = getFieldText(section, field)
  if (quantity && typeof value === 'number') return formatQuantity(quantity, value)
  if (field === 'language') return languageNames[value as keyof typeof languageNames]
  if (field === 'smtp_security') return t(securityNames[value as keyof typeof securityNames])
  if (field === 'password_sign_in') return value ? t('Allowed') : t('Turned off')
  if (field === 'second_factor') return t(secondFactorNames[value as keyof typeof secondFactorNames])
  if (field === 'second_factor_from') return formatUtcDay(String(value))
  return String(value)
}
