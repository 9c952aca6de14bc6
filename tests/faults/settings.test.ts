import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { authenticate } from '../support/client.ts'
import { changeSettings, makeCommand, openServer, readSettings } from '../support/operator-server.ts'
import { startSmtp } from '../support/services/start-smtp.ts'
import { expectChangeWithinSecond } from '../support/settings-change.ts'
import { admin, startNeptune } from '../support/start-neptune.ts'
import { settings } from '../support/start-signed-in.ts'
import { withTempFolder } from '../support/temp-folder.ts'
import { openClientPerWorker } from '../support/workers.ts'

type Server = Awaited<ReturnType<typeof openServer>>

it('applies a change in every worker within a second', async () => {
  await using neptune = await startNeptune({ ...settings, LOG_LEVEL: 'info', WORKERS: '3' })
  const { headers } = await authenticate(neptune.url, admin)
  using clients = await openClientPerWorker(neptune, 3, headers)
  const all = [clients.one, clients.two, clients.three]
  for (const client of all) await expectChangeWithinSecond(client, all)
})

it('starts sending through a mail server in the settings, and still does after a backup was restored, without revealing its password', async () => {
  await withTempFolder(async (folder) => {
    await using smtp = await startSmtp()
    const password = 'pa55word-of-the-mail-server'
    await using server = await openServer(folder)
    await changeSettings(server, 'email', {
      sender_address: 'files@acme.example',
      smtp_host: '127.0.0.1',
      smtp_port: smtp.port,
      smtp_user: 'kim',
      smtp_password: password,
    })
    const sendTest = (sender: Server) => sender.post('/v1/admin/mail/test', { to: 'rob@client.example' })
    expect((await sendTest(server)).status).toBe(200)
    await expect.poll(() => smtp.messages.length).toBe(1)
    expect(smtp.messages[0]?.text).toContain('From: Neptune <files@acme.example>')

    const archive = join(folder, 'backup.tar')
    expect(await makeCommand(folder)('backup', archive)).toMatchObject({ code: 0 })
    expect(readFileSync(archive).includes(password)).toBe(false)
    expect((await makeCommand(folder)('settings', 'export')).out).not.toContain(password)
    const restoredFolder = join(folder, 'restored')
    mkdirSync(join(restoredFolder, 'data'), { recursive: true })
    writeFileSync(join(restoredFolder, 'data/secret.key'), readFileSync(join(folder, 'data/secret.key')), { mode: 0o600 })
    expect(await makeCommand(restoredFolder)('restore', archive)).toMatchObject({ code: 0 })
    await using restored = await openServer(restoredFolder)
    expect(await readSettings(restored)).toEqual(await readSettings(server))
    expect((await sendTest(restored)).status).toBe(200)
    // The admin also gets an email about the sign-in with a new browser.
    await expect.poll(() => smtp.messages.length).toBe(3)
    expect(new Set(smtp.logins)).toEqual(new Set([`kim ${password}`]))
    for (const each of [server, restored]) expect(each.output()).not.toContain(password)
  })
})

it('neptune settings imports all or nothing, and names every bad field', async () => {
  await withTempFolder(async (folder) => {
    await using server = await openServer(folder, { LINK_MAX_FILES: '10' })
    const before = await readSettings(server)
    const file = join(folder, 'settings.json')
    const importText = (text: string) => {
      writeFileSync(file, text)
      return makeCommand(folder, { LINK_MAX_FILES: '10' })('settings', 'import', file)
    }
    const bad = await importText('{"organisation":{"name":"Acme","color":1},"storage":{"trash_days":0},"shredder":{}}')
    expect(bad).toMatchObject({ code: 1, out: expect.stringContaining('Nothing was changed.') })
    for (const field of ['organisation.color: There is no such setting.', 'storage.trash_days: ', 'shredder: '])
      expect(bad.out).toContain(field)
    const conflict = await importText('{"organisation":{"name":"Acme"},"links":{"max_days":3}}')
    expect(conflict).toMatchObject({ code: 1, out: expect.stringContaining('links.max_days: This must not be less than') })
    const locked = await importText('{"organisation":{"name":"Acme"},"links":{"max_files":3}}')
    expect(locked).toMatchObject({
      code: 1,
      out: expect.stringContaining('links.max_files: The environment variable LINK_MAX_FILES'),
    })
    for (const text of ['{"organisation":{"__proto__":{}}}', '{', '{"links":{},"links":{}}'])
      expect((await importText(text)).code).toBe(2)
    expect((await makeCommand(folder)('settings', 'import', join(folder, 'absent.json'))).code).toBe(2)
    expect(existsSync(join(folder, 'absent.json'))).toBe(false)
    expect(await readSettings(server)).toEqual(before)
  })
})
