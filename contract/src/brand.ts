import * as z from 'zod/mini'
import { Logos } from './brand-rows.ts'
import { Id } from './common.ts'
import { endpoint } from './endpoint.ts'

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
