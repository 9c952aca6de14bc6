import * as z from 'zod/mini'
import { Language } from './common.ts'

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
 * What everyone can see of the organisation, also before signing in. The server writes it into its pages as JSON, in the element with the
 * id `brand`. The element is missing if nothing is set. The accent colour is in a stylesheet of its own.
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
