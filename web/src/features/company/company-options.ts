import type { Company } from '@neptune/contract'

/** For a select. */
export const companyOptions = (companies: readonly Company[] = []) =>
  companies.map(({ id, name }) => ({ value: id, label: name }))

/** The directories of one company, or of all; then, where there are several, each says whose it is. */
export function directoryOptions(companies: readonly Company[] = [], company = '') {
  const shown = companies.filter(({ id }) => company === '' || id === company)
  return shown.flatMap(({ name, directories }) =>
    directories.map(({ id, title }) => ({ value: id, label: shown.length > 1 ? `${title} · ${name}` : title })),
  )
}
