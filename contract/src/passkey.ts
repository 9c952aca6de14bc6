import * as z from 'zod/mini'
import { Flag, Id, Instant, Name, text } from './common.ts'
import { endpoint } from './endpoint.ts'
import { Session, sessionCookie } from './session.ts'

/** How many passkeys a user can have. */
export const maxPasskeys = 20

/** A passkey. It works only on the host that it was created for. */
export const PasskeyRow = z.object({
  id: Id,
  name: z.string(),
  created_at: Instant,
  last_used_at: z.nullable(Instant),
  /** The host of the PUBLIC_URL that the passkey was created with. Browsers offer it only there. */
  host: z.string(),
  /** Whether `host` is still the host of PUBLIC_URL. */
  works: z.boolean(),
})
export type PasskeyRow = z.infer<typeof PasskeyRow>

/** Whether this server can use passkeys: browsers require https (or localhost), and a host name instead of an IP address. */
const availability = {
  available: z.boolean(),
  /** Why passkeys are not available. Null if they are. */
  reason: z.nullable(z.enum(['not_https', 'ip_address'])),
  /** The host of PUBLIC_URL, to which new passkeys belong. */
  host: z.string(),
}

/** Bytes as WebAuthn encodes them in JSON: base64url without padding. */
const base64url = (max: number) =>
  z
    .string({ error: ({ input }) => (input === undefined ? 'This field is missing.' : 'This must be text.') })
    .check(z.maxLength(max, `This must have at most ${max} characters.`), z.regex(/^[\w-]+$/, 'This must be base64url.'))

/** WebAuthn allows at most 1023 bytes. */
const CredentialId = base64url(1364)
const ClientData = base64url(4096)

const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

const Descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.exactOptional(z.array(z.enum(transports))),
})

/** `PublicKeyCredentialCreationOptionsJSON`, for `navigator.credentials.create`. */
const CreationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  /** The passkeys that the user already has. */
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})

/** `PublicKeyCredentialRequestOptionsJSON`, for `navigator.credentials.get`. */
const RequestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
  /** The user’s passkeys, if the server knows the user. Otherwise the browser offers all passkeys that it has for this host. */
  allowCredentials: z.exactOptional(z.array(Descriptor)),
})

/** Other fields that browsers send, such as the results of extensions, are ignored. */
const credential = { id: CredentialId, rawId: CredentialId, type: z.literal('public-key') }

/** `RegistrationResponseJSON`, from `navigator.credentials.create`. */
const RegistrationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: ClientData,
    attestationObject: base64url(16_384),
    transports: z.optional(z.array(text(32)).check(z.maxLength(10))),
  }),
})

/** `AuthenticationResponseJSON`, from `navigator.credentials.get`. */
const AuthenticationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: ClientData,
    authenticatorData: base64url(4096),
    signature: base64url(4096),
    /** Empty or missing if the authenticator stores no user with the passkey. */
    userHandle: z.optional(z.nullable(z.union([z.literal(''), base64url(88)]))),
  }),
})

const own = { access: 'staff', isForEnrollment: true } as const
const requestOptions = z.object({ data: RequestOptions })

