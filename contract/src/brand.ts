import * as z from 'zod/mini'
import { Id, Language } from './common.ts'
import { endpoint } from './endpoint.ts'

/** A logo as Neptune re-encoded it. Its URL changes with its content. Anyone who knows the URL can load it. */
export const Logo = z.object({ url: z.string(), width: z.number(), height: z.number() })
export type Logo = z.infer<typeof Logo>

/** The logos for light and dark pages. If there is only one, it is used on both. */
export const Logos = z.object({ light: z.nullable(Logo), dark: z.nullable(Logo) })
export type Logos = z.infer<typeof Logos>

/**
 * The name and logos of a company that has its own brand. Recipients of its links see them instead of those of the organisation, after
 * they have entered the code.
 */
export const CompanyBrand = z.object({ name: z.nullable(z.string()), logos: Logos })
export type CompanyBrand = z.infer<typeof CompanyBrand>

/**
 * What everyone can see of the organisation, also before signing in. The server writes it into its pages as JSON, in the element with the id
 * `brand`. The element is missing if nothing is set. The accent colour is in a stylesheet of its own.
 */
export const Brand = z.extend(CompanyBrand, {
  welcome: z.nullable(z.string()),
  imprint_url: z.nullable(z.string()),
  privacy_url: z.nullable(z.string()),
  /** For readers whose own language is not available. */
  language: Language,
})
export type Brand = z.infer<typeof Brand>

/** The largest image that can be uploaded as a logo. */
export const logoMaxBytes = 1024 * 1024

const Theme = z.enum(['light', 'dark'], 'This must be light or dark.')

const ofOrganisation = {
  path: '/v1/admin/settings/logo/{theme}',
  access: 'admin',
  params: z.strictObject({ theme: Theme }),
  reply: z.object({ data: Logos }),
} as const

const ofCompany = {
  path: '/v1/admin/company/{id}/logo/{theme}',
  access: 'admin',
  params: z.strictObject({ id: Id, theme: Theme }),
  reply: z.object({ data: Logos }),
} as const

export const brand = {
  setLogo: endpoint({
    ...ofOrganisation,
    method: 'PUT',
    summary:
      'Set a logo of the organisation: PNG, JPEG, WebP or SVG, at most 1 MiB. Neptune converts it to a PNG of at most 480 × 160 pixels',
    body: 'file',
    errors: ['logo.invalid', 'logo.too_large', 'server.busy'],
  }),
  removeLogo: endpoint({ ...ofOrganisation, method: 'DELETE', summary: 'Remove a logo of the organisation' }),
  setCompanyLogo: endpoint({
    ...ofCompany,
    method: 'PUT',
    summary: 'Set a logo of a company, which replaces that of the organisation for recipients of its links',
    body: 'file',
    errors: ['company.not_found', 'logo.invalid', 'logo.too_large', 'server.busy'],
  }),
  removeCompanyLogo: endpoint({
    ...ofCompany,
    method: 'DELETE',
    summary: 'Remove a logo of a company',
    errors: ['company.not_found'],
  }),
}
