import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { api, type Endpoint } from '@neptune/contract'
import { expect, it } from 'vitest'
import { admin, startNeptune } from '../support/start-neptune.ts'

/** The calls in section 7 of the specification. */
const specifiedCalls = [
  'POST /v1/identity/login',
  'POST /v1/user/identity',
  'POST /v1/admin/user',
  'PATCH /v1/admin/role',
  'POST /v1/link',
  'POST /v1/link/initialise',
  'POST /v1/link/verify',
  'PATCH /v1/link/reset',
  'DELETE /v1/link/{key}',
  'POST /v1/link/email',
  'POST /v1/directory',
  'PUT /v1/file/{directory}/{filename}',
  'GET /v1/file/{id}',
  'GET /v1/admin/user',
  'GET /v1/file',
  'GET /v1/directory',
  'GET /v1/link',
  'GET /v1/link/{id}/info',
  'GET /v1/admin/company',
  'GET /v1/stats',
]

/** Reads the page and those that follow it, in reading order. */
function readPages(path: string): string {
  const text = readFileSync(path, 'utf8')
  const [, next] = /^Continue with \[.*\]\((.*)\)\.$/m.exec(text) ?? []
  return next ? text + readPages(join(dirname(path), next)) : text
}

interface Step {
  script: string
  /** The responses that the page shows. */
  responses: ExpectedResponse[]
}

interface ExpectedResponse {
  status: string
  headers: string[]
  body: string
}

function readSteps(pages: string): Step[] {
  const steps: Step[] = []
  for (const [, language, text = ''] of pages.matchAll(/^```(sh|http)\n(.*?)^```$/gms)) {
    if (language === 'sh') steps.push({ script: text, responses: [] })
    else steps.at(-1)?.responses.push(readResponse(text))
  }
  return steps
}

function readResponse(text: string): ExpectedResponse {
  const [head = '', body = ''] = text.trim().split('\n\n')
  const [first = '', ...lines] = head.split('\n')
  return { status: first.split(' ')[1] ?? '', headers: lines.map((line) => line.split(':')[0] ?? ''), body }
}

/** Runs all steps in one shell and returns the output and the requests of each. Stops at the first failure. */
async function runSteps(steps: Step[], url: string, cwd: string) {
  const script = [
    'set -eo pipefail',
    `curl() { command curl "$@" -w '%{stderr}%{method} %{url_effective} %{http_code}\\n'; }`,
    ...steps.flatMap(({ script }) => [String.raw`printf '\f'; printf '\f' >&2`, script]),
  ]
  const path = join(dirname(cwd), 'page.sh')
  writeFileSync(path, script.join('\n').replace('http://localhost:3000', url))
  // The environment of the test run must not leak in.
  const env = { PATH: process.env['PATH'], HOME: cwd }
  const shell = promisify(execFile)('bash', [path], { cwd, env })
  shell.child.stdin?.end(`${admin.password}\n`)
  const { stdout, stderr } = await shell
  const [, ...outputs] = stdout.split('\f')
  const [, ...logs] = stderr.split('\f')
  return steps.map((step, i) => ({ ...step, output: outputs[i] ?? '', requests: readRequests(logs[i] ?? '') }))
}

const readRequests = (logs: string) =>
  [...logs.matchAll(/^([A-Z]+) (http\S+) (\d{3})$/gm)].map(([, method = '', url = '', status = '']) => ({
    call: `${method} ${new URL(url).pathname}`,
    status,
  }))

/** Removes consecutive duplicates. */
const removeRepeats = (statuses: string[]) => statuses.filter((status, i) => status !== statuses[i - 1])

/** Returns the fields of a value with their types; of a list, only the first item. */
function describeShape(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(describeShape)
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, describeShape(item)]))
}

function expectResponse({ headers, body }: ExpectedResponse, output: string, script: string) {
  for (const name of headers) expect(output, script).toMatch(new RegExp(`^${name}: `, 'im'))
  if (!body.startsWith('{')) return expect(output, script).toContain(body)
  const actual = describeShape(JSON.parse(output.slice(output.search(/^\{/m))))
  const expected = describeShape(JSON.parse(body.replaceAll(', …', '')))
  if (body.includes(', …')) expect(actual, script).toMatchObject(Object(expected))
  else expect(actual, script).toEqual(expected)
}

const pages = readPages(join(import.meta.dirname, '../../docs/api.md'))

it('docs/api.md works as written when pasted into a shell, and makes every call of the specification', async () => {
  await using neptune = await startNeptune({ ADMIN_PASSWORD: admin.password })
  const cwd = join(neptune.folder, 'terminal')
  mkdirSync(cwd)
  const steps = await runSteps(readSteps(pages), neptune.url, cwd)
  for (const { script, responses, requests, output } of steps) {
    expect(removeRepeats(requests.map(({ status }) => status)), script).toEqual(
      removeRepeats(responses.map(({ status }) => status)),
    )
    const last = responses.at(-1)
    if (last) expectResponse(last, output, script)
  }
  const succeeded = steps.flatMap(({ requests }) => requests).filter(({ status }) => status < '300')
  const isMade = (call: string) => {
    const pattern = new RegExp(`^${call.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    return succeeded.some((request) => pattern.test(request.call))
  }
  expect(specifiedCalls.filter((call) => !isMade(call))).toEqual([])
})

it('docs/api.md lists exactly the calls of the contract', () => {
  const calls = Object.values(api).flatMap((group) =>
    Object.values<Endpoint>(group).map(({ method, path }) => `${method} ${path}`),
  )
  const listed = [...pages.matchAll(/`([A-Z]+ \/v1\/[^`]+)`/g)].map(([, call]) => call)
  expect([...new Set(listed)].toSorted()).toEqual(calls.toSorted())
})
