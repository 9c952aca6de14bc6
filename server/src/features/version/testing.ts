import { createHash } from 'node:crypto'
import type { VersionRow } from '@neptune/contract'
import { openFileOffice } from '../file/testing.ts'
import { checkFiles, type Finding } from '../integrity/integrity.service.ts'

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

export const dayMs = 24 * 60 * 60_000

/** Starts a server with helpers for versions and copies. */
export async function openVersionOffice(settings: Record<string, string> = {}) {
  const server = await openFileOffice({ SESSION_IDLE_MINUTES: '6000000', ...settings })
  const { kim, json, deps } = server
  const replace = async (name: string, text: string, directory = server.directory) =>
    (await server.put(directory, name, text, { query: '?conflict=replace' })).data
  const listVersions = async (id: string, who = kim): Promise<VersionRow[]> =>
    (await json(who, 'GET', `/v1/file/${id}/version`)).data
  /** Returns the content of each version that the API lists, newest first. */
  const readVersions = async (id: string) => {
    const texts: string[] = []
    for (const version of await listVersions(id)) {
      const reply = await server.get(`/v1/file/${id}?version=${version.id}`)
      texts.push(reply.ok ? await reply.text() : `${reply.status}`)
    }
    return texts
  }
  const readText = async (id: string) => (await server.get(`/v1/file/${id}`)).text()
  const copy = (body: object, who = kim) => json(who, 'POST', '/v1/copy', { to: server.directory, ...body })
  const readBytes = async (company = server.company) =>
    Number((await deps.db.selectFrom('company').select('bytes').where('id', '=', company).executeTakeFirstOrThrow()).bytes)
  const listReferences = () => deps.db.selectFrom('shared_blob').selectAll().orderBy('blob_id').execute()
  /** Checks every row, counter, reference and byte. */
  const check = async (isRepair = false): Promise<string[]> => {
    const found: Finding[] = []
    await checkFiles(deps, { isScrub: true, isRepair, isAlone: true, report: (finding) => found.push(finding) })
    return found.map(({ text }) => text)
  }
  return { ...server, replace, listVersions, readVersions, readText, copy, readBytes, listReferences, check }
}
