import type { Company } from '@neptune/contract'

export const toCompanyOptions = (companies: readonly Company[] = []) =>
  companies.map(({ id, name }) => ({ value: id, label: name }))

/** Returns the directories of one company, or of all, as select options. With several companies, each label names its company. */
export function toDirectoryOptions(companies: readonly Company[] = [], company = '') {
  const listedCompanies = companies.filter(({ id }) => company === '' || id === company)
  return listedCompanies.flatMap(({ name, directories }) =>
    directories.map(({ id, title }) => ({ value: id, label: listedCompanies.length > 1 ? `${title} · ${name}` : title })),
  )
}
