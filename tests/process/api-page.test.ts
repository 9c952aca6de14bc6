import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { api, type Endpoint } from '@neptune/contract'
import { expect, it } from 'vitest'
import { admin, startNeptune } from '../support/start-neptune.ts'

/** Section 7 of the specification. */
const specified = [
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

/** The page and those it leads on to, in the order in which one reads them. */
function readPages(path: string): string {
  const text = readFileSync(path, 'utf8')
  const [, next] = /^Continue with \[.*\]\((.*)\)\.$/m.exec(text) ?? []
  return next ? text + readPages(join(dirname(path), next)) : text
}

interface Step {
  script: string
  /** What the page says that comes back. */
  answers: Answer[]
}

interface Answer {
  status: string
  headers: string[]
  body: string
}

function readSteps(pages: string): Step[] {
  const steps: Step[] = []
  for (const [, language, text = ''] of pages.matchAll(/^```(sh|http)\n(.*?)^```$/gms)) {
    if (language === 'sh') steps.push({ script: text, answers: [] })
    else steps.at(-1)?.answers.push(readAnswer(text))
  }
  return steps
}

function readAnswer(text: string): Answer {
  const [head = '', body = ''] = text.trim().split('\n\n')
  const [first = '', ...lines] = head.split('\n')
  return { status: first.split(' ')[1] ?? '', headers: lines.map((line) => line.split(':')[0] ?? ''), body }
}

/** Pastes them into one shell, from top to bottom, and says what each brought. It stops where something fails. */
async function paste(steps: Step[], url: string, cwd: string) {
  const script = [
    'set -eo pipefail',
    `curl() { command curl "$@" -w '%{stderr}%{method} %{url_effective} %{http_code}\\n'; }`,
    ...steps.flatMap(({ script }) => [String.raw`printf '\f'; printf '\f' >&2`, script]),
  ]
  const path = join(dirname(cwd), 'page.sh')
  writeFileSync(path, script.join('\n').replace('http://localhost:3000', url))
  // Nothing of the tester's own settings may slip in.
  const env = { PATH: process.env['PATH'], HOME: cwd }
  const shell = promisify(execFile)('bash', [path], { cwd, env })
  shell.child.stdin?.end(`${admin.password}\n`)
  const { stdout, stderr } = await shell
  const [, ...outputs] = stdout.split('\f')
  const [, ...notes] = stderr.split('\f')
  return steps.map((step, i) => ({ ...step, output: outputs[i] ?? '', requests: readRequests(notes[i] ?? '') }))
}

const readRequests = (notes: string) =>
  [...notes.matchAll(/^([A-Z]+) (http\S+) (\d{3})$/gm)].map(([, method = '', url = '', status = '']) => ({
    call: `${method} ${new URL(url).pathname}`,
    status,
  }))

/** Each once where the same follows the same. */
const changes = (statuses: string[]) => statuses.filter((status, i) => status !== statuses[i - 1])

/** What there is in an answer and of which kind; of a list, its first row. */
function outline(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(outline)
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, outline(item)]))
}

function expectShown({ headers, body }: Answer, output: string, script: string) {
  for (const name of headers) expect(output, script).toMatch(new RegExp(`^${name}: `, 'im'))
  if (!body.startsWith('{')) return expect(output, script).toContain(body)
  const came = outline(JSON.parse(output.slice(output.search(/^\{/m))))
  const shown = outline(JSON.parse(body.replaceAll(', …', '')))
  if (body.includes(', …')) expect(came, script).toMatchObject(Object(shown))
  else expect(came, script).toEqual(shown)
}

const pages = readPages(join(import.meta.dirname, '../../docs/api.md'))

it('docs/api.md: pasted into a shell from top to bottom, it does what it says, and makes every call of the specification', async () => {
  await using neptune = await startNeptune({ ADMIN_PASSWORD: admin.password })
  const cwd = join(neptune.folder, 'terminal')
  mkdirSync(cwd)
  const steps = await paste(readSteps(pages), neptune.url, cwd)
  for (const { script, answers, requests, output } of steps) {
    expect(changes(requests.map(({ status }) => status)), script).toEqual(changes(answers.map(({ status }) => status)))
    const last = answers.at(-1)
    if (last) expectShown(last, output, script)
  }
  const done = steps.flatMap(({ requests }) => requests).filter(({ status }) => status < '300')
  const isMade = (call: string) => {
    const pattern = new RegExp(`^${call.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    return done.some((request) => pattern.test(request.call))
  }
  expect(specified.filter((call) => !isMade(call))).toEqual([])
})

it('docs/api.md names every call there is, and none that is not', () => {
  const calls = Object.values(api).flatMap((group) =>
    Object.values<Endpoint>(group).map(({ method, path }) => `${method} ${path}`),
  )
  const named = [...pages.matchAll(/`([A-Z]+ \/v1\/[^`]+)`/g)].map(([, call]) => call)
  expect([...new Set(named)].toSorted()).toEqual(calls.toSorted())
})
