import { LinkState } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { withoutRequestId } from '../../testing.ts'
import { refreshAllLinks } from '../access/link-standing.service.ts'
import { checkFiles } from '../integrity/integrity.service.ts'
import { openOffice } from './testing.ts'

async function openStateOffice() {
  const office = await openOffice()
  /** Returns the link's state. Expects that only the filters for this state find the link. */
  const readState = async (key: string) => {
    const { state, replaced } = await office.data('GET', `/v1/link/${key}/info`, office.kim)
    for (const filter of LinkState.options) {
      const found = (await office.data('GET', `/v1/link?state=${filter}`, office.kim)) as { key: string }[]
      const isFound = found.some((link) => link.key === key)
      expect(isFound, `${key} is ${state}, filter ${filter}`).toBe(
        filter === state || (state === 'expiring' && filter === 'active'),
      )
    }
    return replaced ? `${state}, replaced` : state
  }
  const findClashes = async (names: string[], who = office.kim, directory = office.plans) =>
    office.data('POST', '/v1/file/clash', who, { directory, names })
  return { ...office, readState, findClashes }
}

describe('the state of a link', () => {
  it('is file_deleted while its file is in the trash, and active after a restore', async () => {
    await using office = await openStateOffice()
    const { key } = await office.share('LINK_FILE')
    expect(await office.readState(key)).toBe('active')
    await office.call('DELETE', `/v1/file/${office.first}`, office.kim)
    expect(await office.readState(key)).toBe('file_deleted')
    await office.call('POST', '/v1/file/restore', office.kim, { ids: [office.first] })
    expect(await office.readState(key)).toBe('active')
  })

  it('is directory_deleted while its directory is in the trash, then file_deleted if its file was deleted separately', async () => {
    await using office = await openStateOffice()
    const links = [(await office.share('LINK_FILE')).key, (await office.share('LINK_EDITABLE_DIRECTORY')).key]
    const readStates = async () => Promise.all(links.map(office.readState))
    await office.call('DELETE', `/v1/file/${office.first}`, office.kim)
    await office.call('DELETE', `/v1/directory/${office.plans}`, office.kim)
    expect(await readStates()).toEqual(['directory_deleted', 'directory_deleted'])
    await office.call('POST', `/v1/directory/${office.plans}/restore`, office.kim)
    expect(await readStates()).toEqual(['file_deleted', 'active'])
  })

  it('is file_deleted and replaced after its file was deleted and another one has its name', async () => {
    await using office = await openStateOffice()
    const { key } = await office.share('LINK_FILE')
    await office.call('DELETE', `/v1/file/${office.first}`, office.kim)
    await office.put(office.plans, 'FIRST.txt', office.kim)
    expect(await office.readState(key)).toBe('file_deleted, replaced')
  })

  it.each(['PUT', 'tus'])('stays active after %s replaces its file', async (protocol) => {
    await using office = await openStateOffice()
    const { key } = await office.share('LINK_FILE')
    if (protocol === 'PUT') await office.put(office.plans, 'FIRST.txt', office.kim, 'new', '?conflict=replace')
    else {
      const metadata = { filename: 'first.txt', directory: office.plans, conflict: 'replace' }
      const pairs = Object.entries(metadata).map(([name, value]) => `${name} ${btoa(value)}`)
      const headers = { ...office.kim, 'tus-resumable': '1.0.0', 'upload-length': '0', 'upload-metadata': pairs.join() }
      const reply = await office.app.inject({ method: 'POST', url: '/v1/upload', headers })
      expect(reply.headers['neptune-file']).toBe(office.first)
    }
    expect(await office.readState(key)).toBe('active')
  })

  it('is shown to staff only: a recipient gets the same replies whether the file was deleted or replaced', async () => {
    await using office = await openStateOffice()
    const link = await office.share('LINK_FILE')
    const readReplies = async () => {
      const opened = await office.verify(link.key, link.code)
      const visitor = { authorization: `Bearer ${opened.json().data.token}` }
      const replies = [await office.call('GET', '/v1/access', visitor), await office.call('GET', `/v1/link/${link.key}/info`)]
      return [opened.statusCode, ...replies.map((reply) => [reply.statusCode, withoutRequestId(reply)])]
    }
    await office.call('DELETE', `/v1/file/${office.first}`, office.kim)
    const deleted = await readReplies()
    await office.put(office.plans, 'first.txt', office.kim, 'new')
    expect(await readReplies()).toEqual(deleted)
  })

  it('is owner_suspended while its owner is suspended, until someone takes the link over', async () => {
    await using office = await openStateOffice()
    const { key } = await office.share('LINK_DIRECTORY')
    await office.addUser({ email: 'lee@acme.example', company_id: await office.companyOf(office.kim) })
    const lee = await office.startSessionAs('lee@acme.example')
    const readState = async () => {
      const [row] = (await office.data('GET', '/v1/link?state=owner_suspended', lee)) as { key: string; state: string }[]
      return row?.state
    }
    await office.call('POST', `/v1/admin/user/${office.kimId}/suspend`, office.admin)
    expect(await readState()).toBe('owner_suspended')
    await office.call('POST', `/v1/admin/user/${office.kimId}/restore`, office.admin)
    expect(await readState()).toBeUndefined()
    await office.call('POST', `/v1/admin/user/${office.kimId}/suspend`, office.admin)
    const { accessCode } = await office.data('POST', '/v1/link/initialise', lee, { type: 'RESET', accessKey: key })
    await office.call('PATCH', '/v1/link/reset', lee, { accessKey: key, accessCode })
    expect(await readState()).toBeUndefined()
  })

  it('is expired after its expiry, whatever happened to its file', async () => {
    await using office = await openStateOffice()
    const { key } = await office.share('LINK_FILE')
    await office.call('DELETE', `/v1/file/${office.first}`, office.kim)
    office.advance(31 * 24 * 60 * 60_000)
    expect(await office.readState(key)).toBe('expired')
  })

  it('is corrected by the hourly job and by fsck if a process crashed before it refreshed the stored state', async () => {
    await using office = await openStateOffice()
    const { key } = await office.share('LINK_FILE')
    const setWrongStanding = () =>
      office.deps.db.updateTable('link').set({ standing: 'file_deleted' }).where('key', '=', key).execute()
    await setWrongStanding()
    await refreshAllLinks(office.deps)
    expect(await office.readState(key)).toBe('active')
    await setWrongStanding()
    const found: string[] = []
    const check = { isScrub: false, isAlone: false, report: ({ text }: { text: string }) => void found.push(text) }
    await checkFiles(office.deps, { ...check, isRepair: true })
    expect(found).toEqual(['1 link is listed under the wrong state'])
    expect(await office.readState(key)).toBe('active')
  })
})

describe('a name that is taken', () => {
  it('is returned with the number of live links to its file', async () => {
    await using office = await openStateOffice()
    await office.share('LINK_FILE', { days: 40 })
    await office.share('LINK_FILE', { days: 40 })
    await office.share('LINK_FILE', { days: 1 })
    await office.share('LINK_DIRECTORY')
    office.advance(2 * 24 * 60 * 60_000)
    expect(await office.findClashes(['FIRST.txt', 'second.txt', 'new.txt'])).toEqual([
      { name: 'FIRST.txt', id: office.first, file_name: 'first.txt', next_version: 2, links: 2, pinned: 0 },
      { name: 'second.txt', id: office.second, file_name: 'second.txt', next_version: 2, links: 0, pinned: 0 },
    ])
    await office.call('DELETE', `/v1/file/${office.first}`, office.kim)
    expect(await office.findClashes(['first.txt'])).toEqual([])
    const foreign = await office.call('POST', '/v1/file/clash', office.eve, { directory: office.plans, names: ['first.txt'] })
    expect(foreign.statusCode).toBe(404)
  })
})
