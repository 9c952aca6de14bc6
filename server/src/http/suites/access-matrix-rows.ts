import { adminsOnly, type Row, type Side, same } from './access-matrix-row.ts'
import { signInRows } from './access-matrix-sign-in-rows.ts'
import { colleague, form, tus, type World } from './testing.ts'

const newUser = { name: 'Ada', email: 'ada@acme.example', role: 'NEPTUNE_USER', password: 'analytical engine' }

/** Expects that users may call the endpoint for their own company, and admins for every company. Everyone else gets 404. */
const ownCompany = (status: number) => ({ user: { own: status, foreign: 404 }, admin: same(status) })
const directoryOf = (server: World, side: Side) => ({ id: server.directoryId[side] })
const fileOf = (server: World, side: Side) => ({ id: server.fileId[side] })
const versionOf = (server: World, side: Side) => ({ id: server.fileId[side], version: server.fileId[side] })
const linkOf = (server: World, side: Side) => ({ key: server.linkKey[side] })
const webhookOf = (server: World, side: Side) => ({ id: server.webhookId[side] })
const uploadOf = (server: World, side: Side) => ({ id: server.uploadId[side] })

const logoUpload = {
  headers: () => ({ 'content-type': 'application/octet-stream' }),
  body: () => '<svg viewBox="0 0 3 1"><rect width="3" height="1"/></svg>',
}

/** A provider at a port where nothing listens. */
const newProvider = { issuer: 'http://localhost:1', client_id: 'neptune' }
const noRules = { domains: [], trust_email: false, create: null, claim: null, second_factor: 'neptune' }

