import { hiddenPassword, type SectionName, type Settings } from '@neptune/contract'
import type { MailServer } from './net/mail-server.ts'

/** Names of environment variables, by the fields of the settings that they set. */
export type Locks = { [S in SectionName]: Partial<Record<keyof Settings[S], string>> }

/**
 * The environment variable that sets each field. It takes precedence over what admins have saved. A field that is not here can only be
 * changed by admins.
 */
export const settingVariables: Locks = {
  organisation: {},
  appearance: {},
  links: {
    session_minutes: 'LINK_SESSION_MINUTES',
    max_bytes: 'LINK_MAX_BYTES',
    max_files: 'LINK_MAX_FILES',
    notice_minutes: 'NOTICE_MINUTES',
  },
  email: {
    sender_name: 'MAIL_FROM',
    sender_address: 'MAIL_FROM',
    smtp_host: 'SMTP_URL',
    smtp_port: 'SMTP_URL',
    smtp_security: 'SMTP_URL',
    smtp_user: 'SMTP_URL',
    smtp_password: 'SMTP_URL',
  },
  security: {
    session_minutes: 'SESSION_MINUTES',
    session_idle_minutes: 'SESSION_IDLE_MINUTES',
    session_remembered_idle_minutes: 'SESSION_REMEMBERED_IDLE_MINUTES',
  },
  storage: {
    max_upload_bytes: 'MAX_UPLOAD_BYTES',
    company_quota_bytes: 'COMPANY_QUOTA_BYTES',
    trash_days: 'TRASH_DAYS',
    versions_kept: 'VERSIONS_KEPT',
    version_days: 'VERSION_DAYS',
    activity_days: 'ACTIVITY_DAYS',
  },
}

/** The variables in `settingVariables`, parsed, with their defaults. */
interface Environment {
  LINK_SESSION_MINUTES: number
  LINK_MAX_BYTES: number
  LINK_MAX_FILES: number
  NOTICE_MINUTES: number
  MAIL_FROM?: { name: string; address: string } | undefined
  SESSION_MINUTES: number
  SESSION_IDLE_MINUTES: number
  SESSION_REMEMBERED_IDLE_MINUTES: number
  MAX_UPLOAD_BYTES: number
  COMPANY_QUOTA_BYTES?: number | undefined
  TRASH_DAYS: number
  VERSIONS_KEPT: number
  VERSION_DAYS: number
  ACTIVITY_DAYS?: number | undefined
}

/** Returns the values that the environment sets, or otherwise the defaults; and which fields the environment sets. */
export function readEnvironmentSettings(
  env: Environment,
  smtpServer: MailServer | undefined,
  isSet: (variable: string) => boolean,
): { values: Settings; locked: Locks } {
  const locked = findLocks(isSet)
  const from = env.MAIL_FROM
  if (from?.name === '') delete locked.email.sender_name // an address alone leaves the name to admins
  const values: Settings = {
    organisation: { name: null, welcome: null, imprint_url: null, privacy_url: null, time_zone: 'UTC', language: 'en' },
    appearance: { accent: null },
    links: {
      default_days: 30,
      max_days: null,
      session_minutes: env.LINK_SESSION_MINUTES,
      max_bytes: env.LINK_MAX_BYTES,
      max_files: env.LINK_MAX_FILES,
      notice_minutes: env.NOTICE_MINUTES,
    },
    email: {
      sender_name: from?.name || null,
      sender_address: from?.address ?? null,
      reply_to: null,
      ...describeMailServer(smtpServer),
    },
    security: {
      session_minutes: env.SESSION_MINUTES,
      session_idle_minutes: env.SESSION_IDLE_MINUTES,
      session_remembered_idle_minutes: env.SESSION_REMEMBERED_IDLE_MINUTES,
      second_factor: 'nobody',
      second_factor_from: null,
      trust_days: 30,
      factor_reset_minutes: 60,
      password_sign_in: true,
    },
    storage: {
      max_upload_bytes: env.MAX_UPLOAD_BYTES,
      company_quota_bytes: env.COMPANY_QUOTA_BYTES ?? null,
      trash_days: env.TRASH_DAYS,
      versions_kept: env.VERSIONS_KEPT,
      version_days: env.VERSION_DAYS,
      activity_days: env.ACTIVITY_DAYS ?? null,
    },
  }
  return { values, locked }
}

/** Returns the fields whose variables are set. */
function findLocks(isSet: (variable: string) => boolean): Locks {
  const filter = (fields: Record<string, string>) =>
    Object.fromEntries(Object.entries(fields).filter(([, variable]) => isSet(variable)))
  return Object.fromEntries(Object.entries(settingVariables).map(([section, fields]) => [section, filter(fields)])) as Locks
}

/** Returns a mail server without its password. Some services use one secret as both user name and password. */
const describeMailServer = ({ host, port, isTls, user, password }: Partial<MailServer> = {}) => ({
  smtp_host: host ?? null,
  smtp_port: port ?? null,
  smtp_security: isTls ? ('tls' as const) : ('starttls' as const),
  smtp_user: user && user === password ? hiddenPassword : (user ?? null),
  smtp_password: password ? hiddenPassword : null,
})
