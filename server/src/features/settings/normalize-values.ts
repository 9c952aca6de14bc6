import { type SectionName, settingsSections } from '@neptune/contract'
import * as z from 'zod'
import { AppError } from '../../lib/app-error.ts'

/** Returns values in the form in which they are stored. They were valid before, but may be too long or empty in this form. */
export function normalizeValues(name: SectionName, values: object): Readonly<Record<string, unknown>> {
  const shape: Record<string, z.core.$ZodType> = settingsSections[name].shape
  const sent = Object.entries(values).filter(([, value]) => value !== undefined)
  const normalized = sent.map(([field, value]) => [field, normalizeValue(field, value)] as const)
  const fields = normalized.flatMap(([field, value]) => {
    const { error } = z.safeParse(shape[field] ?? z.never(), value)
    return error ? [{ field: `values.${field}`, message: error.issues[0]?.message ?? '' }] : []
  })
  if (fields.length > 0) throw new AppError('request.invalid', { fields })
  return Object.fromEntries(normalized)
}

function normalizeValue(field: string, value: unknown): unknown {
  if (typeof value !== 'string' || field === 'smtp_password') return value
  // Encodes everything that has a meaning in HTML or in headers.
  if (field.endsWith('_url')) return new URL(value).href
  return field === 'accent' || field === 'smtp_host' ? value.toLowerCase() : value.trim()
}
