import * as z from 'zod/mini'
import { findPermittedAccent, isPermittedAccent } from './accent.ts'
import { Logos } from './brand-rows.ts'
import { Email, Language, line, Name, text } from './common.ts'
import { endpoint } from './endpoint.ts'

const wholeNumber = (min: number, max: number) => {
  const message = `This must be a whole number from ${min} to ${max}.`
  return z.number(message).check(z.int(message), z.gte(min, message), z.lte(max, message))
}
const bytes = wholeNumber(1, Number.MAX_SAFE_INTEGER)
const maxSessionMinutes = 6_000_000

/** A page of the organisation on the web, such as its imprint. */
const WebPage = text(500).check(z.refine(isWebPage, 'This must be an address that starts with https://.'))

function isWebPage(address: string) {
  const { protocol, username, password } = URL.parse(address) ?? {}
  return protocol === 'https:' && username === '' && password === ''
}

const TimeZone = text(60).check(z.refine(isTimeZone, 'This must be a time zone, such as Europe/Berlin.'))

function isTimeZone(name: string) {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

const Day = z.iso.date('This must be a day, such as 2026-01-31.')

/** A host name or IP address, without a port. */
const Host = text(253).check(z.refine(isHost, 'This must be a host name.'))

function isHost(host: string) {
  if (host.includes(':')) return /^[\da-f:.]+$/i.test(host) && URL.canParse(`http://[${host}]`)
  return host.split('.').every((label) => /^[a-z\d]([a-z\d-]*[a-z\d])?$/i.test(label))
}

const Accent = text(7).check(
  z.regex(/^#[0-9a-f]{6}$/i, { error: 'This must be a colour, such as #006eb3.', abort: true }),
  z.refine(isPermittedAccent, {
    error: ({ input }) =>
      `Buttons in this colour are hard to see on a white page. Use ${findPermittedAccent(String(input))}, or a darker colour.`,
  }),
)

/** Stands for the stored password in replies. Neptune never returns the password itself. */
export const hiddenPassword = '••••••••'

/**
 * All settings that admins can change, by section, with their schemas. In a change, null means that the default applies. In the values in
 * effect, it means that there is none: no limit, name, address or server.
 * Both the server and the settings screen validate with these schemas.
 */
export const settingsSections = {
  organisation: z.object({
    /** Shown to everyone, even before sign-in. Without a name, pages and emails say Neptune. */
    name: z.nullable(Name),
    /** Shown to recipients next to the access code. */
    welcome: z.nullable(line(300)),
    imprint_url: z.nullable(WebPage),
    privacy_url: z.nullable(WebPage),
    /** The time zone of times in emails. */
    time_zone: TimeZone,
    /** The language of emails to people whose language is unknown. */
    language: Language,
  }),
  appearance: z.object({ accent: z.nullable(Accent) }),
  links: z.object({
    /** The default lifetime of a new link, in days. */
    default_days: wholeNumber(1, 3650),
    /** The maximum number of days that links can stay open, counted from their creation or extension. */
    max_days: z.nullable(wholeNumber(1, 3650)),
    /** Minutes after which a recipient has to enter the code again. An hour without a request ends the visit sooner. */
    session_minutes: wholeNumber(1, 7 * 24 * 60),
    /** The maximum number of bytes, and of files, that recipients can upload through one link. */
    max_bytes: bytes,
    max_files: wholeNumber(1, 1_000_000),
    /** Minutes from an upload of a recipient to the email to the owner of the link. */
    notice_minutes: wholeNumber(0, 24 * 60),
  }),
  email: z.object({
    sender_name: z.nullable(Name),
    sender_address: z.nullable(Email),
    /** Where replies go if no person sent the email. */
    reply_to: z.nullable(Email),
    /** The mail server. Without a host, emails are saved as files. */
    smtp_host: z.nullable(Host),
    smtp_port: z.nullable(wholeNumber(1, 65_535)),
    /** `starttls` encrypts if the server offers it, and always if there is a password. `tls` encrypts from the start. */
    smtp_security: z.enum(['starttls', 'tls'], 'This must be starttls or tls.'),
    smtp_user: z.nullable(text(254)),
    /** Write-only: replies say `null` or `hiddenPassword`. Sending `hiddenPassword` keeps the stored one. */
    smtp_password: z.nullable(text(1024)),
  }),
  security: z.object({
    /** Minutes after which a staff session ends, even if it is in use. */
    session_minutes: wholeNumber(1, maxSessionMinutes),
    /** Minutes without a request after which it ends. */
    session_idle_minutes: wholeNumber(1, maxSessionMinutes),
    /** The same for sessions with “Remember me”. */
    session_remembered_idle_minutes: wholeNumber(1, maxSessionMinutes),
    /** Who needs a second factor to sign in. */
    second_factor: z.enum(['nobody', 'admins', 'everyone'], 'This must be nobody, admins or everyone.'),
    /** The first day, in UTC, on which `second_factor` applies. Null if it applies at once. */
    second_factor_from: z.nullable(Day),
    /** For how many days people can choose to sign in without their second factor in a browser. */
    trust_days: wholeNumber(0, 365),
    /** How many minutes after an admin’s request the second factors of a user are removed, unless the user agrees earlier or cancels. */
    factor_reset_minutes: wholeNumber(0, 30 * 24 * 60),
    /** Whether people can sign in with a password. Can be turned off once an admin has signed in with a provider. */
    password_sign_in: z.boolean('This must be true or false.'),
  }),
  storage: z.object({
    /** The largest file that can be uploaded. */
    max_upload_bytes: bytes,
    /** The quota of companies that have none of their own. */
    company_quota_bytes: z.nullable(bytes),
    /** Days after which deleted files and directories are removed for good. */
    trash_days: wholeNumber(1, 3650),
    /** How many earlier versions of each file are kept, and for how many days after they were replaced. */
    versions_kept: wholeNumber(0, 1000),
    version_days: wholeNumber(1, 3650),
    /** Days to keep audit entries. */
    activity_days: z.nullable(wholeNumber(1, 36_500)),
  }),
}
export type SectionName = keyof typeof settingsSections
export type Settings = { [S in SectionName]: z.infer<(typeof settingsSections)[S]> }

/**
 * Counts the changes of a section. A change must send the version that it is based on, so that nobody overwrites the change
 * of another admin.
 */
const Version = wholeNumber(0, Number.MAX_SAFE_INTEGER)

/** Maps fields that the environment sets to the names of their variables. These fields can’t be changed. */
function lockedFields<S extends SectionName>(name: S) {
  const fields = Object.keys(settingsSections[name].shape) as (keyof Settings[S])[]
  const shape = Object.fromEntries(fields.map((field) => [field, z.optional(z.string())]))
  return z.object(shape as Record<keyof Settings[S], z.ZodMiniOptional<z.ZodMiniString>>)
}

/** A section with the values in effect, and those that would be in effect if admins had changed nothing. */
const section = <S extends SectionName>(name: S) =>
  z.object({ version: Version, values: settingsSections[name], defaults: settingsSections[name], locked: lockedFields(name) })

/** Returns the schema of a change of a section. Fields that are absent stay as they are. */
export const sectionChange = <S extends SectionName>(name: S) => z.strictObject(z.partial(settingsSections[name]).shape)

/**
 * Whether Neptune uses a program of the server. `not_isolated`: the system doesn’t let Neptune isolate it. `off`: thumbnails are turned
 * off.
 */
const ProgramUse = z.enum(['used', 'missing', 'not_isolated', 'off'])
export type ProgramUse = z.infer<typeof ProgramUse>

/** The programs for previews and thumbnails of Office documents (LibreOffice), and for thumbnails of videos (ffmpeg). */
const Previews = z.object({ office: ProgramUse, video: ProgramUse })

const changeSection = <const S extends SectionName>(name: S, summary: string, options: { isSensitive?: true } = {}) =>
  endpoint({
    ...options,
    method: 'PATCH',
    path: `/v1/admin/settings/${name}`,
    access: 'admin',
    summary,
    body: z.strictObject({ version: Version, values: sectionChange(name) }),
    reply: z.object({ data: section(name) }),
    errors: ['settings.changed', 'settings.locked', ...(name === 'security' ? (['provider.last_admin'] as const) : [])],
  })

export const settings = {
  read: endpoint({
    method: 'GET',
    path: '/v1/admin/settings',
    access: 'admin',
    summary: 'Get all settings',
    reply: z.object({
      data: z.object({
        organisation: section('organisation'),
        appearance: section('appearance'),
        links: section('links'),
        email: section('email'),
        security: section('security'),
        storage: section('storage'),
        logos: Logos,
        previews: Previews,
      }),
    }),
  }),
  organisation: changeSection(
    'organisation',
    'Change the name of the organisation, its texts for recipients, time zone and language',
  ),
  appearance: changeSection('appearance', 'Change the accent colour'),
  links: changeSection('links', 'Change the defaults and limits of links'),
  email: changeSection('email', 'Change the sender of emails and the mail server', { isSensitive: true }),
  security: changeSection(
    'security',
    'Change when sessions end, who needs a second factor, and whether people can sign in with a password',
    { isSensitive: true },
  ),
  storage: changeSection(
    'storage',
    'Change the default quota, the maximum file size, and how long the trash, earlier versions and audit entries are kept',
  ),
  common: endpoint({
    method: 'GET',
    path: '/v1/settings',
    access: 'staff',
    token: 'read',
    summary: 'Get the settings that staff work with',
    reply: z.object({
      data: z.object({
        organisation: z.pick(settingsSections.organisation, { name: true, time_zone: true, language: true }),
        links: z.pick(settingsSections.links, { default_days: true, max_days: true }),
      }),
    }),
  }),
}
