import type { Company } from '@neptune/contract'

export const companyOptions = (companies: readonly Company[] = []) =>
  companies.map(({ id, name }) => ({ value: id, label: name }))

/** Returns the directories of one company, or of all. With several companies, each label names its company. */
export function directoryOptions(companies: readonly Company[] = [], company = '') {
  const shown = companies.filter(({ id }) => company === '' || id === company)
  return shown.flatMap(({ name, directories }) =>
    directories.map(({ id, title }) => ({ value: id, label: shown.length > 1 ? `${title} · ${name}` : title })),
  )
}
