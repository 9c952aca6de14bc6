import { isIPv4, isIPv6 } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { Email, emailMax, passwordMax } from '@neptune/contract'
import * as z from 'zod'
import { environmentProviders } from './lib/environment-providers.ts'
import { readEnvironmentSettings } from './lib/environment-settings.ts'
import { isSmtpUrl, parseSmtpUrl } from './lib/net/mail-server.ts'
import { isWeakPassword } from './lib/password/password-rules.ts'

const wholeNumber = (min: number, max: number, alternative = '') => {
  const error = `must be a whole number from ${min} to ${max}${alternative}`
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error)
}
/** Resolves `auto` to one process per core that Neptune may use, up to 64. On Windows, where workers are not supported, to 1. */
const parseProcessCount = (value: unknown) => {
  if (value !== 'auto') return value
  return process.platform === 'win32' ? 1 : Math.min(availableParallelism(), 64)
}
const minutes = (defaultValue: number) => wholeNumber(1, 6_000_000).default(defaultValue)
const webAddress = z.string().refine(isWebAddress, 'must be an http:// or https:// URL without a path, user name or password')
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const

/** All settings. docs/settings.md explains them; tests/settings.test.ts compares that page with this schema. */
export const Env = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3000),
  PUBLIC_URL: webAddress.transform((url) => new URL(url).origin).optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional(),
  DATABASE_POOL: wholeNumber(5, 1000).default(10),
  WORKERS: z.preprocess(parseProcessCount, wholeNumber(1, 64, ', or auto').default(1)),
  S3_ENDPOINT: webAddress.optional(),
  S3_BUCKET: z.string().optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_DIRECT: z.enum(['on', 'off'], 'must be on or off').default('off'),
  S3_PUBLIC_ENDPOINT: webAddress.optional(),
  SMTP_URL: z
    .string()
    .refine(
      isSmtpUrl,
      'must be like smtp://mail.example.com or smtps://name:password@mail.example.com, with special characters in the password percent-encoded',
    )
    .optional(),
  MAIL_FROM: z
    .string()
    .transform(parseSender)
    .refine((from) => z.safeParse(Email, from.address).success, 'must be an email address, or Name <address>')
    .optional(),
  MAX_UPLOAD_BYTES: wholeNumber(1, Number.MAX_SAFE_INTEGER).default(20 * 2 ** 30),
  COMPANY_QUOTA_BYTES: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
  LINK_SESSION_MINUTES: wholeNumber(1, 7 * 24 * 60).default(12 * 60),
  LINK_MAX_BYTES: wholeNumber(1, Number.MAX_SAFE_INTEGER).default(20 * 2 ** 30),
  LINK_MAX_FILES: wholeNumber(1, 1_000_000).default(1000),
  NOTICE_MINUTES: wholeNumber(0, 24 * 60).default(5),
  WEBHOOK_PRIVATE: z.enum(['on', 'off'], 'must be on or off').default('off'),
  TRASH_DAYS: wholeNumber(1, 3650).default(30),
  VERSIONS_KEPT: wholeNumber(0, 1000).default(20),
  VERSION_DAYS: wholeNumber(1, 3650).default(365),
  THUMBNAILS: z.enum(['on', 'off'], 'must be on or off').default('on'),
  SECRET_KEY: z.string().refine(isRandomKey, 'must be at least 32 random characters, not a sample value').optional(),
  ADMIN_EMAIL: z
    .email('must be an email address')
    .max(emailMax, `must have at most ${emailMax} characters`)
    .default('admin@neptune.local')
    .transform((email) => email.toLowerCase()),
  ADMIN_PASSWORD: z
    .string()
    .min(12, 'must have at least 12 characters')
    .max(passwordMax, `must have at most ${passwordMax} characters`)
    .refine((password) => !/\p{Cc}/u.test(password), 'must not contain control characters')
    .refine((password) => !isWeakPassword(password), 'is easy to guess; use several unrelated words')
    .optional(),
  SESSION_MINUTES: minutes(6_000_000),
  SESSION_IDLE_MINUTES: minutes(12 * 60),
  SESSION_REMEMBERED_IDLE_MINUTES: minutes(30 * 24 * 60),
  OIDC_PROVIDERS: environmentProviders,
  CORS_ORIGINS: commaSeparated(isOrigin, 'must be origins such as https://app.example.com'),
  TRUST_PROXY: commaSeparated(isNetwork, 'must be addresses or networks such as 10.0.0.0/8'),
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber(1, 10_000).default(500),
  X_ACCEL_REDIRECT: z
    .string()
    .regex(/^\/([\w-]+\/)+$/, 'must be an nginx location such as /stored/')
    .optional(),
  ACTIVITY_DAYS: wholeNumber(1, 36_500).optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{20,200}$/, 'must be 20 to 200 printable ASCII characters without spaces')
    .optional(),
  METRICS_PORT: wholeNumber(0, 65_535).optional(),
  SCAN_ROWS: wholeNumber(1, Number.MAX_SAFE_INTEGER).default(100_000),
  SLOW_REQUEST_MS: wholeNumber(0, 3_600_000).default(1000),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
})

