import type { SectionName } from '@neptune/contract'
import { type Text, t, translate } from '../../i18n/t.ts'
import { formatValue, getFieldLabel, getFieldText, sectionNames } from '../../lib/settings/setting-texts.ts'

/** Splits the stored name of a setting, such as `links.max_days`. Returns undefined for those without a field, such as a logo. */
function findSetting(name: string | null) {
  const [first, field = ''] = name?.split('.') ?? []
  const section = sectionNames.find((section) => section === first)
  return section && getFieldText(section, field).label !== 'Unknown' ? { section, field } : undefined
}

/** Logos have no field, and ids as values. */
const logoLabels: Partial<Record<string, Text>> = {
  'appearance.logo_light': 'Logo on light pages',
  'appearance.logo_dark': 'Logo on dark pages',
}

/** Returns the label of a setting by its stored name. */
export function formatSettingName(name: string | null): string | null {
  const logo = logoLabels[name ?? '']
  if (logo) return translate(logo)
  const setting = findSetting(name)
  return setting ? getFieldLabel(setting.section, setting.field) : name
}

/** Translates the note about a setting: its value before and after, or that a secret was changed. */
export function formatSettingNote(name: string | null, note: string): string {
  if (note === 'changed' || logoLabels[name ?? '']) return t('changed')
  const setting = findSetting(name)
  const format = (value: string) => {
    if (value === 'not set') return t('not set')
    return setting ? formatValue(setting.section, setting.field, parseValue(setting, value)) : value
  }
  return note.split(' → ').map(format).join(' → ')
}

/** Parses a value that the audit log stores as text. */
function parseValue({ section, field }: { section: SectionName; field: string }, value: string): string | number | boolean {
  if (getFieldText(section, field).quantity) return Number(value)
  return value === 'true' || value === 'false' ? value === 'true' : value
}
