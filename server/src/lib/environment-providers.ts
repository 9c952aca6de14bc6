import { Issuer, ProviderRules, providerFields } from '@neptune/contract'
import * as z from 'zod'

/** A provider in the environment variable OIDC_PROVIDERS. Companies are named by their id or their name. */
const EnvironmentProvider = z
  .strictObject({
    id: z.string().regex(/^[a-z\d-]{1,40}$/, 'must have lower-case letters, digits and hyphens only'),
    name: z.string().trim().min(1).max(120),
    issuer: Issuer,
    client_id: providerFields.client_id,
    client_secret: z.optional(providerFields.client_secret),
    rules: z.partialRecord(z.string(), z.unknown()).optional(),
  })
  .transform(({ rules, ...provider }, { addIssue }) => {
    const { data, error } = z.safeParse(ProviderRules, { ...defaultRules, ...rules })
    if (!data) addIssue(`rules.${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`)
    return { ...provider, rules: data ?? defaultRules }
  })
export type EnvironmentProvider = z.infer<typeof EnvironmentProvider>

const defaultRules: ProviderRules = { domains: [], trust_email: false, create: null, claim: null, second_factor: 'neptune' }

const EnvironmentProviders = z
  .array(EnvironmentProvider)
  .max(50)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'each provider needs its own id')

/** Parses OIDC_PROVIDERS: a JSON array. Messages never repeat the value, which contains secrets. */
export const environmentProviders = z
  .string()
  .default('')
  .transform((text, { addIssue }): EnvironmentProvider[] => {
    const { data, error } = z.safeParse(EnvironmentProviders, text === '' ? [] : parseJson(text))
    for (const { path, message } of error?.issues ?? [])
      addIssue(`must be a JSON array of providers: ${path.length > 0 ? `${path.join('.')} ` : ''}${message}`)
    return data ?? []
  })

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
