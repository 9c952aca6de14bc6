import type { Random } from '../faults/random.ts'

/** Which kind of value a field, a parameter or a path segment holds. */
const kinds: Record<string, string> = {
  accessKey: 'link',
  client: 'company',
  company: 'company',
  cursor: 'cursor',
  directory: 'directory',
  directory_id: 'directory',
  email: 'email',
  expiry: 'date',
  expiresAt: 'date',
  file: 'file',
  files: 'file',
  from: 'instant',
  ids: 'file',
  key: 'link',
  keys: 'link',
  link: 'link',
  next: 'cursor',
  owner: 'user',
  password: 'password',
  person: 'user',
  targetEmail: 'email',
  to: 'email',
  token: 'token',
  url: 'url',
  user: 'user',
}

/** Values that calls have returned or that the server knows, by kind, so that generated calls reach real objects. */
export class KnownValues {
  readonly #values = new Map<string, string[]>()
  readonly #codes = new Map<string, string>()
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  add(kind: string, ...values: string[]) {
    const known = this.#values.get(kind) ?? []
    for (const value of values) if (!known.includes(value)) known.push(value)
    this.#values.set(kind, known.slice(-40))
  }

  /** Returns a value that fits a name in a call of `path`. */
  pick(name: string, path: string): string | undefined {
    const kind = findKind(name, path)
    const known = this.#values.get(kind ?? '') ?? []
    if (known.length === 0) return undefined
    // Prefers the newest, because older ones may be deleted by now.
    return this.#random.pick(this.#random.chance(0.6) ? known.slice(-4) : known)
  }

  /** Remembers the code of a link's key. */
  addCode(key: string, code: string) {
    this.add('link', key)
    this.#codes.set(key, code)
  }

  /** Returns a key with its code. */
  pickCode(): { key: string; code: string } | undefined {
    const key = this.#random.pick([...this.#codes.keys()].slice(-20))
    return key === undefined ? undefined : { key, code: this.#codes.get(key) ?? '' }
  }

  pickAny(): string | undefined {
    return this.#random.pick([...this.#values.values()].flat())
  }

  /** Remembers the ids, keys, cursors and addresses in a reply. */
  learn(path: string, value: unknown) {
    if (Array.isArray(value)) for (const item of value) this.learn(path, item)
    else if (value !== null && typeof value === 'object') {
      if ('key' in value && 'accessCode' in value) this.addCode(String(value.key), String(value.accessCode))
      for (const [name, field] of Object.entries(value)) {
        if (typeof field === 'string') this.#learnField(path, name, field)
        else this.learn(path, field)
      }
    }
  }

  #learnField(path: string, name: string, text: string) {
    const [, endpoint, ticket] = /^\/v1\/(thumbnail|download|preview|activity)\/(?:export\/)?([\w.~-]+)/.exec(text) ?? []
    if (endpoint && ticket) this.add(`${endpoint} ticket`, ticket)
    else if (name === 'id') this.add(findResource(path) ?? 'other', text)
    else if (['key', 'next', 'directory_id'].includes(name)) this.add(kinds[name] ?? 'other', text)
  }
}

/**
 * An id belongs to the resource in the path, a ticket works for one endpoint, and calls about directories use a directory's
 * name.
 */
function findKind(name: string, path: string): string | undefined {
  if (name === 'id') return findResource(path)
  if (name === 'ticket') return `${findResource(path)} ticket`
  return name === 'directory' && findResource(path) === 'directory' ? undefined : kinds[name]
}

/** `/v1/admin/user/{id}/token` is about users, `/v1/ask/{id}` about recipients' requests. */
const findResource = (path: string) => /^\/v1\/(?:admin\/|identity\/(?=session))?(\w+)/.exec(path)?.[1]
