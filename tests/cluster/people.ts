import { setTimeout as wait } from 'node:timers/promises'
import { type FoundFile, UploadHistory } from '../faults/history.ts'
import { makeLinkWorkload } from '../faults/link-workload.ts'
import type { Random } from '../faults/random.ts'
import type { Person } from '../faults/test-server.ts'
import { callApi } from '../support/call-api.ts'
import { authenticate, digest, openClient } from '../support/client.ts'
import { runConcurrently } from '../support/run-concurrently.ts'
import { admin } from '../support/start-neptune.ts'
import { act, type Context, compareDownload, resumeUpload, type SimulatedPerson, uploadWithPut } from './people-actions.ts'

/**
 * Simulates twelve people at one URL who upload (with PUT or tus), download and compare, delete, restore, share and list. Records what
 * they did and which responses they got, to be checked at the end.
 */
export async function simulatePeople(url: string, random: Random) {
  const { staff, company, directory, colleagues } = await addColleagues(url)
  const { countStatus, takeStatuses } = makeStatusCounter()
  const call: Context['call'] = async (method, path, body, headers = staff) => {
    const response = await callApi(url, method, path, headers, body)
    countStatus(response?.status)
    return response
  }
  const links = makeLinkWorkload({ company, directory, call })
  const context: Context = { url, directory, history: new UploadHistory(), violations: [], countStatus, call, links }
  const people = Array.from({ length: 12 }, (_, i): SimulatedPerson => {
    const person = colleagues[i % colleagues.length] as Person
    return { name: `client-${i}`, person, random: random.fork(), client: openClient(url, person.headers), files: [] }
  })

  return {
    history: context.history,
    violations: context.violations,
    links,

    /** Runs the load until `isOver`, then resumes interrupted tus uploads. */
    async work(isOver: () => boolean) {
      await Promise.all(
        people.map(async (simulated) => {
          for (let count = 0; !isOver(); count++) {
            await act(context, simulated, count)
            await wait(simulated.random.between(0, 300))
          }
        }),
      )
      for (let attempt = 0; attempt < 5; attempt++)
        await Promise.all(
          people.flatMap(({ client, files }) => files.map((file) => resumeUpload(context, file, client, 20_000_000))),
        )
    },

    /** Returns the counts of response statuses since the last call. */
    takeStatuses,

    /** Returns whether a new client can upload, list and download now. */
    async isWorking(name: string): Promise<boolean> {
      using client = openClient(url, staff, { keepAlive: false })
      const file = await uploadWithPut(context, client, name, random.bytes(10_000))
      if (file.entry.outcome !== 'ok') return false
      const listed = await client.send('GET', '/v1/file?limit=1')
      return listed?.status === 200 && compareDownload(context, file, staff)
    },

    findFiles: () => listFiles(url, staff),
    [Symbol.dispose]() {
      for (const { client } of people) client[Symbol.dispose]()
    },
  }
}

/** Signs in as the admin, and creates a directory and four more admins. */
async function addColleagues(url: string) {
  const { headers: staff, company } = await authenticate(url, admin)
  using adminClient = openClient(url, staff)
  const { id: directory = '' } = await adminClient.requestData('POST', '/v1/directory', { directory: 'Plans', client: company })
  const colleagues: Person[] = []
  for (const name of ['ada', 'ben', 'cleo', 'dan']) {
    const credentials = { email: `${name}@acme.example`, password: `${admin.password} of ${name}` }
    await adminClient.requestData('POST', '/v1/admin/user', { name, company, role: 'NEPTUNE_ADMIN', ...credentials })
    colleagues.push({ ...credentials, headers: (await authenticate(url, credentials)).headers })
  }
  return { staff, company, directory, colleagues }
}

/** Counts responses by status since the last `takeStatuses`, with `broken` for no response. */
function makeStatusCounter() {
  let counts = new Map<string, number>()
  return {
    countStatus(status: number | undefined) {
      const key = status === undefined ? 'broken' : String(status)
      counts.set(key, (counts.get(key) ?? 0) + 1)
      return status
    },
    takeStatuses() {
      const text = [...counts].toSorted(([a], [b]) => a.localeCompare(b)).map(([status, count]) => `${count} × ${status}`)
      counts = new Map()
      return text.join(', ')
    },
  }
}

/** Returns every file with the hash of its downloaded bytes or, if it is in the trash, its recorded hash: the scrub checks those bytes. */
async function listFiles(url: string, staff: Record<string, string>): Promise<FoundFile[]> {
  const listed = (await fetchRows(url, staff, '')).map((row) => async (): Promise<FoundFile> => {
    const reply = await fetch(`${url}/v1/file/${row.id}`, { headers: staff })
    const sha256 = reply.ok ? digest(new Uint8Array(await reply.arrayBuffer())) : `status ${reply.status}`
    return { name: row.file_name, sha256, place: 'listed' }
  })
  const trash = (await fetchRows(url, staff, '&trash=true')).map(
    ({ file_name, sha256 }): FoundFile => ({ name: file_name, sha256, place: 'trash' }),
  )
  return [...(await runConcurrently(6, listed)), ...trash]
}

async function fetchRows(
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
