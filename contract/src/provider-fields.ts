import * as z from 'zod/mini'
import { CompanyAccess, Flag, Id, Role, SelectedCompanies, text } from './common.ts'

/** The number of changes to a provider. A change must send the version that it is based on. */
export const Version = z
  .number('This must be a whole number.')
  .check(z.int('This must be a whole number.'), z.gte(0, 'This must be a whole number.'))

/** The URL that identifies a provider. Its configuration is at `.well-known/openid-configuration` below this URL. */
export const Issuer = text(300).check(
  z.refine(isIssuer, 'This must be an address that starts with https://, without a query or a fragment.'),
)

function isIssuer(address: string) {
  const { protocol, hostname = '', username, password, search, hash } = URL.parse(address) ?? {}
  const isLocal = protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return (protocol === 'https:' || isLocal) && !username && !password && !search && !hash
}

/** The part of email addresses after the @. */
const Domain = text(253).check(
  z.regex(
    /^([A-Za-z\d]([A-Za-z\d-]*[A-Za-z\d])?\.)+[A-Za-z\d]([A-Za-z\d-]*[A-Za-z\d])?$/,
    'This must be a domain, such as acme.example.',
  ),
)

/** The rights of a user who is created at the first sign-in. */
export const NewPerson = z.strictObject({
  company: Id,
  role: Role,
  access: CompanyAccess,
  /** With `selected` access: the companies they see besides their own. */
  companies: z.optional(SelectedCompanies),
})
export type NewPerson = z.infer<typeof NewPerson>

/** Who may sign in with a provider, and the rights of new users. */
export const ProviderRules = z.strictObject({
  /**
   * The domains whose email addresses the provider manages. People with these addresses can become users (see `create`). If an address
   * belongs to an existing user, that person only has to agree to connect the account, without signing in to Neptune first.
   */
  domains: z.array(Domain).check(z.maxLength(100, 'Send at most 100 domains.')),
  /**
   * Whether email addresses in these domains count as verified if the provider doesn’t say whether they are. Microsoft Entra ID doesn’t. An
   * address that the provider calls unverified never counts as verified.
   */
  trust_email: Flag,
  /** The rights of people who sign in for the first time with an address in `domains`. Null if no users are created for them. */
  create: z.nullable(NewPerson),
  /** The rights of new people whose claim has one of these values, whatever their domain. The first value that matches wins. */
  claim: z.nullable(
    z.strictObject({
      /** The name of the claim, such as `groups`. */
      name: text(200),
      values: z
        .array(z.strictObject({ value: text(200), gives: NewPerson }))
        .check(z.minLength(1, 'Send at least one value.'), z.maxLength(100, 'Send at most 100 values.')),
    }),
  ),
  /** `provider`: signing in there counts as a second factor. `neptune`: it counts only if the provider says that it has checked one. */
  second_factor: z.enum(['neptune', 'provider'], 'This must be neptune or provider.'),
})
export type ProviderRules = z.infer<typeof ProviderRules>

export const providerFields = { client_id: text(300), client_secret: text(1024) }
