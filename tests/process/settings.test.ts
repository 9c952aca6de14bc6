import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { changeSettings, makeCommand, openServer } from '../support/operator-server.ts'
import { withTempFolder } from '../support/temp-folder.ts'

it('neptune settings exports settings, and imports them elsewhere while the server is running', async () => {
  await withTempFolder(async (folder) => {
    const [from, to] = [join(folder, 'from'), join(folder, 'to')]
    for (const path of [from, to]) mkdirSync(path)
    await using source = await openServer(from, { TRASH_DAYS: '7' })
    await changeSettings(source, 'organisation', { name: 'Acme', welcome: 'Grüß Gott “<b>”' })
    await changeSettings(source, 'links', { default_days: 14, max_days: 90 })
    const file = join(folder, 'settings.json')
    expect((await makeCommand(from, { TRASH_DAYS: '7' })('settings', 'export', file)).code).toBe(0)
    expect((await makeCommand(from)('settings', 'export', file)).code).toBe(2) // never overwrites a file
    const exported = JSON.parse(readFileSync(file, 'utf8'))
    expect(exported).toMatchObject({ organisation: { name: 'Acme' }, links: { max_days: 90 } })
    expect(exported.storage).not.toHaveProperty('trash_days')
    expect(exported.email).not.toHaveProperty('smtp_password')

    await using target = await openServer(to)
    const { code, out } = await makeCommand(to)('settings', 'import', file)
    expect([code, out.trim().split('\n')]).toEqual([
      0,
      [
        'organisation.name: not set → Acme',
        'organisation.welcome: not set → Grüß Gott “<b>”',
        'links.default_days: 30 → 14',
        'links.max_days: not set → 90',
        '4 settings changed.',
      ],
    ])
    await expect
      .poll(async () => (await (await target.get('/v1/settings')).json()).data.links, { timeout: 5_000 })
      .toEqual({ default_days: 14, max_days: 90 })
    const { data } = await (await target.get('/v1/activity?action=settings.changed')).json()
    expect(data[0]).toMatchObject({ who: 'operator', name: 'links.max_days', note: 'not set → 90' })
    expect((await makeCommand(to)('settings', 'import', file)).out).toBe('Nothing was changed.\n')
  })
})