/** Every endpoint that is not public has a row. A new one without a row fails the first test of access-matrix.test.ts. */
export const matrix: Record<string, Row> = {
  ...signInRows,
  'GET /v1/identity': { user: same(200), admin: same(200) },
  'DELETE /v1/identity': { user: same(204), admin: same(204) },
  'PATCH /v1/identity/details': {
    body: ({ password }) => ({ name: 'Another name', password }),
    user: same(200),
    admin: same(200),
  },
  'PATCH /v1/identity/language': { body: () => ({ language: 'fr' }), user: same(200), admin: same(200) },
  'PATCH /v1/identity/password': {
    body: ({ password }) => ({ oldPassword: password, newPassword: 'another long password' }),
    user: same(200),
    admin: same(200),
  },
  'GET /v1/identity/session': { user: same(200), admin: same(200) },
  'DELETE /v1/identity/session': { user: same(204), admin: same(204) },
  // Sessions are personal: nobody sees those of others, not even an admin.
  'DELETE /v1/identity/session/{id}': {
    params: (server, side) => ({ id: server.sessionId[side] }),
    user: same(404),
    admin: same(404),
  },
  'GET /v1/admin/user/{id}/session': { params: (server, side) => ({ id: server.colleagueId[side] }), ...adminsOnly },
  'DELETE /v1/admin/user/{id}/session': {
    params: (server, side) => ({ id: server.colleagueId[side] }),
    user: same(403),
    admin: same(204),
  },
  'DELETE /v1/admin/user/{id}/session/{session}': {
    params: (server, side) => ({ id: server.colleagueId[side], session: server.sessionId[side] }),
    user: same(403),
    admin: same(204),
  },
  'POST /v1/identity/confirm': { body: ({ password }) => ({ password }), user: same(204), admin: same(204) },
  'GET /v1/identity/provider/logout': { user: same(200), admin: same(200) },
  'GET /v1/identity/provider-account': { user: same(200), admin: same(200) },
  'DELETE /v1/identity/provider-account/{id}': { user: same(404), admin: same(404) },
  'GET /v1/admin/provider': adminsOnly,
  'POST /v1/admin/provider': { body: () => ({ ...newProvider, name: 'Acme', rules: noRules }), ...adminsOnly },
  'PATCH /v1/admin/provider/{id}': { body: () => ({ version: 1 }), user: same(403), admin: same(404) },
  'DELETE /v1/admin/provider/{id}': { user: same(403), admin: same(404) },
  'POST /v1/admin/provider/test': { body: () => newProvider, ...adminsOnly },
  'GET /v1/identity/factor': { user: same(200), admin: same(200) },
  'POST /v1/identity/totp': { user: same(200), admin: same(200) },
  'POST /v1/identity/totp/confirm': { body: () => ({ code: '000000' }), user: same(409), admin: same(409) },
  'DELETE /v1/identity/totp': { user: same(409), admin: same(409) },
  'POST /v1/identity/recovery-code': { user: same(409), admin: same(409) },
  'DELETE /v1/identity/trusted-browser': { user: same(204), admin: same(204) },
  // The colleagues have no second factor.
  'POST /v1/admin/user/{id}/factor-reset': {
    params: (server, side) => ({ id: server.colleagueId[side] }),
    user: same(403),
    admin: same(409),
  },
  'DELETE /v1/admin/user/{id}/factor-reset': {
    params: (server, side) => ({ id: server.colleagueId[side] }),
    user: same(403),
    admin: same(409),
  },
  'GET /v1/admin/company': { user: same(200), admin: same(200) },
  'POST /v1/admin/company': { body: () => ({ name: 'New company' }), ...adminsOnly },
  'PATCH /v1/admin/company/{id}': {
    params: (server, side) => ({ id: server.company[side] }),
    body: () => ({ name: 'Another name' }),
    ...adminsOnly,
  },
  // The last admin's own company can't be archived.
  'POST /v1/admin/company/{id}/archive': {
    params: (server, side) => ({ id: server.company[side] }),
    user: same(403),
    admin: { own: 409, foreign: 200 },
  },
  'POST /v1/admin/company/{id}/restore': { params: (server, side) => ({ id: server.company[side] }), ...adminsOnly },
  'PUT /v1/admin/company/{id}/logo/{theme}': {
    params: (server, side) => ({ id: server.company[side], theme: 'light' }),
    ...logoUpload,
    ...adminsOnly,
  },
  'DELETE /v1/admin/company/{id}/logo/{theme}': {
    params: (server, side) => ({ id: server.company[side], theme: 'light' }),
    ...adminsOnly,
  },
  'GET /v1/company': { user: same(200), admin: same(200) },
  'GET /v1/company/{id}': { params: (server, side) => ({ id: server.company[side] }), ...ownCompany(200) },
  'GET /v1/admin/user': { user: same(200), admin: same(200) },
  'POST /v1/admin/user': { body: (server, side) => ({ ...newUser, company: server.company[side] }), ...adminsOnly },
  'GET /v1/admin/user/{id}': { params: (server, side) => ({ id: server.colleagueId[side] }), ...ownCompany(200) },
  'PATCH /v1/admin/user/{id}': {
    params: (server, side) => ({ id: server.colleagueId[side] }),
    body: () => ({ name: 'Another name', email: 'another@acme.example' }),
    ...adminsOnly,
  },
  'PATCH /v1/admin/user/{id}/access': {
    params: (server, side) => ({ id: server.colleagueId[side] }),
    body: (server) => ({ access: 'selected', companies: [server.company.foreign] }),
    ...adminsOnly,
  },
  'PATCH /v1/admin/role': { body: (_, side) => ({ email: colleague[side], role: 'NEPTUNE_USER' }), ...adminsOnly },
  'POST /v1/admin/user/{id}/reset': { params: (server, side) => ({ id: server.colleagueId[side] }), ...adminsOnly },
  'POST /v1/admin/user/{id}/suspend': { params: (server, side) => ({ id: server.colleagueId[side] }), ...adminsOnly },
  'POST /v1/admin/user/{id}/invitation': { params: (server, side) => ({ id: server.invitedId[side] }), ...adminsOnly },
  'DELETE /v1/admin/user/{id}/invitation': {
    params: (server, side) => ({ id: server.invitedId[side] }),
    user: same(403),
    admin: same(204),
  },
  'POST /v1/admin/user/{id}/handover': {
    params: (server, side) => ({ id: server.colleagueId[side] }),
    body: (server) => ({ to: server.adminId }),
    ...adminsOnly,
  },
  'GET /v1/admin/user/{id}/removal': { params: (server, side) => ({ id: server.colleagueId[side] }), ...adminsOnly },
  'POST /v1/admin/user/{id}/successor': {
    params: (server, side) => ({ id: server.colleagueId[side] }),
    body: () => ({ access: 'own' }),
    ...adminsOnly,
  },
  'POST /v1/admin/user/{id}/remove': {
    params: (server, side) => ({ id: server.colleagueId[side] }),
    body: () => ({ closeLinks: true }),
    user: same(403),
    admin: same(204),
  },
  'GET /v1/settings': { user: same(200), admin: same(200) },
  'GET /v1/admin/settings': adminsOnly,
  'PATCH /v1/admin/settings/organisation': { body: () => ({ version: 0, values: { name: 'Acme' } }), ...adminsOnly },
  'PATCH /v1/admin/settings/appearance': { body: () => ({ version: 0, values: { accent: '#aa0000' } }), ...adminsOnly },
  'PATCH /v1/admin/settings/links': { body: () => ({ version: 0, values: { default_days: 7 } }), ...adminsOnly },
  'PATCH /v1/admin/settings/email': { body: () => ({ version: 0, values: { sender_name: 'Acme' } }), ...adminsOnly },
  'PATCH /v1/admin/settings/security': { body: () => ({ version: 0, values: { session_minutes: 600 } }), ...adminsOnly },
  'PUT /v1/admin/settings/logo/{theme}': { params: () => ({ theme: 'light' }), ...logoUpload, ...adminsOnly },
  'DELETE /v1/admin/settings/logo/{theme}': { params: () => ({ theme: 'light' }), ...adminsOnly },
  'PATCH /v1/admin/settings/storage': { body: () => ({ version: 0, values: { trash_days: 7 } }), ...adminsOnly },
  'GET /v1/admin/mail': adminsOnly,
  'POST /v1/admin/mail/test': { body: (_, side) => ({ to: colleague[side] }), ...adminsOnly },
  'POST /v1/admin/mail/{id}/again': { params: () => ({ id: 'absent' }), user: same(403), admin: same(404) },
  'GET /v1/directory': { user: same(200), admin: same(200) },
  'POST /v1/directory': {
    body: (server, side) => ({ directory: 'New', client: server.company[side] }),
    ...ownCompany(200),
  },
  'POST /v1/directory/{id}/folders': { params: directoryOf, body: () => ({ paths: [['New']] }), ...ownCompany(200) },
  'POST /v1/move': {
    body: (server, side) => ({ files: [server.fileId[side]], to: server.folderId[side] }),
    ...ownCompany(200),
  },
  'GET /v1/directory/{id}': { params: directoryOf, ...ownCompany(200) },
  'PATCH /v1/directory/{id}': { params: directoryOf, body: () => ({ directory: 'Another' }), ...ownCompany(200) },
  'DELETE /v1/directory/{id}': { params: directoryOf, ...ownCompany(204) },
  'POST /v1/directory/{id}/restore': { params: directoryOf, ...ownCompany(200) },
  'POST /v1/directory/{id}/ticket': { params: directoryOf, ...ownCompany(200) },
  'GET /v1/directory/{id}/zip': { params: directoryOf, ...ownCompany(200) },
  'GET /v1/file': { user: same(200), admin: same(200) },
  'GET /v1/live': { user: same(200), admin: same(200) },
  'GET /v1/export/file': { user: same(200), admin: same(200) },
  'PUT /v1/file/{directory}/{filename}': {
    params: (server, side) => ({ directory: server.directoryId[side], filename: 'new.txt' }),
    headers: () => form.headers,
    body: () => form.payload,
    ...ownCompany(200),
  },
  'POST /v1/file/clash': {
    body: (server, side) => ({ directory: server.directoryId[side], names: ['a.txt'] }),
    ...ownCompany(200),
  },
  'GET /v1/file/{id}': { params: fileOf, ...ownCompany(200) },
  'POST /v1/file/{id}/ticket': { params: fileOf, ...ownCompany(200) },
  'POST /v1/file/{id}/preview': { params: fileOf, ...ownCompany(200) },
  'GET /v1/file/{id}/version': { params: fileOf, ...ownCompany(200) },
  // The only version is the current one, so there is nothing to restore, and it can't be deleted.
  'POST /v1/file/{id}/version/{version}/restore': { params: versionOf, ...ownCompany(200) },
  'DELETE /v1/file/{id}/version/{version}': { params: versionOf, ...ownCompany(409) },
  'POST /v1/copy': {
    body: (server, side) => ({ files: [server.fileId[side]], to: server.directoryId[side] }),
    ...ownCompany(200),
  },
  'PATCH /v1/file/{id}': { params: fileOf, body: () => ({ file_name: 'another.txt' }), ...ownCompany(200) },
  'DELETE /v1/file/{id}': { params: fileOf, ...ownCompany(204) },
  'POST /v1/file/delete': { body: (server, side) => ({ ids: [server.fileId[side]] }), ...ownCompany(204) },
  'POST /v1/file/restore': { body: (server, side) => ({ ids: [server.fileId[side]] }), ...ownCompany(200) },
  'POST /v1/upload': {
    headers: (server, side) => ({
      ...tus,
      'upload-length': '5',
      'upload-metadata': `filename ${btoa('a.txt')},directory ${btoa(server.directoryId[side])}`,
    }),
    ...ownCompany(201),
  },
  'GET /v1/upload': { user: same(200), admin: same(200) },
  // Uploads are personal, like sessions; but staff may cancel uploads to directories they have access to.
  'HEAD /v1/upload/{id}': { params: uploadOf, headers: () => tus, user: same(404), admin: same(404) },
  'PATCH /v1/upload/{id}': {
    params: uploadOf,
    headers: () => ({ ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }),
    body: () => 'hello',
    user: same(404),
    admin: same(404),
  },
  'DELETE /v1/upload/{id}': { params: uploadOf, headers: () => tus, ...ownCompany(204) },
  'POST /v1/upload/{id}/part': { params: uploadOf, body: () => ({ offset: 0 }), user: same(404), admin: same(404) },
  'PUT /v1/upload/{id}/part': { params: uploadOf, body: () => ({ number: 1 }), user: same(404), admin: same(404) },
  'GET /v1/link': { user: same(200), admin: same(200) },
  // A directory of another company looks like one without links.
  'POST /v1/link/affected': {
    body: (server, side) => ({ directory: server.directoryId[side] }),
    user: same(200),
    admin: same(200),
  },
  'POST /v1/link/initialise': {
    body: (server, side) => ({ company: server.company[side], directory: server.directoryId[side] }),
    ...ownCompany(200),
  },
  // 409, because no key and code were reserved.
  'POST /v1/link': {
    body: (server, side) => ({
      linkType: 'LINK_DIRECTORY',
      directory: server.directoryId[side],
      key: 'x',
      accessCode: 'x',
      expiry: '2027-01-01',
    }),
    ...ownCompany(409),
  },
  'PATCH /v1/link/reset': {
    body: (server, side) => ({ accessKey: server.linkKey[side], accessCode: 'x' }),
    ...ownCompany(409),
  },
  'POST /v1/link/email': {
    body: (server, side) => ({ key: server.linkKey[side], targetEmail: 'rob@client.example' }),
    ...ownCompany(200),
  },
  'DELETE /v1/link/{key}': { params: linkOf, ...ownCompany(204) },
  'POST /v1/link/delete': { body: (server, side) => ({ keys: [server.linkKey[side]] }), ...ownCompany(204) },
  'POST /v1/link/{key}/code': { params: linkOf, ...ownCompany(200) },
  'POST /v1/link/{key}/preview': { params: linkOf, ...ownCompany(200) },
  'POST /v1/link/{key}/extend': { params: linkOf, ...ownCompany(200) },
  'GET /v1/link/{key}/activity': { params: linkOf, ...ownCompany(200) },
  'GET /v1/ask': { user: same(200), admin: same(200) },
  'POST /v1/ask/{id}': {
    params: (server, side) => ({ id: server.askId[side] }),
    body: () => ({ grant: false }),
    ...ownCompany(200),
  },
  // For recipients only.
  'GET /v1/access': { user: same(403), admin: same(403) },
  'POST /v1/receipt': { body: () => ({}), user: same(403), admin: same(403) },
  'POST /v1/receipt/{id}/email': { body: () => ({ email: 'rob@client.example' }), user: same(403), admin: same(403) },
  'GET /v1/link/{key}/receipt': { params: linkOf, ...ownCompany(200) },
  'GET /v1/activity': { user: same(200), admin: same(200) },
  'POST /v1/activity/export': { body: () => ({}), user: same(200), admin: same(200) },
  // Tokens are personal, like sessions; admins revoke those of others with a separate endpoint.
  'GET /v1/token': { user: same(200), admin: same(200) },
  'POST /v1/token': { body: () => ({ name: 'Backup', scope: 'read' }), user: same(200), admin: same(200) },
  'DELETE /v1/token/{id}': { params: (server, side) => ({ id: server.tokenId[side] }), user: same(404), admin: same(404) },
  'GET /v1/admin/user/{id}/token': { params: (server, side) => ({ id: server.colleagueId[side] }), ...adminsOnly },
  'DELETE /v1/admin/user/{id}/token/{token}': {
    params: (server, side) => ({ id: server.colleagueId[side], token: server.tokenId[side] }),
    user: same(403),
    admin: same(204),
  },
  'GET /v1/webhook': { user: same(200), admin: same(200) },
  'POST /v1/webhook': {
    body: (server, side) => ({ company: server.company[side], url: 'https://hooks.example', events: ['upload'] }),
    ...ownCompany(200),
  },
  'PATCH /v1/webhook/{id}': { params: webhookOf, body: () => ({ paused: true }), ...ownCompany(200) },
  'DELETE /v1/webhook/{id}': { params: webhookOf, ...ownCompany(204) },
  'POST /v1/webhook/{id}/test': { params: webhookOf, ...ownCompany(200) },
  'GET /v1/webhook/{id}/delivery': { params: webhookOf, ...ownCompany(200) },
  'GET /v1/stats': { user: same(200), admin: same(200) },
  'GET /v1/admin/setup': adminsOnly,
  'GET /v1/dashboard': { user: same(200), admin: same(200) },
  'POST /v1/admin/user/{id}/restore': { params: (server, side) => ({ id: server.colleagueId[side] }), ...adminsOnly },
}
