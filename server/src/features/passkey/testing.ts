import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { startTestServer, toBearerHeader } from '../../testing.ts'
import { writeQueuedEntries } from '../audit/audit.service.ts'

export const email = 'kim@acme.example'
export const origin = 'http://localhost:3000'

type Server = Awaited<ReturnType<typeof startTestServer>>
type Headers = Record<string, string>

interface Options {
  challenge: string
  rp?: { id: string }
  rpId?: string
  user?: { id: string }
}

/** The ways in which a browser or a passkey device deviates from the specification. */
export interface Deviation {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  crossOrigin?: boolean
  topOrigin?: string
  isPresent?: boolean
  isVerified?: boolean
  counter?: number
  userHandle?: string | null
  signature?: string
  id?: string
  format?: string
  statement?: Map<string, unknown>
}

const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data).digest()

interface State {
  id: string
  keys: ReturnType<typeof createKeys>
  userHandle: string
  /** Undefined if the passkey doesn't count its uses. */
  counter: number | undefined
}

const createKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

export type PasskeyDevice = ReturnType<typeof createPasskeyDevice>

/**
 * Creates a device with one passkey, and the browser that it is plugged into. WebAuthn calls such a device an authenticator. With
 * `isCounting`, it counts its uses. Most passkeys don't, because they are synchronized between devices.
 */
export const createPasskeyDevice = ({ isCounting = false } = {}) =>
  connect({ id: encode(randomBytes(32)), keys: createKeys(), userHandle: '', counter: isCounting ? 0 : undefined })

function connect(state: State) {
  const describe = ({ id = state.id }: Deviation) => ({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    authenticatorAttachment: 'platform',
  })

  return {
    id: state.id,
    /** Returns a device with the same passkey. From now on, each counts its own uses. */
    copy: () => connect({ ...state }),
    /** Does what `navigator.credentials.create` does. */
    create({ challenge, rp, user }: Options, deviation: Deviation = {}) {
      state.userHandle = user?.id ?? ''
      const attestation = new Map<string, unknown>([
        ['fmt', deviation.format ?? 'none'],
        ['attStmt', deviation.statement ?? new Map()],
        ['authData', buildAuthenticatorData(state, rp?.id ?? '', deviation, encodeCredential(state))],
      ])
      return {
        ...describe(deviation),
        response: {
          clientDataJSON: buildClientData('webauthn.create', challenge, deviation),
          attestationObject: encode(isoCBOR.encode(attestation as never)),
          transports: ['internal', 'hybrid', 'made-up'],
        },
      }
    },
    /** Does what `navigator.credentials.get` does. */
    get({ challenge, rpId }: Options, deviation: Deviation = {}) {
      if (state.counter !== undefined) state.counter++
      const authenticatorData = buildAuthenticatorData(state, rpId ?? '', deviation)
      const clientDataJSON = buildClientData('webauthn.get', challenge, deviation)
      const signed = Buffer.concat([authenticatorData, sha256(Buffer.from(clientDataJSON, 'base64url'))])
      return {
        ...describe(deviation),
        response: {
          clientDataJSON,
          authenticatorData: encode(authenticatorData),
          signature: deviation.signature ?? encode(sign('sha256', signed, state.keys.privateKey)),
          userHandle: deviation.userHandle === undefined ? state.userHandle : deviation.userHandle,
        },
      }
    },
  }
}

function buildAuthenticatorData(state: State, rpId: string, deviation: Deviation, credential?: Buffer): Uint8Array {
  const { isPresent = true, isVerified = true } = deviation
  const counter = Buffer.alloc(4)
  counter.writeUInt32BE(deviation.counter ?? state.counter ?? 0)
  const flags = (isPresent ? 0x01 : 0) | (isVerified ? 0x04 : 0) | (credential ? 0x40 : 0)
  const parts = [sha256(deviation.rpId ?? rpId), Buffer.from([flags]), counter, credential ?? Buffer.alloc(0)]
  return new Uint8Array(Buffer.concat(parts))
}

