import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { buildForm, type Office, openOffice } from '../features/link/testing.ts'
import { startTestServer, toBearerHeader, withoutRequestId } from '../testing.ts'
import { listenForMetrics } from './metrics.ts'

const token = 'a-token-of-more-than-20-chars'
const allowed = toBearerHeader(token)

/** Parses the Prometheus text format. Returns the samples by name and labels, and fails on malformed input. */
function parseSamples(text: string): Record<string, number> {
  expect(text.endsWith('\n')).toBe(true)
  const samples: Record<string, number> = {}
  const types = new Map<string, string>()
  for (const line of text.trimEnd().split('\n')) {
    const [, typed, type] = /^# TYPE (\w+) (counter|gauge|histogram)$/.exec(line) ?? []
    if (typed && type) {
      expect(types.has(typed), `${typed} twice`).toBe(false)
      types.set(typed, type)
    }
    if (line.startsWith('#')) {
      expect(line).toMatch(/^# (HELP \w+ .+|TYPE \w+ \w+)$/)
      continue
    }
    const [, sample = '', name = '', value] =
      /^((\w+)(?:\{\w+="(?:[^"\\\n]|\\.)*"(?:,\w+="(?:[^"\\\n]|\\.)*")*\})?) (-?[\d.e+-]+)$/.exec(line) ?? []
    expect(types.has(name) || types.get(name.replace(/_(bucket|sum|count)$/, '')) === 'histogram', line).toBe(true)
    expect(samples, line).not.toHaveProperty([sample])
    samples[sample] = Number(value)
  }
  return samples
}

