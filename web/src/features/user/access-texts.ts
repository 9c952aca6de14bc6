import type { CompanyAccess, UserRow } from '@neptune/contract'
import { t } from '../../i18n/t.ts'

/** Describes which companies a user may see. Names no company if `company` is undefined, because it is not chosen yet. */
export function describeAccess(access: CompanyAccess, company: string | undefined, otherCompanies: number): string {
  if (access === 'all') return t('All companies')
  if (access === 'own' || (company !== undefined && otherCompanies === 0)) return describeOwn(company)
  return company === undefined ? t('Selected companies') : t('{company} and {n} other companies', { company, n: otherCompanies })
}

export const describeOwn = (company: string | undefined) =>
  company === undefined ? t('Only their own company') : t('Only {company}', { company })

/** Describes which companies a user may see besides their own. Undefined if there are none. */
export function describeOtherCompanies({ role, access, other_companies }: UserRow): string | undefined {
  if (role === 'NEPTUNE_ADMIN' || access === 'all') return t('and all other companies')
  if (access !== 'selected' || other_companies === 0) return undefined
  return other_companies === undefined ? t('and other companies') : t('and {n} other companies', { n: other_companies })
}
