import type { Brand, CompanyBrand, Settings } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { firstCompanyName } from '../../lib/first-company.ts'
import { findCompany } from '../company/company.repo.ts'
import { readSettings } from '../settings/settings.service.ts'
import { buildAccentStyle } from './accent-style.ts'
import { findImageBytes, findLogoIds, findLogos, type LogoIds, toImagePath } from './brand.repo.ts'

/** What the server writes into its pages: see http/branded-page.ts. */
interface Page {
  title: string | null
  data: Brand
  stylesheet: string | undefined
  icon: string | undefined
}

interface Organisation {
  brand: Brand
  page: Page | undefined
}

/** Cached by settings object. `readSettings` returns a new object after each read, so a cached brand is never older than the settings. */
const organisations = new WeakMap<Settings, Promise<Organisation>>()

async function readOrganisation(deps: Deps): Promise<Organisation> {
  const settings = await readSettings(deps)
  const known = organisations.get(settings)
  // A transaction must not wait for a read outside of it, which may itself wait for the transaction.
  if (known && !deps.db.isTransaction) return known
  const reading = describeOrganisation(deps, settings)
  organisations.set(settings, reading)
  reading.catch(() => organisations.delete(settings))
  return reading
}

async function describeOrganisation(deps: Deps, { organisation, appearance }: Settings): Promise<Organisation> {
  const { name, welcome, imprint_url, privacy_url, language } = organisation
  const ids = await findLogoIds(deps.db)
  const brand: Brand = { name, logos: await findLogos(deps.db, ids), welcome, imprint_url, privacy_url, language }
  const icon = ids.icon_light ?? ids.icon_dark
  const page: Page = {
    title: name,
    data: brand,
    stylesheet: appearance.accent === null ? undefined : buildAccentStyle(appearance.accent).path,
    icon: icon ? toImagePath(icon) : undefined,
  }
  return { brand, page: isBlank(page) ? undefined : page }
}

/** Returns whether a page has nothing to show: no logo, text, colour or language is set. */
const isBlank = ({ data: { logos, language, ...texts }, stylesheet }: Page) =>
  !logos.light && !logos.dark && !stylesheet && language === 'en' && Object.values(texts).every((text) => text === null)

/**
 * Returns the name that recipients see for the company of a link's owner. The first company is called Neptune until an admin renames it.
 * That name means nothing to recipients, so they see the name of the organisation instead.
 */
export async function readNameForRecipients(deps: Deps, company: string): Promise<string> {
  if (company !== firstCompanyName) return company
  return (await readSettings(deps)).organisation.name ?? company
}

/** Returns the name and logos that a company has set for recipients of its links. */
export const readOwnBrand = async (deps: Deps, company: LogoIds & { brand_name: string | null }): Promise<CompanyBrand> => ({
  name: company.brand_name,
  logos: await findLogos(deps.db, company),
})

/**
 * Returns the name and logos that recipients of a company's links see instead of those of the organisation; null if the company has none of
 * its own. A company with its own name never shows the logo of the organisation, which may contain another name.
 */
export async function readCompanyBrand(deps: Deps, companyId: string): Promise<CompanyBrand | null> {
  const company = await findCompany(deps.db, companyId)
  const own = company && (await readOwnBrand(deps, company))
  if (!own || (own.name === null && !own.logos.light && !own.logos.dark)) return null
  return own.name === null ? { ...own, name: (await readOrganisation(deps)).brand.name } : own
}

/** Returns the brand of the organisation. With a company, returns what recipients of its links see, and emails about them show. */
export async function readBrand(deps: Deps, companyId?: string): Promise<Brand> {
  const { brand } = await readOrganisation(deps)
  return companyId === undefined ? brand : { ...brand, ...(await readCompanyBrand(deps, companyId)) }
}

/** The page that was written last, by configuration. */
const lastPages = new WeakMap<Deps['config'], { page: Page | undefined; json: string }>()

/**
 * Returns what to write into pages, as the same object until something changes; undefined if nothing is set. Pages don't need the database
 * otherwise, so while it is unavailable, they look as before.
 */
export async function readPageBrand(deps: Deps): Promise<Page | undefined> {
  const last = lastPages.get(deps.config)
  try {
    const { page } = await readOrganisation(deps)
    if (last && page === last.page) return page
    const json = JSON.stringify(page ?? null)
    if (last?.json === json) return last.page
    lastPages.set(deps.config, { page, json })
    return page
  } catch {
    return last?.page
  }
}

/** Returns the bytes of a logo or icon at a path such as `/brand/{id}.png`. */
export async function findImage(deps: Deps, path: string): Promise<Buffer | undefined> {
  const id = /^\/brand\/([\w-]{22})\.png$/.exec(path)?.[1]
  const bytes = id === undefined ? undefined : await findImageBytes(deps.db, id)
  return bytes === undefined ? undefined : Buffer.from(bytes, 'base64')
}