async function openOfficeWithMetrics(environment: Record<string, string> = {}) {
  const office = await openOffice({ METRICS_TOKEN: token, ...environment })
  const origin = await office.listen()
  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${origin}${path}`, { headers })
  const readSamples = async () => parseSamples(await (await get('/metrics', allowed)).text())
  return { ...office, origin, get, readSamples }
}

describe('/metrics', () => {
  it('is 404 without METRICS_TOKEN', async () => {
    await using server = await startTestServer()
    expect(server.app.metrics).toBeUndefined()
    for (const headers of [{}, allowed, { accept: 'text/html' }]) {
      const [reply, unknown] = [
        await server.app.inject({ url: '/metrics', headers }),
        await server.app.inject({ url: '/nothing', headers }),
      ]
      expect([reply.statusCode, withoutRequestId(reply)]).toEqual([404, withoutRequestId(unknown)])
    }
  })

  it('responds to a wrong token as to an unknown path', async () => {
    await using server = await startTestServer({ METRICS_TOKEN: token })
    for (const authorization of ['', token, `Basic ${token}`, `Bearer ${token}x`, `Bearer ${token.slice(1)}`, 'Bearer ']) {
      for (const accept of ['*/*', 'text/html']) {
        const headers = { ...(authorization && { authorization }), accept }
        const [reply, unknown] = [
          await server.app.inject({ url: '/metrics', headers }),
          await server.app.inject({ url: '/nothing', headers }),
        ]
        expect([reply.statusCode, withoutRequestId(reply)], authorization).toEqual([404, withoutRequestId(unknown)])
        expect(Object.keys(reply.headers)).toEqual(Object.keys(unknown.headers))
      }
    }
    const reply = await server.app.inject({ url: '/metrics', headers: allowed })
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  })

  it('reports the process, the database, the outbox, the store and the audit log', async () => {
    await using office = await openOfficeWithMetrics()
    await office.call('POST', '/v1/admin/mail/test', office.admin, { to: 'kim@acme.example' })
    const samples = await office.readSamples()
    for (const name of [
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
      ...(process.platform === 'linux' ? ['process_open_fds'] : []),
      'nodejs_heap_size_used_bytes',
      'neptune_database_answer_seconds',
      'neptune_store_free_bytes',
      'neptune_http_received_bytes_total',
      'neptune_http_connections',
    ])
      expect(samples[name], name).toBeGreaterThan(0)
    expect(samples['nodejs_eventloop_lag_p99_seconds']).toBeGreaterThanOrEqual(0)
    const { seq } = await office.deps.db.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow()
    expect(seq).toBeGreaterThan(0)
    expect(samples).toMatchObject({
      neptune_database_up: 1,
      'neptune_outbox_mails{state="waiting"}': 1,
      'neptune_outbox_mails{state="failed"}': 0,
      neptune_audit_last_seq: Number(seq),
    })
  })

  it('counts requests by route, never by path', async () => {
    await using office = await openOfficeWithMetrics()
    const { key } = await office.share()
    for (let i = 0; i < 3; i++) await office.get(`/v1/link/${key}/info`)
    for (let i = 0; i < 50; i++) await office.get(`/hunt/${i}/.env?secret=${i}`)
    await office.get('/v1/file', { authorization: 'Bearer nonsense-nonsense-nonsense' })
    await office.get(`/v1/file/${office.first}`, office.kim)
    const series = (status: number, route: string) =>
      `neptune_http_requests_total{method="GET",route="${route}",status="${status}"}`
    await expect
      .poll(() => office.readSamples())
      .toMatchObject({
        [series(200, '/v1/link/:id/info')]: 3,
        [series(404, 'none')]: 50,
        [series(401, '/v1/file')]: 1,
        [series(200, '/v1/file/:id')]: 1,
        'neptune_http_answer_seconds_count{method="GET",route="/v1/link/:id/info"}': 3,
        'neptune_http_answer_seconds_bucket{method="GET",route="/v1/link/:id/info",le="+Inf"}': 3,
        'neptune_http_answer_seconds_count{method="GET",route="/v1/file/:id"}': 1,
        'neptune_http_refusals_total{code="session.missing"}': 1,
      })
    const text = await (await office.get('/metrics', allowed)).text()
    for (const secret of [key, office.first, 'hunt', 'secret', 'acme', 'Kim']) expect(text).not.toContain(secret)
  })

  it('counts failed sign-ins and attempts over the limit', async () => {
    await using office = await openOfficeWithMetrics()
    for (let i = 0; i < 11; i++) await office.signIn('kim@acme.example', 'wrong password')
    expect(await office.readSamples()).toMatchObject({
      'neptune_http_refusals_total{code="session.wrong_credentials"}': 10,
      'neptune_http_refusals_total{code="session.too_many_tries"}': 1,
    })
  })

  it('counts requests and bytes in progress', async () => {
    await using office = await openOfficeWithMetrics()
    const { payload, headers } = buildForm('x'.repeat(1_000_000))
    const upload = request(`${office.origin}/v1/file/${office.plans}/large.txt`, {
      method: 'PUT',
      headers: { ...headers, ...office.kim, 'content-length': payload.length },
    })
    const answered = new Promise<number | undefined>((resolve) => {
      upload.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode)))
    })
    upload.write(payload.slice(0, 900_000))
    const readInFlight = async () => {
      const { neptune_uploads_in_flight: uploads, neptune_http_requests_in_flight: requests } = await office.readSamples()
      return { uploads, requests }
    }
    await expect.poll(readInFlight).toEqual({ uploads: 1, requests: 2 })
    await expect.poll(async () => (await office.readSamples())['neptune_http_received_bytes_total']).toBeGreaterThan(900_000)
    upload.end(payload.slice(900_000))
    expect(await answered).toBe(200)
    await expect.poll(readInFlight).toEqual({ uploads: 0, requests: 1 })
  })

  it('counts uploads of clients that disconnect as ended', async () => {
    await using office = await openOfficeWithMetrics()
    const { headers } = buildForm('')
    const upload = request(`${office.origin}/v1/file/${office.plans}/cut.txt`, {
      method: 'PUT',
      headers: { ...headers, ...office.kim, 'content-length': 1_000_000 },
    })
    upload.on('error', () => undefined)
    upload.write('--x\r\n')
    await expect.poll(async () => (await office.readSamples())['neptune_uploads_in_flight']).toBe(1)
    upload.destroy()
    await expect.poll(async () => (await office.readSamples())['neptune_uploads_in_flight']).toBe(0)
  })

  it('reports when the database is unavailable', async () => {
    await using office = await openOfficeWithMetrics()
    await office.deps.db.destroy()
    const samples = await office.readSamples()
    expect(samples['neptune_database_up']).toBe(0)
    expect(samples).not.toHaveProperty('neptune_audit_last_seq')
    expect(samples['neptune_store_free_bytes']).toBeGreaterThan(0)
  })
})

describe('metrics on a separate port', () => {
  const open = async (office: Office, given?: string) => {
    const { metrics } = office.app
    if (!metrics) throw new Error('There are no metrics')
    return listenForMetrics(metrics, { host: '127.0.0.1', port: 0, token: given })
  }

  it('need no token, and are not on the main port', async () => {
    await using office = await openOfficeWithMetrics({ METRICS_TOKEN: '', METRICS_PORT: '0' })
    const listener = await open(office)
    const reply = await fetch(listener.url)
    expect(parseSamples(await reply.text())['neptune_database_up']).toBe(1)
    expect((await fetch(new URL('/v1/identity', listener.url))).status).toBe(404)
    expect((await fetch(listener.url, { method: 'POST' })).status).toBe(404)
    expect((await office.get('/metrics')).status).toBe(404)
    listener.close()
  })

  it('need the token if one is set', async () => {
    await using office = await openOfficeWithMetrics({ METRICS_PORT: '0' })
    const listener = await open(office, token)
    expect((await fetch(listener.url)).status).toBe(404)
    expect((await fetch(listener.url, { headers: toBearerHeader(`${token}x`) })).status).toBe(404)
    expect((await fetch(listener.url, { headers: allowed })).status).toBe(200)
    expect((await office.get('/metrics', allowed)).status).toBe(404)
    listener.close()
  })
})
