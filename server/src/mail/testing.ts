import type { Language } from '@neptune/contract'
import type { WriteEmail } from './emails/email-body.ts'
import { emails } from './emails/emails.ts'
import { createLocalizer } from './localizer.ts'
import { type EmailBrand, renderEmail } from './render-email.ts'

const portal = 'https://files.keller.example'
const time = '2026-11-18T13:05:00.000Z'

/** Returns every kind of email, most of them in several variants, with `foreign` in every text that a person chose. */
export function createSamples(foreign = ''): Record<string, WriteEmail> {
  const owner = `Kim Doe${foreign}`
  const company = `Keller & Partner${foreign}`
  const name = `Tax 2026${foreign}`
  const email = 'rob@client.example'
  const url = `${portal}/access/AbCdEfGhIjKlMnOpQrStUv`
  const link = { owner, company, portal: null, name, files: 3, expiry: time, url, code: 'ABCD2345EFGH', isChanged: false }
  const message = { from: owner, text: `Hi,\n\nas agreed.${foreign}` }
  const named = { name, company: undefined, sentTo: null }
  const known = { name, company, sentTo: email }
  const files = [{ name: `Balance sheet${foreign}.pdf`, size: 1_400_000 }]
  const receipt = { company, client: undefined, name, files, count: 1, bytes: 1_400_000, issuedAt: time, url }
  const signIns = ['Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0', `Script${foreign}`, ''].map(
    (agent) => ({ at: time, client: '192.0.2.7', agent }),
  )
  const usage = { name: company, bytes: 960, quota: 1000, percent: 96 }
  const { linkDetails, linkUploads, linkRequests, linksHandedOver } = emails
  const asks = (['time', 'code'] as const).flatMap((wants) => [
    { ...named, wants, message: null },
    { ...known, wants, message: `One more week${foreign}`, standsInFor: owner },
  ])
  return {
    test: emails.test(),
    invitation: emails.invitation({ name: owner, email, company, inviter: owner, endsAt: time, url }),
    'invitation from someone removed': emails.invitation({ name: owner, email, company, inviter: undefined, endsAt: time, url }),
    'password reset': emails.passwordReset({ name: owner, url }),
    'password reset by an admin': emails.passwordReset({ name: owner, sender: owner, url }),
    'password changed': emails.passwordChanged({ name: owner, url }),
    'email changed, new address': emails.emailChangedForNewAddress({ name: owner, email, url }),
    'email changed, old address': emails.emailChangedForOldAddress({ name: owner }),
    'new sign-ins': emails.newSignIn({ name: owner, signIns, url }),
    'second factor added': emails.factorChanged({ name: owner, change: 'totp_added', url }),
    'second factors removed': emails.factorChanged({ name: owner, change: 'reset', url }),
    'copied passkey': emails.passkeyCopied({ name: owner, passkey: name, url }),
    'second factor reset': emails.factorReset({ name: owner, sender: owner, dueAt: time, url }),
    'second factor reset by someone removed': emails.factorReset({ name: owner, sender: undefined, dueAt: time, url }),
    'file link': linkDetails({ ...link, type: 'LINK_FILE' }),
    'file link with a message': linkDetails({ ...link, type: 'LINK_FILE', message }),
    'link to several files': linkDetails({ ...link, type: 'LINK_FILE', several: 3 }),
    'new code for several files': linkDetails({ ...link, type: 'LINK_FILE', several: 3, isChanged: true }),
    'directory link without its code': linkDetails({ ...link, type: 'LINK_DIRECTORY', code: undefined }),
    'request for files': linkDetails({ ...link, type: 'LINK_EDITABLE_DIRECTORY', files: 0 }),
    'editable directory link': linkDetails({ ...link, type: 'LINK_EDITABLE_DIRECTORY' }),
    'link in the portal of another company': linkDetails({ ...link, type: 'LINK_FILE', portal: `Keller Group${foreign}` }),
    'new code': linkDetails({ ...link, type: 'LINK_FILE', isChanged: true }),
    'extended link': emails.linkExtensions([link]),
    'extended link to several files': emails.linkExtensions([{ ...link, several: 1 }]),
    'extended links': emails.linkExtensions([link, link]),
    uploads: linkUploads({ owner, uploads: [{ ...named, files, count: 3 }], url }),
    'uploads through several links': linkUploads({ owner, uploads: [named, known].map((l) => ({ ...l, files, count: 1 })), url }),
    download: emails.linkDownloads({ owner, links: [named], url }),
    'downloads from several links': emails.linkDownloads({ owner, links: [named, known], url }),
    ...Object.fromEntries(asks.map((ask, index) => [`request ${index}`, linkRequests({ owner, asks: [ask], url })])),
    requests: linkRequests({ owner, asks, url }),
    'link handed over': linksHandedOver({ owner, links: [{ ...known, from: owner }], count: 1, hasMore: false, url }),
    'links handed over': linksHandedOver({ owner, links: [{ ...known, from: owner }], count: 100, hasMore: true, url }),
    receipt: emails.receipt({ ...receipt, verifyUrl: `${portal}/verify` }),
    'receipt for a client': emails.receipt({ ...receipt, client: company, count: 12, verifyUrl: `${portal}/verify` }),
    'quota warning': emails.quotaWarning({ name: owner, companies: [usage], count: 1, url }),
    'quota warnings': emails.quotaWarning({ name: owner, companies: [usage, usage], count: 3, url }),
  }
}

/** A brand with everything that can be set. */
export const fullBrand: EmailBrand = {
  isNamed: true,
  url: portal,
  logos: {
    light: { url: `${portal}/brand/light.png`, width: 480, height: 160 },
    dark: { url: `${portal}/brand/dark.png`, width: 480, height: 160 },
  },
  accent: '#aa3377',
  welcome: 'Welcome to our client portal.',
  imprintUrl: 'https://keller.example/imprint',
  privacyUrl: 'https://keller.example/privacy',
}

/** Renders a sample, by default with everything of the brand. */
export const renderSample = (
  write: WriteEmail,
  language: Language,
  { organisation = 'Keller & Partner', brand = fullBrand } = {},
) => renderEmail(write, createLocalizer({ language, timeZone: 'Europe/Berlin', organisation }), brand)
