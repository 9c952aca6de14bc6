import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { blobPath, createOrphanBlob, flipBit, makeBlobId } from '../support/blob-files.ts'
import { makeCommand, openServer } from '../support/operator-server.ts'
import { runCommand } from '../support/run-command.ts'
import { startNeptune, tryToStart } from '../support/start-neptune.ts'
import { postLogin, settings } from '../support/start-signed-in.ts'
import { withTempFolder } from '../support/temp-folder.ts'

describe('the command itself', () => {
  it('prints its usage, and rejects unknown commands and options', async () => {
    for (const args of [[], ['--help']]) {
      const { code, out } = await runCommand(args, {})
      expect(code).toBe(0)
      for (const name of [
        'fsck',
        'gc',
        'backup',
        'restore',
        'create-admin',
        'sign-in-link',
        'audit verify',
        'audit export',
        'settings import',
      ])
        expect(out).toContain(`neptune ${name}`)
    }
    expect((await runCommand(['fsck', '--help'], {})).out).toContain('--scrub')
    for (const args of [['fsk'], ['fsck', '--repare'], ['backup']]) {
      const { code, err } = await runCommand(args, {})
      expect(code, args.join(' ')).toBe(2)
      expect(err, args.join(' ')).toMatch(/^neptune/)
    }
  })

  it('creates nothing where there is no installation', async () => {
    await withTempFolder(async (folder) => {
      for (const args of [['fsck'], ['backup', 'b.tar']]) {
        const { code, err } = await makeCommand(folder)(...args)
        expect(code).toBe(2)
        expect(err).toContain('There is no Neptune installation in')
      }
      expect(readdirSync(folder)).toEqual([])
    })
  })
})

it('rejects a second server on the same data folder, but not one after a kill', async () => {
  await withTempFolder(async (folder) => {
    const DATA_DIR = join(folder, 'data')
    await using neptune = await startNeptune({ ...settings, DATA_DIR })
    const { code, lines } = await tryToStart({ ...settings, DATA_DIR })
    expect(code).toBe(1)
    expect(lines).toEqual([expect.stringContaining(`The data folder ${DATA_DIR} is in use by another Neptune`)])
    neptune.process.kill('SIGKILL')
    await neptune.ended
    await using restarted = await startNeptune({ ...settings, DATA_DIR })
    expect((await fetch(`${restarted.url}/readyz`)).status).toBe(200)
    expect((await postLogin(restarted.url)).status).toBe(200)
  })
})

