import { Brand, type CompanyBrand } from '@neptune/contract'
import { createContext, useContext } from 'react'

export const productName = 'Neptune'

/** The brand of the organisation, which the server writes into the page; undefined if nothing is set. Read before the first paint. */
export let organisation: Brand | undefined = typeof document === 'undefined' ? undefined : readBrand()

function readBrand(): Brand | undefined {
  const { data } = Brand.safeParse(readBrandJson())
  return data && keepHttpsUrls(data)
}

/** Reads the JSON block of the page. A block that can’t be read counts as missing: a page without a brand is better than none. */
function readBrandJson(): unknown {
  try {
    return JSON.parse(document.getElementById('brand')?.textContent ?? '')
  } catch {
    return undefined
  }
}

function keepHttpsUrls(brand: Brand): Brand {
  return { ...brand, imprint_url: keepHttpsUrl(brand.imprint_url), privacy_url: keepHttpsUrl(brand.privacy_url) }
}

/** Drops a URL that doesn’t start with https://, as the server does, because other URLs could run a script. */
function keepHttpsUrl(url: string | null): string | null {
  return url?.startsWith('https://') ? url : null
}

/** Replaces the brand of the page with one that was saved since it was loaded. Pages that open from now on show it. */
export function replaceOrganisation(brand: Brand): void {
  organisation = keepHttpsUrls(brand)
}

const noBrand: CompanyBrand = { name: null, logos: { light: null, dark: null } }

/** The name and logos to show instead of those of the page, such as those of the company whose files a recipient sees. */
export const BrandContext = createContext<CompanyBrand | undefined>(undefined)

export const useBrand = (): CompanyBrand => useContext(BrandContext) ?? organisation ?? noBrand