export type Config = ReturnType<typeof readConfig>

/** Reads the settings; nothing else reads the environment. Throws a `ConfigError` that lists every invalid setting. */
export function readConfig(environment: Record<string, string | undefined>) {
  // An empty variable counts as not set, because shells and Compose files pass unset variables as empty strings.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()))
  const { data: env, error } = Env.safeParse(given)
  const faults = [...(error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${issue.message}`), ...findConflicts(given)]
  if (!env || faults.length > 0) throw new ConfigError(faults)
  const dataDir = resolve(env.DATA_DIR)
  const smtpServer = env.SMTP_URL === undefined ? undefined : parseSmtpUrl(env.SMTP_URL)
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`
  return {
    host: env.HOST,
    port: env.PORT,
    publicUrl,
    dataDir,
    databaseUrl: env.DATABASE_URL ?? `sqlite:${resolve(dataDir, 'neptune.db')}`,
    databasePool: env.DATABASE_POOL,
    workers: env.WORKERS,
    ...readStore(env),
    /** The settings that admins can change. */
    settings: readEnvironmentSettings(env, smtpServer, (variable) => given[variable] !== undefined),
    /** How long this process uses the settings that admins have saved before it reads them again. */
    settingsMaxAgeMs: 500,
    /** Whether webhooks may use http:// and private addresses. */
    allowsPrivateWebhooks: env.WEBHOOK_PRIVATE === 'on',
    hasThumbnails: env.THUMBNAILS === 'on',
    /** The folders to search for LibreOffice and ffmpeg, as in `PATH`. */
    programPath: given['PATH'] ?? '',
    /** The mail server in the environment. Without it, admins can set one. */
    smtpServer,
    /** The sender of emails, unless the settings name another one. */
    defaultSender: { name: env.MAIL_FROM ? '' : 'Neptune', address: `neptune@${getDefaultMailDomain(publicUrl)}` },
    secretKey: env.SECRET_KEY,
    adminEmail: env.ADMIN_EMAIL,
    adminPassword: env.ADMIN_PASSWORD,
    /** The providers in the environment. Admins can add others. */
    providers: env.OIDC_PROVIDERS,
    corsOrigins: env.CORS_ORIGINS,
    trustProxy: env.TRUST_PROXY,
    maxConnectionsPerAddress: env.MAX_CONNECTIONS_PER_ADDRESS,
    /** The nginx location that serves the blobs. Undefined when Neptune sends them itself. */
    accelRedirect: env.X_ACCEL_REDIRECT,
    metricsToken: env.METRICS_TOKEN,
    metricsPort: env.METRICS_PORT,
    /** Without a token, metrics are served to this machine only. */
    metricsHost: env.METRICS_TOKEN === undefined ? '127.0.0.1' : env.HOST,
    /** The maximum number of rows that a list reads for one reply when no index covers its filters. */
    scanRows: env.SCAN_ROWS,
    slowRequestMs: env.SLOW_REQUEST_MS,
    logLevel: env.LOG_LEVEL,
  }
}

/** Returns the settings of the store for files, and the endpoint at which browsers reach it. */
function readStore(env: z.infer<typeof Env>) {
  const s3 = readS3(env)
  return {
    s3,
    /** The endpoint with which browsers exchange bytes directly. Undefined when all bytes pass through Neptune. */
    directEndpoint: s3?.publicEndpoint,
  }
}

/** Returns the S3 settings, or undefined when files are stored in the data folder. */
function readS3(env: z.infer<typeof Env>) {
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return undefined
  return {
    endpoint: S3_ENDPOINT,
    bucket: S3_BUCKET,
    region: S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    /** The endpoint that browsers use. Undefined when their uploads and downloads pass through Neptune. */
    publicEndpoint: env.S3_DIRECT === 'on' ? (env.S3_PUBLIC_ENDPOINT ?? S3_ENDPOINT) : undefined,
  }
}

/** Lists all invalid settings, with one clause for each fault. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  constructor(faults: string[]) {
    super(`Invalid settings: ${faults.join('; ')}.`)
  }
}

/** Returns the faults that involve more than one setting. */
function findConflicts(given: Record<string, string | undefined>): string[] {
  const host = given['HOST'] ?? '127.0.0.1'
  const isLoopback = host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
  const s3 = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
  const missing = s3.filter((name) => given[name] === undefined)
  return [
    // Without PUBLIC_URL, links would point to localhost, which their recipients can't open.
    ...(isLoopback || given['PUBLIC_URL'] ? [] : [`PUBLIC_URL must be set when HOST is ${host}, which other machines can reach`]),
    ...(given['METRICS_PORT'] && given['METRICS_PORT'] !== '0' && given['METRICS_PORT'] === (given['PORT'] ?? '3000')
      ? ['METRICS_PORT must differ from PORT']
      : []),
    ...(given['X_ACCEL_REDIRECT'] && missing.length < s3.length
      ? ['X_ACCEL_REDIRECT works only with files in DATA_DIR, not in S3']
      : []),
    ...(given['X_ACCEL_REDIRECT'] && !given['TRUST_PROXY'] ? ['TRUST_PROXY must be set with X_ACCEL_REDIRECT'] : []),
    ...(missing.length === s3.length ? [] : missing.map((name) => `${name} must be set with the other S3 settings`)),
  ]
}

function commaSeparated(isValid: (item: string) => boolean, message: string) {
  return z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    )
    .superRefine((items, { addIssue }) => {
      for (const item of items) if (!isValid(item)) addIssue(`${message}, not ${item}`)
    })
}

/** Rejects short keys and keys copied from an example, which everyone knows. */
export function isRandomKey(key: string) {
  return key.length >= 32 && new Set(key).size > 8 && !/change|example|secret|sample|password/i.test(key)
}

/** Returns the domain of the default sender address. An IP address is not a valid email domain, so it becomes localhost. */
function getDefaultMailDomain(publicUrl: string) {
  const { hostname } = new URL(publicUrl)
  return isIPv4(hostname) || hostname.startsWith('[') ? 'localhost' : hostname
}

/** Parses `Name <address>` or a bare address. */
function parseSender(from: string) {
  const [, name = '', address = from] = /^([^\p{Cc}<>"]+) <([^<>]+)>$/u.exec(from.trim()) ?? []
  return { name, address: address.trim() }
}

function isOrigin(origin: string) {
  return URL.parse(origin)?.origin === origin
}

function isWebAddress(url: string) {
  const { protocol, username, password, pathname, search, hash } = URL.parse(url) ?? {}
  // The URL is shown to users, so it must not contain a password.
  return (protocol === 'https:' || protocol === 'http:') && pathname === '/' && !username && !password && !search && !hash
}

/** Accepts an address or a CIDR range. Rejects IPv4-mapped IPv6: `::ffff:10.0.0.0/8` looks private but covers all of IPv4. */
function isNetwork(network: string) {
  const [address = '', prefix, ...rest] = network.split('/')
  const bits = isIPv4(address) ? 32 : isIPv6(address) && !/^::ffff:/i.test(address) ? 128 : 0
  const isValidPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bits)
  return bits > 0 && isValidPrefix && rest.length === 0
}
