import { setTimeout as wait } from 'node:timers/promises'
import { type Sent, SetHistory } from '../faults/history.ts'
import { type Answer, inTurns, type Person } from '../faults/house.ts'
import { shareLinks } from '../faults/links.ts'
import type { Random } from '../faults/random.ts'
import { type Client, digest, enter, openClient, type Reply } from '../support/client.ts'
import { admin } from '../support/start-neptune.ts'

/** A file of somebody's own: nobody else touches it. */
interface Own {
  entry: Sent
  id: string | undefined
  /** Of one in pieces: where to go on, and with what. */
  path: string
  bytes: Buffer | undefined
}

const busy = 409
/** When something breaks in the very moment of a commit, nobody knows whether it was made. */
const isUnknown = (status: number | undefined) => status === undefined || status >= 500

/**
 * Twelve people at work at one address, for as long as one likes: they upload, by one request or in pieces, download and compare, delete,
 * restore, share, and look at what there is. What they did and were told is written down, to be judged in the end.
 */
export async function gatherPeople(url: string, random: Random) {
  const { headers: staff, company } = await enter(url, admin)
  using boss = openClient(url, staff)
  const { id: directory = '' } = await boss.data('POST', '/v1/directory', { directory: 'Plans', client: company })
  const colleagues: Person[] = []
  for (const name of ['ada', 'ben', 'cleo', 'dan']) {
    const who = { email: `${name}@acme.example`, password: `${admin.password} of ${name}` }
    await boss.data('POST', '/v1/admin/user', { name, company, role: 'NEPTUNE_ADMIN', ...who })
    colleagues.push({ ...who, headers: (await enter(url, who)).headers })
  }

  const history = new SetHistory()
  /** What was wrong at once, without looking at the whole. */
  const wrong: string[] = []
  /** How often each status was answered, `broken` where none was, since somebody last asked. */
  let told = new Map<string, number>()
  const tell = (status: number | undefined) => {
    const key = status === undefined ? 'broken' : String(status)
    told.set(key, (told.get(key) ?? 0) + 1)
    return status
  }
  const links = shareLinks({ company, directory, call })

  async function call(method: string, path: string, body?: object, headers: Record<string, string> = staff) {
    try {
      const reply = await fetch(url + path, {
        method,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await reply.text()
      tell(reply.status)
      const isJson = reply.headers.get('content-type')?.includes('json')
      return { status: reply.status, headers: reply.headers, body: isJson ? JSON.parse(text) : text } satisfies Answer
    } catch {
      tell(undefined)
      return undefined
    }
  }

  const people = Array.from({ length: 12 }, (_, i) => {
    const person = colleagues[i % colleagues.length] as Person
    return { name: `client-${i}`, person, chance: random.fork(), client: openClient(url, person.headers), files: [] as Own[] }
  })
  type Worker = (typeof people)[number]

  function settle(entry: Sent, reply: Reply | undefined) {
    const status = tell(reply?.status)
    if (isUnknown(status)) return
    entry.outcome = status === 200 || status === 204 ? 'ok' : 'fail'
    if (entry.outcome === 'fail') wrong.push(`${entry.name} was refused: ${status} ${reply?.text}`)
  }

  async function put({ client }: { client: Client }, name: string, bytes: Buffer): Promise<Own> {
    const entry = history.invoke(name, digest(bytes), bytes.length)
    const reply = await client.put(directory, name, bytes)
    settle(entry, reply)
    return { entry, id: entry.outcome === 'ok' ? JSON.parse(reply?.text ?? '').data.id : undefined, path: '', bytes: undefined }
  }

  /** In pieces, of which any may come to another node. */
  async function tus({ client }: Worker, name: string, bytes: Buffer): Promise<Own | undefined> {
    const begun = await client.begin(directory, name, bytes.length)
    if (!isUnknown(tell(begun?.status)) && begun?.status !== 201)
      wrong.push(`${name} was not begun: ${begun?.status} ${begun?.text}`)
    const path = begun?.status === 201 ? begun.headers.location : undefined
    if (path === undefined) return undefined
    const file: Own = { entry: history.invoke(name, digest(bytes), bytes.length), id: undefined, path, bytes }
    await goOn(file, client, Math.ceil(bytes.length / 3))
    return file
  }

  async function goOn(file: Own, client: Client, piece: number) {
    const { entry, path, bytes } = file
    if (!bytes || entry.outcome !== 'info') return
    let reply = await client.stand(path)
    if (!isUnknown(tell(reply?.status)) && reply?.status !== 200 && reply?.status !== busy)
      wrong.push(`${entry.name} was begun, and cannot be gone on with: ${reply?.status}`)
    while (reply && (reply.status === 200 || reply.status === 204) && !reply.headers['neptune-file']) {
      const offset = Number(reply.headers['upload-offset'])
      reply = await client.patch(path, offset, bytes.subarray(offset, offset + piece))
      // 409: the piece that was cut is still being written. It is asked for again later.
      if (!isUnknown(tell(reply?.status)) && reply?.status !== 204 && reply?.status !== busy)
        wrong.push(`a piece of ${entry.name} was refused: ${reply?.status} ${reply?.text}`)
    }
    if (!reply || reply.status >= 300) return
    entry.outcome = 'ok'
    file.id = String(reply.headers['neptune-file'])
    file.bytes = undefined
  }

  /** A download is right, or it is seen to be none. */
  async function compare({ entry, id }: Own, { headers }: Person) {
    try {
      const reply = await fetch(`${url}/v1/file/${id}`, { headers })
      const sum = digest(new Uint8Array(await reply.arrayBuffer()))
      tell(reply.status)
      if (reply.ok && sum !== entry.sha256) wrong.push(`${entry.name} came down with ${reply.status} and other bytes`)
      if (reply.status >= 400 && reply.status < 500) wrong.push(`${entry.name} was not given: ${reply.status}`)
      return reply.ok
    } catch {
      tell(undefined)
      return false
    }
  }

  async function move(entry: Sent, to: 'listed' | 'trash', attempt: () => Promise<Answer | undefined>) {
    entry.place = 'either'
    const status = (await attempt())?.status
    if (status !== undefined && status < 300) entry.place = to
    // A node may die after it has deleted. nginx asks the other one then, which has nothing left to delete.
    else if (!isUnknown(status) && !(to === 'trash' && status === 404))
      wrong.push(`${entry.name} could not be moved (${to}): ${status}`)
  }

  async function use(worker: Worker, file: Own) {
    const { chance, client, person } = worker
    const { entry, id } = file
    if (entry.outcome === 'info') return goOn(file, client, 5_000_000)
    if (id === undefined || entry.outcome !== 'ok' || entry.place === 'either') return
    if (entry.place === 'trash')
      return move(entry, 'listed', () => call('POST', '/v1/file/restore', { ids: [id] }, person.headers))
    if (chance.chance(0.3)) return move(entry, 'trash', () => call('DELETE', `/v1/file/${id}`, undefined, person.headers))
    await compare(file, person)
  }

  /** Mostly small; some are more than one part at the store. */
  const body = (chance: Random) =>
    chance.bytes(chance.chance(0.04) ? chance.between(8_000_000, 20_000_000) : chance.between(0, 60_000))

  async function act(worker: Worker, count: number) {
    const { chance, files, person } = worker
    const name = `${worker.name}-${count}.bin`
    const deed = chance.between(1, 100)
    if (deed <= 25) files.push(await put(worker, name, body(chance)))
    else if (deed <= 45) {
      const file = await tus(worker, name, body(chance))
      if (file) files.push(file)
    } else if (deed <= 60) await links.act(chance, person)
    else if (deed <= 65) await call('GET', '/v1/stats', undefined, person.headers)
    else if (deed <= 70) await call('GET', '/v1/file?limit=50', undefined, person.headers)
    else if (files.length > 0) await use(worker, chance.pick(files))
  }

  async function rows(query: string): Promise<{ id: string; file_name: string; sha256: string }[]> {
    using client = openClient(url, staff)
    const all = []
    for (let cursor = ''; ; ) {
      const reply = await client.ask('GET', `/v1/file?limit=200${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      const page = JSON.parse(reply?.text ?? '')
      all.push(...page.data)
      cursor = page.next ?? ''
      if (cursor === '') return all
    }
  }

  return {
    history,
    wrong,
    links,

    /** Until somebody says that it is enough; then what came in pieces and was cut goes on. */
    async work(isOver: () => boolean) {
      await Promise.all(
        people.map(async (worker) => {
          for (let count = 0; !isOver(); count++) {
            await act(worker, count)
            await wait(worker.chance.between(0, 300))
          }
        }),
      )
      for (let tries = 0; tries < 5; tries++)
        await Promise.all(people.flatMap(({ client, files }) => files.map((file) => goOn(file, client, 20_000_000))))
    },

    /** What people were told since this was last asked. */
    takeTold() {
      const text = [...told].toSorted(([a], [b]) => a.localeCompare(b)).map(([status, count]) => `${count} × ${status}`)
      told = new Map()
      return text.join(', ')
    },

    /** Whether somebody who comes now can upload, see and download. */
    async isWhole(name: string): Promise<boolean> {
      using client = openClient(url, staff, { keepAlive: false })
      const file = await put({ client }, name, random.bytes(10_000))
      if (file.entry.outcome !== 'ok') return false
      const listed = await client.ask('GET', '/v1/file?limit=1')
      return listed?.status === 200 && compare(file, { ...admin, headers: staff })
    },

    /** Every file that is there, with the sum of the bytes that come down; what is in the trash is left to the scrub. */
    async found() {
      const listed = (await rows('')).map((row) => async () => {
        const reply = await fetch(`${url}/v1/file/${row.id}`, { headers: staff })
        const sha256 = reply.ok ? digest(new Uint8Array(await reply.arrayBuffer())) : `answered ${reply.status}`
        return { name: row.file_name, sha256, place: 'listed' as const }
      })
      const trash = (await rows('&trash=true')).map(({ file_name, sha256 }) => ({
        name: file_name,
        sha256,
        place: 'trash' as const,
      }))
      return [...(await inTurns(6, listed)), ...trash]
    },

    [Symbol.dispose]() {
      for (const { client } of people) client[Symbol.dispose]()
    },
  }
}
