import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCommand } from '../support/run-command.ts'
import { startNeptune } from '../support/start-neptune.ts'
import { withTempFolder } from '../support/temp-folder.ts'

it('neptune demo fills a new, consistent installation in which admins and users can sign in, and rejects an existing one', async () => {
  await withTempFolder(async (folder) => {
    const DATA_DIR = join(folder, 'demo')
    const { code, out } = await runCommand(['demo', '--files', '40'], { DATA_DIR, PORT: '0' })
    expect(code).toBe(0)
    const [, files = ''] = /^Created (\d+) files and \d+ links/m.exec(out) ?? []
    expect(Number(files)).toBeGreaterThanOrEqual(40)
    const secondRun = await runCommand(['demo'], { DATA_DIR })
    expect([secondRun.code, secondRun.err]).toEqual([2, expect.stringContaining('set DATA_DIR to a new folder')])
    expect((await runCommand(['fsck', '--scrub'], { DATA_DIR })).out).toContain('Nothing is wrong.')
    expect((await runCommand(['audit', 'verify'], { DATA_DIR })).out).toContain('The audit log is intact.')

    const [, password = ''] = /^ {2}Password {5}(\S+)/m.exec(out) ?? []
    await using neptune = await startNeptune({ DATA_DIR })
    const signIn = async (email: string) => {
      const body = JSON.stringify({ email, password })
      const reply = await fetch(`${neptune.url}/v1/identity/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      const { token } = await reply.json()
      return async (path: string) =>
        (await (await fetch(neptune.url + path, { headers: { authorization: `Bearer ${token}` } })).json()).data
    }
    const get = await signIn('admin@neptune.local')
    expect((await get('/v1/admin/company')).length).toBe(5)
    expect((await get('/v1/admin/settings')).organisation.values.name).toBe('Tidewater Services')
    const { transfers, start } = await get('/v1/dashboard')
    expect(transfers.filter(({ uploads }: { uploads: number }) => uploads > 0).length).toBeGreaterThan(10)
    expect(start).toBeNull()
    expect(await get('/v1/directory?folders=true&search=Drawings')).not.toEqual([])
    for (const state of ['active', 'expiring', 'expired', 'owner_suspended'])
      expect(await get(`/v1/link?state=${state}`), state).not.toEqual([])
    const times = (await get('/v1/activity?limit=200')).map(({ at }: { at: string }) => at)
    expect(times).toEqual(times.toSorted().toReversed())
    const companies = await (await signIn('mira@harbourlane.example'))('/v1/admin/company')
    expect(companies.map(({ name }: { name: string }) => name)).toEqual(['Harbour & Lane Architects'])
  })
})
