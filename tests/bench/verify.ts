import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { admin, startNeptune } from '../support/start-neptune.ts'

/**
 * How many access codes a second: right ones, each counted by the throttle and each beginning a visit. The load comes from this same
 * machine: `npm run bench:verify [seconds] [connections]`.
 */
const [seconds, connections] = [Number(process.argv[2] ?? 10), Number(process.argv[3] ?? 16)]
const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, LOG_LEVEL: 'error' }

await using neptune = await startNeptune(settings)
const headers: Record<string, string> = { 'content-type': 'application/json' }
const call = async (method: string, path: string, body?: object) => {
  const reply = await fetch(neptune.url + path, { method, headers, body: body ? JSON.stringify(body) : null })
  return reply.json()
}
headers['authorization'] = `Bearer ${(await call('POST', '/v1/identity/login', admin)).token}`
const company = (await call('GET', '/v1/admin/company')).data[0].id
const directory = (await call('POST', '/v1/directory', { directory: 'Plans', client: company })).data.id
const { key, accessCode } = (await call('POST', '/v1/link/initialise', { company, directory })).data
const expiry = new Date(Date.now() + 24 * 60 * 60_000).toISOString()
await call('POST', '/v1/link', { linkType: 'LINK_DIRECTORY', directory, key, accessCode, expiry })

const agent = new Agent({ keepAlive: true, maxSockets: connections })
const body = JSON.stringify({ accessKey: key, accessCode })
const verify = () =>
  new Promise<boolean>((resolve, reject) => {
    const sent = request(
      `${neptune.url}/v1/link/verify`,
      { method: 'POST', agent, headers: { 'content-type': 'application/json', 'content-length': body.length } },
      (reply) => {
        let text = ''
        reply.setEncoding('utf8').on('data', (part) => {
          text += part
        })
        reply.on('end', () => resolve(text.includes('"validation":true') && text.includes('npl_')))
      },
    )
    sent.on('error', reject).end(body)
  })

const times: number[] = []
let wrong = 0
const run = async (until: number) => {
  while (performance.now() < until) {
    const begun = performance.now()
    if (!(await verify())) wrong++
    times.push(performance.now() - begun)
  }
}
await Promise.all(Array.from({ length: connections }, () => run(performance.now() + 2000))) // to be warm
times.length = 0
/** CPU time of the server so far, in ms: it holds on a busy machine, where the rate does not. Linux alone tells it. */
const cpu = () => {
  const fields = readFileSync(`/proc/${neptune.process.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}
const cpuBefore = cpu()
const begun = performance.now()
await Promise.all(Array.from({ length: connections }, () => run(performance.now() + seconds * 1000)))
const rate = times.length / ((performance.now() - begun) / 1000)
const sorted = times.toSorted((a, b) => a - b)
const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
process.stdout.write(
  `${connections} connections, ${seconds} s: ${rate.toFixed(0)} verified a second, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, ${((cpu() - cpuBefore) / times.length).toFixed(2)} CPU-ms each, ${wrong} wrong\n`,
)
agent.destroy()
