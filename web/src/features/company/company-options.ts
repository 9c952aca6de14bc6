import type { Company } from '@neptune/contract'

/** For a select. */
export const companyOptions = (companies: readonly Company[] = []) =>
  companies.map(({ id, name }) => ({ value: id, label: name }))
