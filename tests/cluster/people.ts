import { setTimeout as wait } from 'node:timers/promises'
import { type Found, SetHistory } from '../faults/history.ts'
import type { Person } from '../faults/house.ts'
import { shareLinks } from '../faults/links.ts'
import type { Random } from '../faults/random.ts'
import { callApi } from '../support/call.ts'
import { digest, enter, openClient } from '../support/client.ts'
import { runConcurrently } from '../support/in-turns.ts'
import { admin } from '../support/start-neptune.ts'
import { act, compare, type Desk, goOn, put, type Worker } from './people-deeds.ts'

/**
 * Twelve people at work at one address, for as long as one likes: they upload, by one request or in pieces, download and compare, delete,
 * restore, share, and look at what there is. What they did and were told is written down, to be judged in the end.
 */
export async function gatherPeople(url: string, random: Random) {
  const { staff, company, directory, colleagues } = await hireColleagues(url)
  const { tell, takeTold } = countAnswers()
  const call: Desk['call'] = async (method, path, body, headers = staff) => {
    const answer = await callApi(url, method, path, headers, body)
    tell(answer?.status)
    return answer
  }
  const links = shareLinks({ company, directory, call })
  const desk: Desk = { url, directory, history: new SetHistory(), wrong: [], tell, call, links }
  const people = Array.from({ length: 12 }, (_, i): Worker => {
    const person = colleagues[i % colleagues.length] as Person
    return { name: `client-${i}`, person, chance: random.fork(), client: openClient(url, person.headers), files: [] }
  })

  return {
    history: desk.history,
    wrong: desk.wrong,
    links,

    /** Until somebody says that it is enough; then what came in pieces and was cut goes on. */
    async work(isOver: () => boolean) {
      await Promise.all(
        people.map(async (worker) => {
          for (let count = 0; !isOver(); count++) {
            await act(desk, worker, count)
            await wait(worker.chance.between(0, 300))
          }
        }),
      )
      for (let tries = 0; tries < 5; tries++)
        await Promise.all(people.flatMap(({ client, files }) => files.map((file) => goOn(desk, file, client, 20_000_000))))
    },

    /** What people were told since this was last asked. */
    takeTold,

    /** Whether somebody who comes now can upload, see and download. */
    async isWhole(name: string): Promise<boolean> {
      using client = openClient(url, staff, { keepAlive: false })
      const file = await put(desk, client, name, random.bytes(10_000))
      if (file.entry.outcome !== 'ok') return false
      const listed = await client.send('GET', '/v1/file?limit=1')
      return listed?.status === 200 && compare(desk, file, staff)
    },

    found: () => foundAt(url, staff),
    [Symbol.dispose]() {
      for (const { client } of people) client[Symbol.dispose]()
    },
  }
}

/** The admin's header, a directory, and four more admins. */
async function hireColleagues(url: string) {
  const { headers: staff, company } = await enter(url, admin)
  using boss = openClient(url, staff)
  const { id: directory = '' } = await boss.data('POST', '/v1/directory', { directory: 'Plans', client: company })
  const colleagues: Person[] = []
  for (const name of ['ada', 'ben', 'cleo', 'dan']) {
    const who = { email: `${name}@acme.example`, password: `${admin.password} of ${name}` }
    await boss.data('POST', '/v1/admin/user', { name, company, role: 'NEPTUNE_ADMIN', ...who })
    colleagues.push({ ...who, headers: (await enter(url, who)).headers })
  }
  return { staff, company, directory, colleagues }
}

/** How often each status was answered, `broken` where none was, since somebody last asked. */
function countAnswers() {
  let told = new Map<string, number>()
  return {
    tell(status: number | undefined) {
      const key = status === undefined ? 'broken' : String(status)
      told.set(key, (told.get(key) ?? 0) + 1)
      return status
    },
    takeTold() {
      const text = [...told].toSorted(([a], [b]) => a.localeCompare(b)).map(([status, count]) => `${count} × ${status}`)
      told = new Map()
      return text.join(', ')
    },
  }
}

/** Every file that is there, with the sum of the bytes that come down; what is in the trash is left to the scrub. */
async function foundAt(url: string, staff: Record<string, string>): Promise<Found[]> {
  const listed = (await rowsAt(url, staff, '')).map((row) => async (): Promise<Found> => {
    const reply = await fetch(`${url}/v1/file/${row.id}`, { headers: staff })
    const sha256 = reply.ok ? digest(new Uint8Array(await reply.arrayBuffer())) : `answered ${reply.status}`
    return { name: row.file_name, sha256, place: 'listed' }
  })
  const trash = (await rowsAt(url, staff, '&trash=true')).map(
    ({ file_name, sha256 }): Found => ({ name: file_name, sha256, place: 'trash' }),
  )
  return [...(await runConcurrently(6, listed)), ...trash]
}

async function rowsAt(
  url: string,
  staff: Record<string, string>,
  query: string,
): Promise<{ id: string; file_name: string; sha256: string }[]> {
  using client = openClient(url, staff)
  const all = []
  for (let cursor = ''; ; ) {
    const reply = await client.send('GET', `/v1/file?limit=200${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    const page = JSON.parse(reply?.text ?? '')
    all.push(...page.data)
    cursor = page.next ?? ''
    if (cursor === '') return all
  }
}
