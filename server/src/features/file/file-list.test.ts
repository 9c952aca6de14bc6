import type { FileRow } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { openFileOffice } from './testing.ts'

describe('access to files', () => {
  it('P13, P14: is denied to users of other companies in every call, as if the file did not exist', async () => {
    await using server = await openFileOffice()
    const { data } = await server.put(server.directory, 'secret plan.txt')
    const absent = 'AAAAAAAAAAAAAAAAAAAAAA'
    const calls = (id: string, directory: string): [string, string, object?][] => [
      ['GET', `/v1/file/${id}`],
      ['POST', `/v1/file/${id}/ticket`],
      ['PATCH', `/v1/file/${id}`, { file_name: 'mine.txt' }],
      ['DELETE', `/v1/file/${id}`],
      ['POST', '/v1/file/delete', { ids: [id] }],
      ['POST', '/v1/file/restore', { ids: [id] }],
      ['GET', `/v1/directory/${directory}`],
      ['GET', `/v1/directory/${directory}/zip`],
      ['POST', `/v1/directory/${directory}/ticket`],
      ['PATCH', `/v1/directory/${directory}`, { directory: 'Mine' }],
      ['DELETE', `/v1/directory/${directory}`],
      ['POST', `/v1/directory/${directory}/restore`],
    ]
    for (const [i, [method, path, body]] of calls(data.id, server.directory).entries()) {
      const [, absentPath = '', absentBody] = calls(absent, absent)[i] ?? []
      const foreign = await server.call(server.eve, method, path, body)
      const missing = await server.call(server.eve, method, absentPath, absentBody)
      expect(foreign.status, path).toBe(404)
      const withoutRequestId = (text: string) => text.replace(/"requestId":"[\w-]{22}"/, '')
      expect(withoutRequestId(foreign.text), path).toBe(withoutRequestId(missing.text))
    }
    for (const query of ['', `?directory=${server.directory}`, `?company=${server.company}`, '?search=secret', '?trash=true']) {
      expect(await server.listNames(server.eve, query), query).toEqual([])
    }
    expect((await server.json(server.eve, 'GET', `/v1/directory?company=${server.company}`)).data).toEqual([])
    expect((await server.json(server.eve, 'GET', '/v1/stats')).data).toEqual({ links: 0, directories: 0, files: 0 })
    expect((await server.put(server.directory, 'mine.txt', 'x', { who: server.eve })).status).toBe(404)
    expect(await server.listNames()).toEqual(['secret plan.txt'])
  })

  it('covers every company for admins, and their own for users', async () => {
    await using server = await openFileOffice()
    await server.put(server.directory, 'ours.txt')
    const { company } = (await server.json(server.eve, 'GET', '/v1/identity')).data
    await server.put(await server.createDirectory('Theirs', server.admin, company), 'theirs.txt', 'x', { who: server.admin })
    expect((await server.listNames(server.admin)).toSorted()).toEqual(['ours.txt', 'theirs.txt'])
    expect(await server.listNames(server.admin, `?company=${company}`)).toEqual(['theirs.txt'])
    expect(await server.listNames(server.eve)).toEqual(['theirs.txt'])
  })
})

describe('the list of files', () => {
  it('names who uploaded a file, but not an admin of another company', async () => {
    await using server = await openFileOffice()
    const { company } = (await server.json(server.eve, 'GET', '/v1/identity')).data
    const theirs = await server.createDirectory('Theirs', server.admin, company)
    await server.put(theirs, 'from an admin.txt', 'x', { who: server.admin })
    await server.put(theirs, 'from eve.txt', 'x', { who: server.eve })
    const listUploaders = async (who: Record<string, string>) =>
      (await server.json(who, 'GET', `/v1/file?directory=${theirs}&sort=name`)).data.map((file: FileRow) => file.uploaded_by)
    const nameOf = async (who: Record<string, string>) => (await server.json(who, 'GET', '/v1/identity')).data.name
    expect(await listUploaders(server.eve)).toEqual(['An administrator', await nameOf(server.eve)])
    expect(await listUploaders(server.admin)).toEqual([await nameOf(server.admin), await nameOf(server.eve)])
  })

  it('is searched by any part of a name, without wildcards', async () => {
    await using server = await openFileOffice()
    for (const name of ['Annual Report 2026.pdf', 'report-draft.txt', '100% done_final.txt', 'Größe.txt', 'ab.txt']) {
      await server.put(server.directory, name)
    }
    const search = async (text: string) =>
      (await server.listNames(server.kim, `?sort=name&search=${encodeURIComponent(text)}`)) as string[]
    expect(await search('REPORT')).toEqual(['Annual Report 2026.pdf', 'report-draft.txt'])
    expect(await search('port 20')).toEqual(['Annual Report 2026.pdf'])
    expect(await search('größe')).toEqual(['Größe.txt'])
    expect(await search('%')).toEqual(['100% done_final.txt'])
    expect(await search('e_f')).toEqual(['100% done_final.txt'])
    expect(await search('ab')).toEqual(['ab.txt'])
    expect(await search('"ab')).toEqual([])
    expect(await search('nothing like it')).toEqual([])
  })

  it('returns every file exactly once across pages, in every order', async () => {
    await using server = await openFileOffice()
    for (let i = 0; i < 25; i++) {
      await server.put(server.directory, `file ${String(i).padStart(2, '0')}.txt`, 'x'.repeat(i % 5))
      server.advance(i % 3)
    }
    for (const sort of ['name', '-name', 'size', '-size', 'created_at', '-created_at']) {
      const seen: string[] = []
      let cursor = ''
      do {
        const page = await server.json(server.kim, 'GET', `/v1/file?limit=7&sort=${sort}${cursor && `&cursor=${cursor}`}`)
        seen.push(...page.data.map((file: { id: string }) => file.id))
        cursor = page.next ?? ''
      } while (cursor)
      expect(new Set(seen).size, sort).toBe(25)
      expect(seen, sort).toHaveLength(25)
    }
  })

  it('is filtered by directory and by kind', async () => {
    await using server = await openFileOffice()
    const other = await server.createDirectory('Other')
    await server.put(server.directory, 'a.pdf', '%PDF-1.7\n')
    await server.put(other, 'b.txt')
    expect(await server.listNames(server.kim, '?kind=pdf')).toEqual(['a.pdf'])
    expect(await server.listNames(server.kim, '?kind=text')).toEqual(['b.txt'])
    expect(await server.listNames(server.kim, `?directory=${other}`)).toEqual(['b.txt'])
    expect(await server.listNames(server.kim, '?directory=&company=')).toHaveLength(2)
  })
})
