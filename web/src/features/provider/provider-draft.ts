import { hiddenPassword, Issuer, type NewPerson, type ProviderRow, ProviderRules } from '@neptune/contract'
import type { FieldErrors } from '../../api/form-errors.ts'
import { t, translateMessage } from '../../i18n/t.ts'
import type { NewProvider } from './provider-queries.ts'

/** The company, role and access of new users, as entered. */
export interface RightsDraft extends Pick<NewPerson, 'role' | 'access'> {
  /** Empty if no company is chosen yet. */
  company: string
  companies: readonly string[]
}

/** The rights of users whose claim has a certain value. */
interface ValueDraft {
  /** Identifies the value on this page, so that it keeps its fields when another value is removed. Never sent. */
  key: string
  value: string
  rights: RightsDraft
}

/** A provider, as entered. */
export interface ProviderDraft {
  name: string
  issuer: string
  client_id: string
  /** Empty keeps the stored secret. */
  client_secret: string
  /** One per line. */
  domains: string
  trust_email: boolean
  /** `yes` creates a user for new people in these domains. */
  creates: 'yes' | 'no'
  create: RightsDraft
  claim: string
  values: readonly ValueDraft[]
  second_factor: ProviderRules['second_factor']
}

export const noRights: RightsDraft = { company: '', role: 'NEPTUNE_USER', access: 'own', companies: [] }

export const emptyDraft: ProviderDraft = {
  name: '',
  issuer: '',
  client_id: '',
  client_secret: '',
  domains: '',
  trust_email: false,
  creates: 'no',
  create: noRights,
  claim: '',
  values: [],
  second_factor: 'neptune',
}

export function toProviderDraft({ name, issuer, client_id, rules }: ProviderRow): ProviderDraft {
  const { domains, trust_email, create, claim, second_factor } = rules
  return {
    name,
    issuer,
    client_id,
    client_secret: '',
    domains: domains.join('\n'),
    trust_email,
    creates: create ? 'yes' : 'no',
    create: create ? toRights(create) : noRights,
    claim: claim?.name ?? '',
    values: (claim?.values ?? []).map(({ value, gives }, index) => ({
      key: `${index} ${value}`,
      value,
      rights: toRights(gives),
    })),
    second_factor,
  }
}

const toRights = ({ companies = [], ...rights }: NewPerson): RightsDraft => ({ ...rights, companies })

function toRules({ domains, trust_email, creates, create, claim, values, second_factor }: ProviderDraft): ProviderRules {
  return {
    domains: splitDomains(domains),
    trust_email,
    create: creates === 'yes' ? fromRights(create) : null,
    claim:
      claim.trim() === '' && values.length === 0
        ? null
        : {
            name: claim.trim(),
            values: values.map(({ value, rights }) => ({ value: value.trim(), gives: fromRights(rights) })),
          },
    second_factor,
  }
}

/** Ignores the access chosen for admins, who see everything. */
const fromRights = ({ company, role, access, companies }: RightsDraft): NewPerson =>
  role === 'NEPTUNE_ADMIN'
    ? { company, role, access: 'own' }
    : { company, role, access, ...(access === 'selected' && { companies: [...companies] }) }

/** Accepts whitespace, commas and semicolons between domains, and an @ in front of each. */
const splitDomains = (text: string) => text.split(/[\s,;]+/).flatMap((domain) => domain.replace(/^@/, '').toLowerCase() || [])

export function toNewProvider(draft: ProviderDraft): NewProvider {
  const { name, issuer, client_id, client_secret } = draft
  return {
    name: name.trim(),
    issuer: issuer.trim(),
    client_id: client_id.trim(),
    client_secret: client_secret.trim() || null,
    rules: toRules(draft),
  }
}

/** Returns the changed fields to send. The server keeps the others as they are. */
export function findProviderChanges(before: ProviderRow, draft: ProviderDraft) {
  const { client_secret, rules, ...rest } = toNewProvider(draft)
  const changed = Object.entries(rest).filter(([field, value]) => value !== before[field as keyof ProviderRow])
  return {
    ...(Object.fromEntries(changed) as Partial<typeof rest>),
    ...(client_secret !== null && { client_secret }),
    ...(JSON.stringify(rules) !== JSON.stringify(toRules(toProviderDraft(before))) && { rules }),
  }
}

/** Returns whether a change discards the stored secret, which belongs to its issuer and client. */
export const losesSecret = (before: ProviderRow, { issuer, client_id }: ProviderDraft) =>
  before.client_secret === hiddenPassword && (issuer.trim() !== before.issuer || client_id.trim() !== before.client_id)

export function validateDraft(draft: ProviderDraft): FieldErrors {
  const issuer = Issuer.safeParse(draft.issuer.trim()).error?.issues[0]?.message
  const wrongDomain = splitDomains(draft.domains).find((domain) => !isDomain(domain))
  return {
    ...(!draft.name.trim() && { name: t('Enter a name.') }),
    ...(issuer !== undefined && { issuer: draft.issuer.trim() ? translateMessage(issuer) : t('Enter an address.') }),
    ...(!draft.client_id.trim() && { client_id: t('Enter the client ID.') }),
    ...(wrongDomain !== undefined && {
      domains: t('“{domain}” isn’t a domain. Enter one such as acme.example.', { domain: wrongDomain }),
    }),
    ...(draft.creates === 'yes' && { ...validateDomains(draft), ...validateRights('create', draft.create) }),
    ...validateClaim(draft),
  }
}

const isDomain = (domain: string) => ProviderRules.shape.domains.safeParse([domain]).success

const validateDomains = ({ domains }: ProviderDraft): FieldErrors =>
  splitDomains(domains).length === 0 ? { domains: t('Enter at least one domain.') } : {}

function validateRights(name: string, { company, role, access, companies }: RightsDraft): FieldErrors {
  const needsCompanies = role === 'NEPTUNE_USER' && access === 'selected' && companies.every((id) => id === company)
  return {
    ...(!company && { [`${name}.company`]: t('Choose a company.') }),
    ...(needsCompanies && { [`${name}.companies`]: t('Choose at least one other company.') }),
  }
}

function validateClaim({ claim, values }: ProviderDraft): FieldErrors {
  if (claim.trim() === '' && values.length === 0) return {}
  return {
    ...(!claim.trim() && { claim: t('Enter the name of the claim.') }),
    ...(values.length === 0 && { claim: t('Add at least one value, or leave the claim empty.') }),
    ...Object.assign(
      {},
      ...values.map(({ key, value, rights }) => ({
        ...(!value.trim() && { [`${key}.value`]: t('Enter a value.') }),
        ...validateRights(key, rights),
      })),
    ),
  }
}

/**
 * Combines what was entered with what another admin has saved since: fields that were changed here stay, all others get the new values.
 * `changed` are the fields that the other admin has changed.
 */
export function mergeDraft(before: ProviderRow, saved: ProviderRow, draft: ProviderDraft) {
  const [old, initial] = [toProviderDraft(before), toProviderDraft(saved)]
  const fields = Object.keys(initial) as (keyof ProviderDraft)[]
  const isDifferent = (a: ProviderDraft, b: ProviderDraft) => (field: keyof ProviderDraft) =>
    JSON.stringify(a[field]) !== JSON.stringify(b[field])
  const own = fields.filter(isDifferent(old, draft)).map((field) => [field, draft[field]])
  return {
    initial,
    draft: { ...initial, ...Object.fromEntries(own) } as ProviderDraft,
    changed: fields.filter(isDifferent(old, initial)),
  }
}