describe('fsck', () => {
  it('finds flipped, truncated, missing and orphaned files, marks or removes only those, and finds no new fault on the next run', async () => {
    await withTempFolder(async (folder) => {
      const neptune = makeCommand(folder)
      const [orphan, stale] = [makeBlobId(), makeBlobId()]
      const ids: Record<string, string> = {}
      {
        await using server = await openServer(folder)
        for (const name of ['good', 'flipped', 'cut', 'gone']) ids[name] = (await server.put(`${name}.bin`, randomBytes(5000))).id
        expect(await neptune('fsck', '--scrub')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing is wrong.') })
        await server.stop()
      }
      flipBit(blobPath(folder, ids['flipped'] ?? ''))
      truncateSync(blobPath(folder, ids['cut'] ?? ''), 4000)
      rmSync(blobPath(folder, ids['gone'] ?? ''))
      createOrphanBlob(folder, orphan)
      writeFileSync(join(folder, 'data/tmp', stale), 'half')
      writeFileSync(join(folder, 'data/blobs/notes.txt'), 'put here by mistake')

      const withoutScrub = await neptune('fsck')
      expect(withoutScrub.code).toBe(1)
      expect(withoutScrub.out).not.toContain('flipped.bin')
      const withScrub = await neptune('fsck', '--scrub')
      expect(withScrub.code).toBe(1)
      const expectedFaults = [
        'flipped .*flipped.bin',
        'truncated .*cut.bin',
        'missing .*gone.bin',
        `orphan .*${orphan}`,
        `orphan .*${stale}`,
      ]
      for (const kind of [...expectedFaults, 'stray .*notes.txt', '6 faults']) expect(withScrub.out).toMatch(new RegExp(kind))
      expect(withScrub.out).not.toContain('good.bin')
      expect(existsSync(blobPath(folder, orphan))).toBe(true) // without --repair it changes nothing

      const repaired = await neptune('fsck', '--scrub', '--repair')
      expect(repaired.code).toBe(1)
      expect(repaired.out).toContain('6 faults, 6 repaired')
      expect(existsSync(blobPath(folder, orphan))).toBe(false)
      expect(readdirSync(join(folder, 'data/tmp'))).toEqual([])
      expect(existsSync(join(folder, 'data/blobs/notes.txt'))).toBe(false)
      expect(statSync(blobPath(folder, ids['cut'] ?? '')).size).toBe(4000) // damaged contents are kept
      expect(await neptune('fsck', '--scrub')).toMatchObject({ code: 0, out: expect.stringContaining('known damaged') })

      await using server = await openServer(folder)
      for (const { id, file_name, damaged } of await server.list()) {
        const reply = await server.get(`/v1/file/${id}`)
        expect(damaged, file_name).toBe(file_name !== 'good.bin')
        if (file_name === 'good.bin') expect(reply.status).toBe(200)
        else expect(await reply.json()).toMatchObject({ code: 'file.damaged' })
      }
      expect(await (await server.get(`/v1/directory/${server.directory}/zip`)).json()).toMatchObject({
        code: 'directory.damaged',
      })
      expect((await neptune('audit', 'export', '--action', 'file.damaged')).out.trim().split('\n')).toHaveLength(4)
      flipBit(blobPath(folder, ids['flipped'] ?? '')) // undoes the damage
      expect((await neptune('fsck', '--scrub', '--repair')).out).toMatch(/healed .*flipped.bin.* → no longer marked/)
      expect((await server.get(`/v1/file/${ids['flipped']}`)).status).toBe(200)
    })
  })
})

it('create-admin creates an admin who can sign in, and changes nothing for a taken address', async () => {
  await withTempFolder(async (folder) => {
    await using server = await openServer(folder)
    const created = await makeCommand(folder)('create-admin', 'Kim@Acme.example', '--name', 'Kim Doe')
    expect(created.code).toBe(0)
    const password = /Password\s+(\S+)/.exec(created.out)?.[1] ?? ''
    expect((await (await postLogin(server.url, { email: 'kim@acme.example', password })).json()).info).toMatchObject({
      role: 'NEPTUNE_ADMIN',
      name: 'Kim Doe',
      company: server.company,
    })
    const secondAttempt = await makeCommand(folder)('create-admin', 'kim@acme.example')
    expect(secondAttempt).toMatchObject({ code: 1, out: expect.stringContaining('Nothing was changed.') })
    const credentials = { email: 'lee@acme.example', password: 'seven grey herons on a wire' }
    const args = ['create-admin', credentials.email, '--password-stdin']
    const fromStdin = await runCommand(args, { DATA_DIR: join(folder, 'data') }, `${credentials.password}\n`)
    expect(fromStdin).toMatchObject({ code: 0, out: expect.not.stringContaining(credentials.password) })
    expect((await postLogin(server.url, credentials)).status).toBe(200)
    expect((await runCommand([...args.with(1, 'x@acme.example')], { DATA_DIR: join(folder, 'data') }, 'short\n')).code).toBe(2)
    expect((await makeCommand(folder)('audit', 'verify')).code).toBe(0)
  })
})

it('create-admin says so while passwords are turned off, and names the command that lets the admin in', async () => {
  await withTempFolder(async (folder) => {
    await using server = await openServer(folder)
    const neptune = makeCommand(folder)
    const notice = /Passwords are turned off, .* npx neptune sign-in-link kim@acme\.example/
    expect((await neptune('create-admin', 'lee@acme.example')).out).not.toContain('turned off')
    const db = new DatabaseSync(join(folder, 'data/neptune.db'))
    const value = JSON.stringify({ password_sign_in: false })
    db.prepare("insert into setting (section, value, version, changed_at) values ('security', ?, 1, '')").run(value)
    db.close()
    const { code, out } = await neptune('create-admin', 'Kim@acme.example')
    expect([code, out]).toEqual([0, expect.stringMatching(notice)])
    const password = /Password\s+(\S+)/.exec(out)?.[1] ?? ''
    expect((await postLogin(server.url, { email: 'kim@acme.example', password })).status).toBe(403)
    const args = ['create-admin', 'ada@acme.example', '--password-stdin']
    const fromStdin = await runCommand(args, { DATA_DIR: join(folder, 'data') }, 'seven grey herons on a wire\n')
    expect(fromStdin).toMatchObject({ code: 0, out: expect.stringContaining('Passwords are turned off') })
  })
})

it('sign-in-link lets someone in once', async () => {
  await withTempFolder(async (folder) => {
    await using server = await openServer(folder)
    const neptune = makeCommand(folder)
    await neptune('create-admin', 'kim@acme.example')
    const { code, out } = await neptune('sign-in-link', 'Kim@acme.example')
    expect(code).toBe(0)
    const body = JSON.stringify({ token: /\/enter\/(\S+)/.exec(out)?.[1] })
    const enter = () =>
      fetch(`${server.url}/v1/identity/operator-link`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    expect((await (await enter()).json()).info).toMatchObject({ email: 'kim@acme.example' })
    expect((await enter()).status).toBe(404)
    expect(await neptune('sign-in-link', 'nobody@acme.example')).toMatchObject({
      code: 1,
      out: expect.stringContaining('User not found'),
    })
  })
})

it('audit verify finds an altered row and, when given the log, a truncated end', async () => {
  await withTempFolder(async (folder) => {
    const neptune = makeCommand(folder)
    await using server = await openServer(folder)
    await server.put('a.bin', randomBytes(10))
    const intact = await neptune('audit', 'verify')
    expect(intact).toMatchObject({ code: 0, out: expect.stringContaining('The audit log is intact.') })
    const [, seq = '', mac = ''] = /ends at (\d+):(\S+)\.\n/.exec(intact.out) ?? []
    writeFileSync(join(folder, 'log'), `a line\n${JSON.stringify({ level: 'info', checkpoint: { seq: Number(seq), mac } })}\n`)
    expect((await neptune('audit', 'verify', '--log', join(folder, 'log'))).code).toBe(0)
    await server.stop()
    const db = new DatabaseSync(join(folder, 'data/neptune.db'))
    db.exec("update audit set name = 'b.bin' where action = 'file.uploaded'")
    const { uploadSeq } = db.prepare("select seq as uploadSeq from audit where action = 'file.uploaded'").get() as {
      uploadSeq: number
    }
    const altered = await neptune('audit', 'verify')
    expect(altered.code).toBe(1)
    expect(altered.out.split('\n')[0]).toContain(`Row ${uploadSeq} was altered or inserted`)
    db.exec("update audit set name = 'a.bin' where action = 'file.uploaded'")
    expect((await neptune('audit', 'verify')).code).toBe(0)
    const { previousMac } = db.prepare('select mac as previousMac from audit where seq = ?').get(uploadSeq - 1) as {
      previousMac: string
    }
    db.exec(`delete from audit where seq >= ${uploadSeq}; update audit_head set seq = ${uploadSeq - 1}, mac = '${previousMac}'`)
    db.close()
    expect((await neptune('audit', 'verify')).code).toBe(0) // the database alone cannot show the truncation
    const truncated = await neptune('audit', 'verify', '--log', join(folder, 'log'))
    expect(truncated.code).toBe(1)
    expect(truncated.out.split('\n')[0]).toMatch(new RegExp(`Rows? ${uploadSeq} .*missing`))
  })
})

it('backup and restore keep every file identical, and the backup does not contain the secret key', async () => {
  await withTempFolder(async (folder) => {
    const neptune = makeCommand(folder)
    const archive = join(folder, 'backup.tar')
    await using server = await openServer(folder)
    for (const name of ['a.bin', 'b.bin']) await server.put(name, randomBytes(100_000))
    expect(await neptune('backup', archive)).toMatchObject({
      code: 0,
      out: expect.stringContaining('The secret key is not in it.'),
    })
    expect(statSync(archive).mode & 0o077).toBe(0)
    expect(existsSync(`${archive}.part`)).toBe(false)
    expect((await neptune('backup', archive)).err).toContain('never overwrites')
    const key = readFileSync(join(folder, 'data/secret.key'), 'utf8')
    expect(readFileSync(archive).includes(key.trim())).toBe(false)

    const restoredFolder = join(folder, 'restored')
    mkdirSync(join(restoredFolder, 'data'), { recursive: true })
    writeFileSync(join(restoredFolder, 'data/secret.key'), key, { mode: 0o600 })
    expect(await makeCommand(restoredFolder)('restore', archive)).toMatchObject({ code: 0 })
    expect((await makeCommand(restoredFolder)('fsck', '--scrub')).out).toContain('Nothing is wrong.')
    await using restored = await openServer(restoredFolder)
    expect(await restored.downloadHashes()).toEqual(await server.downloadHashes())
    expect((await restored.put('new.bin', randomBytes(10))).status).toBe(200)
  })
})
