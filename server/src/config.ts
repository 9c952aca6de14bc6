import { isIPv4, isIPv6 } from 'node:net'
import { resolve } from 'node:path'
import * as z from 'zod'

const minutes = (standard: number) => z.coerce.number().int().min(1).max(6_000_000).default(standard)

/** Every setting, in the order of the README. The names and defaults there are checked against this schema by a test. */
export const Env = z.object({
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on. Beyond this machine it needs PUBLIC_URL.'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000).describe('Port to listen on; 0 picks a free one.'),
  PUBLIC_URL: z
    .string()
    .refine(isWebAddress, 'must be an http:// or https:// address without a path')
    .transform((url) => new URL(url).origin)
    .optional()
    .describe('The address people use. Letters and links are built from it alone.'),
  DATA_DIR: z.string().min(1).default('./data').describe('Folder for the database, the files and the secret key.'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional()
    .describe('A PostgreSQL database, for more than one node. SQLite in DATA_DIR without it.'),
  SECRET_KEY: z
    .string()
    .min(32, 'must have at least 32 random characters')
    .refine(
      (key) => new Set(key).size > 8 && !/change|example|secret|sample|password/i.test(key),
      'looks like a sample value; make a random one',
    )
    .optional()
    .describe('The master secret. Made on the first run in DATA_DIR/secret.key without it.'),
  ADMIN_EMAIL: z
    .email('must be an e-mail address')
    .default('admin@neptune.local')
    .transform((email) => email.toLowerCase())
    .describe('E-mail of the first admin. Used on the first run only.'),
  ADMIN_PASSWORD: z
    .string()
    .min(12, 'must have at least 12 characters')
    .max(1024)
    .refine((password) => !/\p{Cc}/u.test(password), 'must not contain control characters')
    .optional()
    .describe('Password of the first admin. Random and printed once without it.'),
  SESSION_MINUTES: minutes(6_000_000).describe('A session ends after this long, whatever happens.'),
  SESSION_IDLE_MINUTES: minutes(12 * 60).describe('A session ends after this long without a request.'),
  SESSION_REMEMBERED_IDLE_MINUTES: minutes(30 * 24 * 60).describe('The same with “Remember me”.'),
  CORS_ORIGINS: list(
    (origin) => URL.canParse(origin) && new URL(origin).origin === origin,
    'must be origins such as https://app.example.com',
  ).describe('Web origins, separated by commas, that may call the API from a browser. None by default.'),
  TRUST_PROXY: list(isNetwork, 'must be addresses or networks such as 10.0.0.0/8').describe(
    'Addresses or networks, separated by commas, whose X-Forwarded-For is believed. None by default.',
  ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('How much is logged: fatal, error, warn, info, debug or silent.'),
})

export type Config = ReturnType<typeof readConfig>

/** The only reader of the environment. A wrong setting stops the start with every fault named at once. */
export function readConfig(environment: Record<string, string | undefined>) {
  // An empty variable is how shells and compose files spell "not set".
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const { data: env, error } = Env.check(refuseOpenWithoutAddress).safeParse(given)
  if (error) throw new ConfigError(error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`))
  const dataDir = resolve(env.DATA_DIR)
  return {
    host: env.HOST,
    port: env.PORT,
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    dataDir,
    databaseUrl: env.DATABASE_URL ?? `sqlite:${resolve(dataDir, 'neptune.db')}`,
    secretKey: env.SECRET_KEY,
    adminEmail: env.ADMIN_EMAIL,
    adminPassword: env.ADMIN_PASSWORD,
    sessionMinutes: env.SESSION_MINUTES,
    sessionIdleMinutes: env.SESSION_IDLE_MINUTES,
    sessionRememberedIdleMinutes: env.SESSION_REMEMBERED_IDLE_MINUTES,
    corsOrigins: env.CORS_ORIGINS,
    trustProxy: env.TRUST_PROXY,
    logLevel: env.LOG_LEVEL,
  }
}

/** Settings that cannot be used, each fault in a sentence. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  constructor(faults: string[]) {
    super(`Settings are not valid: ${faults.join('; ')}.`)
  }
}

/** Without PUBLIC_URL a server open to others would build its links from what strangers send. */
function refuseOpenWithoutAddress({ value: env, issues }: z.core.ParsePayload<z.output<typeof Env>>) {
  const isLoopback = env.HOST === 'localhost' || env.HOST === '::1' || (isIPv4(env.HOST) && env.HOST.startsWith('127.'))
  if (isLoopback || env.PUBLIC_URL) return
  issues.push({
    code: 'custom',
    input: env.HOST,
    path: ['PUBLIC_URL'],
    message: `must be set when HOST is ${env.HOST}, beyond this machine`,
  })
}

function list(isValid: (item: string) => boolean, message: string) {
  return z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    )
    .refine((items) => items.every(isValid), message)
}

function isWebAddress(url: string) {
  const { protocol, pathname, search, hash } = URL.parse(url) ?? {}
  return (protocol === 'https:' || protocol === 'http:') && pathname === '/' && !search && !hash
}

/** IPv4 written as IPv6 is refused: `::ffff:10.0.0.0/8` reads as a private network and trusts the whole of IPv4. */
function isNetwork(network: string) {
  const [address = '', prefix, ...rest] = network.split('/')
  const bits = isIPv4(address) ? 32 : isIPv6(address) && !/^::ffff:/i.test(address) ? 128 : 0
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bits)
  return bits > 0 && isPrefix && rest.length === 0
}
