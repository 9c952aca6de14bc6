import { Brand, type CompanyBrand } from '@neptune/contract'
import { createContext, useContext } from 'react'

export const productName = 'Neptune'

/** The brand of the organisation, which the server writes into the page; undefined if nothing is set. Read once, before the first paint. */
export const organisation: Brand | undefined = typeof document === 'undefined' ? undefined : readBrand()

function readBrand(): Brand | undefined {
  const { data } = Brand.safeParse(readBrandJson())
  return data && { ...data, imprint_url: keepHttpsUrl(data.imprint_url), privacy_url: keepHttpsUrl(data.privacy_url) }
}

/** Reads the JSON block of the page. A block that can’t be read counts as missing: a page without a brand is better than none. */
function readBrandJson(): unknown {
  try {
    return JSON.parse(document.getElementById('brand')?.textContent ?? '')
  } catch {
    return undefined
  }
}

/** Returns a URL only if it starts with https://, as the server does, so that it can’t run a script. */
function keepHttpsUrl(url: string | null): string | null {
  return url?.startsWith('https://') ? url : null
}

const noBrand: CompanyBrand = { name: null, logos: { light: null, dark: null } }

/** The name and logos to show: those of the organisation, or of the company whose files a recipient sees. */
export const BrandContext = createContext<CompanyBrand>(organisation ?? noBrand)

export const useBrand = (): CompanyBrand => useContext(BrandContext)