/** Encodes a new credential: its AAGUID, its id, and its public key as a COSE key (EC2, ES256, P-256). */
function encodeCredential({ id, keys }: State): Buffer {
  const idBytes = Buffer.from(id, 'base64url')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(idBytes.length)
  const { x = '', y = '' } = keys.publicKey.export({ format: 'jwk' })
  const toBytes = (coordinate: string) => new Uint8Array(Buffer.from(coordinate, 'base64url'))
  const key = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, toBytes(x)],
    [-3, toBytes(y)],
  ])
  return Buffer.concat([Buffer.alloc(16), length, idBytes, isoCBOR.encode(key as never)])
}

function buildClientData(type: string, challenge: string, deviation: Deviation) {
  const { crossOrigin = false, topOrigin } = deviation
  const data = { type: deviation.type ?? type, challenge: deviation.challenge ?? challenge, origin: deviation.origin ?? origin }
  return encode(Buffer.from(JSON.stringify({ ...data, crossOrigin, ...(topOrigin && { topOrigin }) })))
}

/** Starts a test server with Kim, who is signed in with a password. */
export async function startWithKim(
  environment?: Record<string, string>,
  role: 'NEPTUNE_USER' | 'NEPTUNE_ADMIN' = 'NEPTUNE_USER',
) {
  const server = await startTestServer(environment)
  const userId = await server.addUser({ email, role })
  const kim = await server.startSessionAs(email)
  return { ...server, ...createPasskeyHelpers(server), userId, kim }
}

function createPasskeyHelpers({ app }: Server) {
  const post = (url: string, payload: object | undefined, headers: Headers = {}) =>
    app.inject({ method: 'POST', url: `/v1/identity/passkey${url}`, headers, ...(payload && { payload }) })
  const startRegistration = async (headers: Headers) => (await post('/registration', undefined, headers)).json().data
  const register = async (headers: Headers, key: PasskeyDevice, name = 'Phone', deviation?: Deviation) =>
    post('', { name, response: key.create(await startRegistration(headers), deviation) }, headers)
  const getOptions = async (challenge?: string) => (await post('/options', { challenge })).json().data
  const sendResponse = (response: object, more: object = {}, headers?: Headers) =>
    post('/sign-in', { response, ...more }, headers)
  return {
    post,
    startRegistration,
    register,
    /** Adds a passkey, which must succeed. Returns its device and the reply. */
    async addPasskey(headers: Headers, name = 'Phone', key = createPasskeyDevice()) {
      const reply = await register(headers, key, name)
      if (reply.statusCode !== 200) throw new Error(reply.body)
      return { key, ...(reply.json().data as { passkey: { id: string }; recovery_codes?: string[] }) }
    },
    getOptions,
    sendResponse,
    signInWith: async (
      key: PasskeyDevice,
      deviation?: Deviation,
      more: { challenge?: string; remember?: boolean; trust?: boolean } = {},
    ) => sendResponse(key.get(await getOptions(more.challenge), deviation), more),
    list: async (headers: Headers) => (await app.inject({ url: '/v1/identity/passkey', headers })).json().data,
    getUser: async (token: string) => (await app.inject({ url: '/v1/identity', headers: toBearerHeader(token) })).json().data,
  }
}

/** Requires a second factor of these people, at once. */
export const setPolicy = async ({ app, deps }: Server, headers: Headers, second_factor: 'nobody' | 'admins' | 'everyone') => {
  const { version = 0 } =
    (await deps.db.selectFrom('setting').select('version').where('section', '=', 'security').executeTakeFirst()) ?? {}
  const payload = { version, values: { second_factor } }
  const reply = await app.inject({ method: 'PATCH', url: '/v1/admin/settings/security', headers, payload })
  if (reply.statusCode !== 200) throw new Error(reply.body)
}

/** Returns all audit entries. */
export async function listAuditEntries({ deps }: Server) {
  await writeQueuedEntries(deps)
  return deps.db.selectFrom('audit').select(['action', 'outcome', 'who', 'name', 'note', 'client']).orderBy('seq').execute()
}
