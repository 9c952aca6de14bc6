import { hiddenPassword, type SectionName, settingsSections } from '@neptune/contract'
import type { FieldErrors } from '../../api/form-errors.ts'
import { t, translateMessage } from '../../i18n/t.ts'
import { formatQuantity, fromEntered, type Quantity, toFieldEntry } from '../../lib/settings/quantities.ts'
import { getFieldText } from '../../lib/settings/setting-texts.ts'
import type { Section } from './settings-queries.ts'

/** Everything as entered, by field. The unit of a quantity has its own entry. */
export type Draft = Readonly<Record<string, string>>

/** The values of any section. */
export type Values = Readonly<Record<string, string | number | boolean | null>>

/** The draft entry that is set to remove the saved password. An empty password field keeps it. */
export const removePasswordEntry = 'removes_password'

export const toUnitName = (field: string) => `${field}.unit`

export const toSettingsDraft = (section: SectionName, { values }: Pick<Section, 'values'>): Draft =>
  Object.fromEntries(Object.entries(values).flatMap(([field, value]) => toEntries(section, field, value)))

/** Returns the entries of one field of a draft. */
export function toEntries(section: SectionName, field: string, value: string | number | boolean | null): [string, string][] {
  const { quantity } = getFieldText(section, field)
  if (quantity) {
    const { number, unit } = toFieldEntry(quantity, value === null ? null : Number(value))
    return [
      [field, number],
      [toUnitName(field), unit],
    ]
  }
  // The password is never shown. An empty field keeps it.
  if (field === 'smtp_password')
    return [
      [field, ''],
      [removePasswordEntry, ''],
    ]
  return [[field, value === null ? '' : String(value)]]
}

/** Returns the names of the entries of a field. */
export const listEntryNames = (section: SectionName, field: string) => toEntries(section, field, null).map(([name]) => name)

/** Returns the entered value of a field. An empty field is null. */
function readField(section: SectionName, draft: Draft, field: string): string | number | boolean | null {
  const entered = draft[field] ?? ''
  const { quantity } = getFieldText(section, field)
  if (quantity) return fromEntered(quantity, { number: entered, unit: draft[toUnitName(field)] ?? '' })
  if (entered.trim() === '') return null
  if (field === 'smtp_password') return entered
  if (field === 'password_sign_in') return entered === 'true'
  return field.endsWith('_url') ? completeUrl(entered.trim()) : entered.trim()
}

/** Adds the scheme that people leave out when they type a web address, such as `acme.example/imprint`. */
const completeUrl = (text: string) => (/^[^\s/:?#]+\.[^\s/:?#]+([/?#]|$)/.test(text) ? `https://${text}` : text)

/** Returns the values that differ from those of the section. Only these are sent, so that all others stay exactly as they are. */
export function findSettingChanges(section: SectionName, { values, locked }: Section, draft: Draft): Values {
  const isLocked = (field: string) => (locked as Record<string, string>)[field] !== undefined
  const changes = Object.entries(values as Values).flatMap(([field, before]) => {
    if (isLocked(field)) return []
    if (field === 'smtp_password') return findPasswordChange(draft)
    const entered = readField(section, draft, field)
    return Object.is(entered, before) ? [] : [[field, entered] as const]
  })
  return Object.fromEntries(changes)
}

function findPasswordChange(draft: Draft): (readonly [string, string | null])[] {
  if (draft['smtp_password']) return [['smtp_password', draft['smtp_password']]]
  return draft[removePasswordEntry] ? [['smtp_password', null]] : []
}

/** Validates changes with the schemas of the contract. */
export function validateChanges(section: SectionName, changes: Values): FieldErrors {
  const shape = settingsSections[section].shape as Record<string, Schema>
  const errors = Object.entries(changes).flatMap(([field, value]) => {
    const issue = shape[field]?.safeParse(value).error?.issues[0]
    return issue ? [[field, describeIssue(issue, value, getFieldText(section, field).quantity)]] : []
  })
  return Object.fromEntries(errors)
}

interface Schema {
  safeParse: (value: unknown) => { error?: { issues: Issue[] } | undefined }
}

interface Issue {
  code?: string | undefined
  message: string
  minimum?: unknown
  maximum?: unknown
}

/** Describes why a value is invalid, in the units in which people enter it. */
function describeIssue({ code, message, minimum, maximum }: Issue, value: unknown, quantity: Quantity | undefined): string {
  if (!quantity) return translateMessage(message)
  if (code === 'too_small') return t('Enter at least {amount}.', { amount: formatQuantity(quantity, Number(minimum)) })
  if (code === 'too_big') return t('Enter at most {amount}.', { amount: formatQuantity(quantity, Number(maximum)) })
  if (value === null) return t('Enter a number.')
  return quantity === 'minutes' ? t('Enter a whole number of minutes.') : t('Enter a whole number.')
}

/** Returns whether the server settings that the saved password belongs to have changed. Neptune then discards the password. */
export const hasServerChanged = (changes: Values) =>
  ['smtp_host', 'smtp_port', 'smtp_security', 'smtp_user'].some((field) => field in changes)

export const hasPassword = ({ values }: Section<'email'>) => values.smtp_password === hiddenPassword