export const passkey = {
  list: endpoint({
    ...own,
    method: 'GET',
    path: '/v1/identity/passkey',
    summary: 'List your own passkeys, newest first, and whether this server can use passkeys',
    reply: z.object({ data: z.object({ ...availability, passkeys: z.array(PasskeyRow) }) }),
  }),
  startRegistration: endpoint({
    ...own,
    isSensitive: true,
    method: 'POST',
    path: '/v1/identity/passkey/registration',
    summary: 'Start adding a passkey: get the options for navigator.credentials.create, which are valid for ten minutes',
    reply: z.object({ data: CreationOptions }),
    errors: ['passkey.unavailable', 'passkey.too_many'],
  }),
  register: endpoint({
    ...own,
    isSensitive: true,
    method: 'POST',
    path: '/v1/identity/passkey',
    summary: 'Add the passkey that the browser has created. Returns recovery codes if this is your first second factor',
    body: z.strictObject({ name: Name, response: RegistrationResponse }),
    reply: z.object({
      data: z.object({ passkey: PasskeyRow, recovery_codes: z.optional(z.array(z.string())) }),
    }),
    errors: ['passkey.unavailable', 'passkey.wrong_address', 'passkey.too_many', 'passkey.exists', 'passkey.invalid'],
  }),
  rename: endpoint({
    ...own,
    method: 'PATCH',
    path: '/v1/identity/passkey/{id}',
    summary: 'Rename one of your own passkeys',
    params: z.strictObject({ id: Id }),
    body: z.strictObject({ name: Name }),
    reply: z.object({ data: PasskeyRow }),
    errors: ['passkey.not_found'],
  }),
  remove: endpoint({
    ...own,
    isSensitive: true,
    method: 'DELETE',
    path: '/v1/identity/passkey/{id}',
    summary: 'Remove one of your own passkeys',
    params: z.strictObject({ id: Id }),
    reply: 'none',
    errors: ['passkey.not_found', 'factor.required', 'provider.last_way_in'],
  }),
  signInOptions: endpoint({
    method: 'POST',
    path: '/v1/identity/passkey/options',
    access: 'public',
    summary: 'Start a sign-in with a passkey: get the options for navigator.credentials.get, which are valid for ten minutes',
    body: z.strictObject({
      /** From the error `session.second_factor`, to complete that sign-in. */
      challenge: z.optional(text(100)),
    }),
    reply: requestOptions,
    errors: ['passkey.unavailable', 'passkey.not_found', 'session.challenge_ended'],
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/v1/identity/passkey/sign-in',
    access: 'public',
    summary: 'Sign in with a passkey, or complete a sign-in that needs a second factor',
    body: z.strictObject({
      response: AuthenticationResponse,
      /** Only without `challenge`. */
      remember: z.optional(Flag),
      /** From the error `session.second_factor`, the same as for the options. */
      challenge: z.optional(text(100)),
      /** Only with `challenge`: whether this browser needs only the password from now on, for as long as the settings allow. */
      trust: z.optional(Flag),
    }),
    reply: Session,
    replyHeaders: sessionCookie,
    errors: [
      'passkey.unavailable',
      'passkey.wrong_address',
      'session.challenge_ended',
      'session.wrong_passkey',
      'session.too_many_tries',
    ],
  }),
  confirmOptions: endpoint({
    ...own,
    method: 'POST',
    path: '/v1/identity/passkey/confirm/options',
    summary: 'Start confirming your identity: get the options for navigator.credentials.get, with your own passkeys',
    reply: requestOptions,
    errors: ['passkey.unavailable', 'passkey.not_found'],
  }),
  confirm: endpoint({
    ...own,
    method: 'POST',
    path: '/v1/identity/passkey/confirm',
    summary: 'Confirm your identity with a passkey, as POST /v1/identity/confirm does with a password',
    body: z.strictObject({ response: AuthenticationResponse }),
    reply: 'none',
    errors: ['passkey.unavailable', 'passkey.wrong_address', 'session.wrong_passkey', 'session.too_many_tries'],
  }),
  status: endpoint({
    method: 'GET',
    path: '/v1/admin/passkey',
    access: 'admin',
    summary: 'Get whether this server can use passkeys, and how many no longer work because PUBLIC_URL has another host',
    reply: z.object({
      data: z.object({
        ...availability,
        /** How many users have passkeys for the current host, and how many passkeys these are. */
        working: z.object({ passkeys: z.int(), users: z.int() }),
        /** The same for passkeys that don’t work, by host. They work again when PUBLIC_URL is https:// with this host. */
        elsewhere: z.array(z.object({ host: z.string(), passkeys: z.int(), users: z.int() })),
      }),
    }),
  }),
}
