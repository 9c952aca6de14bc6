import { hiddenPassword, type Settings } from '@neptune/contract'
import { type Keys, seal, unseal } from '../../lib/secrets.ts'

type Server = Pick<Settings['email'], 'smtp_host' | 'smtp_port' | 'smtp_security' | 'smtp_user'>

/** The fields that say to whom the password is sent. */
const serverFields = ['smtp_host', 'smtp_port', 'smtp_security', 'smtp_user'] as const

export const isSameServer = (one: Server, other: Server) => serverFields.every((field) => one[field] === other[field])

/**
 * Encrypts the password of a mail server. It can be decrypted for the same server and user only: someone who can write to the database,
 * but doesn't have the secret key, can't make Neptune send the password to another server.
 */
export const sealPassword = ({ seal: key }: Keys, server: Server, password: string) => seal(key, describe(server), password)

/** Decrypts a password. Throws if it belongs to another server or user. */
export const unsealPassword = ({ seal: key }: Keys, server: Server, sealed: string) => unseal(key, describe(server), sealed)

const describe = (server: Server) => JSON.stringify(['setting', 'email', ...serverFields.map((field) => server[field])])

/** Replaces the sealed password among stored values. */
export const hidePassword = (stored: Readonly<Record<string, unknown>>) =>
  typeof stored['smtp_password'] === 'string' ? { ...stored, smtp_password: hiddenPassword } : stored
