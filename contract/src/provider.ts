import * as z from 'zod/mini'
import { Flag, Id, Name } from './common.ts'
import { endpoint } from './endpoint.ts'
import { Issuer, ProviderRules, providerFields, Version } from './provider-fields.ts'
import { ProviderAccount, ProviderRow, ProviderTest, ProviderUris } from './provider-rows.ts'

const byId = { params: z.strictObject({ id: Id }) }
const row = z.object({ data: ProviderRow })
const manage = { access: 'admin', isSensitive: true } as const
const rulesErrors = ['company.not_found'] as const

export const provider = {
  accounts: endpoint({
    method: 'GET',
    path: '/v1/identity/provider-account',
    access: 'staff',
    summary: 'List your own accounts at providers, with which you can sign in',
    reply: z.object({ data: z.array(ProviderAccount) }),
  }),
  removeAccount: endpoint({
    ...byId,
    method: 'DELETE',
    path: '/v1/identity/provider-account/{id}',
    access: 'staff',
    isSensitive: true,
    summary: 'Disconnect one of your own accounts at providers. You can no longer sign in with it',
    reply: 'none',
    errors: ['provider.account_not_found', 'provider.last_way_in', 'provider.last_admin'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/v1/admin/provider',
    access: 'admin',
    summary: 'List the providers with which people can sign in',
    reply: z.object({ data: z.array(ProviderRow), uris: ProviderUris }),
  }),
  create: endpoint({
    ...manage,
    method: 'POST',
    path: '/v1/admin/provider',
    summary: 'Add a provider',
    body: z.strictObject({
      name: Name,
      issuer: Issuer,
      client_id: providerFields.client_id,
      client_secret: z.optional(z.nullable(providerFields.client_secret)),
      rules: ProviderRules,
      disabled: z.optional(Flag),
    }),
    reply: row,
    errors: ['provider.too_many', ...rulesErrors],
  }),
  change: endpoint({
    ...manage,
    ...byId,
    method: 'PATCH',
    path: '/v1/admin/provider/{id}',
    summary:
      'Change a provider, or disable it. Fields that are absent stay as they are. A new issuer or client ID requires the client secret again',
    body: z.strictObject({
      version: Version,
      name: z.optional(Name),
      issuer: z.optional(Issuer),
      client_id: z.optional(providerFields.client_id),
      /** `hiddenPassword` keeps the stored one; null removes it. */
      client_secret: z.optional(z.nullable(providerFields.client_secret)),
      rules: z.optional(ProviderRules),
      disabled: z.optional(Flag),
    }),
    reply: row,
    errors: ['provider.not_found', 'provider.locked', 'provider.last_admin', 'settings.changed', ...rulesErrors],
  }),
  remove: endpoint({
    ...manage,
    ...byId,
    method: 'DELETE',
    path: '/v1/admin/provider/{id}',
    summary: 'Delete a provider. Nobody can sign in with it from then on; open sessions stay open',
    reply: 'none',
    errors: ['provider.not_found', 'provider.locked', 'provider.last_admin'],
  }),
  test: endpoint({
    ...manage,
    method: 'POST',
    path: '/v1/admin/provider/test',
    summary: 'Check whether a provider can be reached and is set up correctly. Changes nothing',
    body: z.strictObject({
      /** The provider whose stored secret is used, if its issuer and client ID are the same as here. */
      id: z.optional(Id),
      issuer: Issuer,
      client_id: providerFields.client_id,
      client_secret: z.optional(z.nullable(providerFields.client_secret)),
    }),
    reply: z.object({ data: ProviderTest }),
    errors: ['provider.too_many_tests'],
  }),
}
