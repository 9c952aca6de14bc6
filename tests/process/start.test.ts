import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { admin, startNeptune, tryToStart } from '../support/start-neptune.ts'

const scratch = mkdtempSync(join(tmpdir(), 'neptune-start-'))
let dataDir: string
let count = 0
beforeEach(() => {
  dataDir = join(scratch, String(count++), 'data')
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const signIn = (url: string, email: string, password: string) =>
  fetch(`${url}/v1/identity/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })

const findPassword = (output: string) => /Password\s+(\S+)\s+\(shown once/.exec(output)?.[1]

describe('the first start', () => {
  it('P44: creates an admin without a guessable password, prints the sign-in details once, and makes its files private', async () => {
    await using first = await startNeptune({ DATA_DIR: dataDir })
    const password = findPassword(first.output()) ?? ''
    expect(first.output()).toContain('admin@neptune.local')
    expect((await signIn(first.url, 'admin@neptune.local', password)).status).toBe(200)
    for (const guess of ['admin', 'password', 'neptune', 'changeme', 'admin@neptune.local'])
      expect((await signIn(first.url, 'admin@neptune.local', guess)).status).toBe(401)
    expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(['neptune.db', 'secret.key']))
    for (const name of ['', ...readdirSync(dataDir)]) expect(statSync(join(dataDir, name)).mode & 0o077).toBe(0)
    await first.stop()

    await using second = await startNeptune({ DATA_DIR: dataDir, ADMIN_PASSWORD: 'ignored on a later start' })
    expect(second.output()).not.toContain('Password ')
    expect(second.output()).toContain('apply only to the first start')
    expect((await signIn(second.url, 'admin@neptune.local', password)).status).toBe(200)
    expect((await signIn(second.url, 'admin@neptune.local', 'ignored on a later start')).status).toBe(401)
  })

  it('takes the admin from the settings without printing the password', async () => {
    await using neptune = await startNeptune({
      DATA_DIR: dataDir,
      ADMIN_EMAIL: 'Kim@Acme.example',
      ADMIN_PASSWORD: admin.password,
    })
    expect(neptune.output()).toContain('kim@acme.example')
    expect(neptune.output()).not.toContain(admin.password)
    const reply = await signIn(neptune.url, 'kim@acme.example', admin.password)
    expect(await reply.json()).toMatchObject({ type: 'Bearer', info: { email: 'kim@acme.example', role: 'NEPTUNE_ADMIN' } })
  })
})

describe('a failed start says why in one line and leaves nothing behind:', () => {
  const expectFailure = async (settings: Record<string, string>) => {
    const { code, lines } = await tryToStart({ DATA_DIR: dataDir, ...settings })
    expect(lines).toHaveLength(1)
    expect(code).toBe(1)
    return lines[0]
  }

  /** The data folder of a server that has started and stopped once. */
  let installation: Promise<string> | undefined
  const createInstallation = async () => {
    const neptune = await startNeptune({ DATA_DIR: join(scratch, 'installation') })
    await neptune.stop()
    return join(scratch, 'installation')
  }
  const copyInstallation = async () => {
    installation ??= createInstallation()
    cpSync(await installation, dataDir, { recursive: true })
  }

  it('port in use', async () => {
    const otherServer = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => otherServer.once('listening', resolve))
    const address = otherServer.address()
    const port = typeof address === 'object' ? address?.port : 0
    expect(await expectFailure({ PORT: String(port) })).toContain(`Port ${port} on 127.0.0.1 is already in use`)
    expect(existsSync(dataDir)).toBe(false)
    otherServer.close()
  })

  it('unavailable address', async () => {
    expect(await expectFailure({ HOST: '192.0.2.1', PORT: '3999', PUBLIC_URL: 'https://files.example.com' })).toContain(
      'Cannot listen on 192.0.2.1',
    )
    expect(existsSync(dataDir)).toBe(false)
  })

  it('unwritable data folder', async () => {
    const file = join(scratch, 'a-file')
    writeFileSync(file, '')
    for (const folder of [join(file, 'data'), '/proc/nowhere', '/proc/nowhere/data']) {
      expect(await expectFailure({ DATA_DIR: folder })).toContain(`The data folder ${folder} is not writable`)
    }
    expect(readdirSync(scratch)).not.toContain('data')
  })

  it('unreachable database', async () => {
    const line = await expectFailure({ DATABASE_URL: 'postgres://neptune:hidden@127.0.0.1:1/neptune' })
    expect(line).toContain('The database 127.0.0.1:1/neptune cannot be opened')
    expect(line).not.toContain('hidden')
    expect(existsSync(dataDir)).toBe(false)
  })

  it('invalid database file', async () => {
    await copyInstallation()
    writeFileSync(join(dataDir, 'neptune.db'), 'this is plain text, not a database, and long enough to be read as a header')
    expect(await expectFailure({})).toContain('cannot be opened: file is not a database')
  })

  it('P44: several invalid settings at once, such as a public HOST without PUBLIC_URL and a sample SECRET_KEY', async () => {
    const SECRET_KEY = 'change-me-please-change-me-please-now'
    const line = await expectFailure({ PORT: 'http', LOG_LEVEL: 'loud', HOST: '0.0.0.0', SECRET_KEY })
    expect(line).toContain('PORT ')
    expect(line).toContain('LOG_LEVEL ')
    expect(line).toContain('PUBLIC_URL must be set')
    expect(line).toContain('SECRET_KEY must be at least 32 random characters, not a sample value')
    expect(existsSync(dataDir)).toBe(false)
  })

  it('P44: key file that others can read', async () => {
    await copyInstallation()
    const key = join(dataDir, 'secret.key')
    const keyBefore = readFileSync(key, 'utf8')
    chmodSync(key, 0o644)
    expect(await expectFailure({})).toContain('is readable by other users (mode 0644). Fix it with: chmod 600')
    expect(readFileSync(key, 'utf8')).toBe(keyBefore)
  })

  it('missing or wrong secret key', async () => {
    await copyInstallation()
    expect(await expectFailure({ SECRET_KEY: 'tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9' })).toContain(
      'SECRET_KEY is not the secret key of this database',
    )
    rmSync(join(dataDir, 'secret.key'))
    expect(await expectFailure({})).toContain('The secret key of this database is missing')
    expect(existsSync(join(dataDir, 'secret.key'))).toBe(false)
  })
})
