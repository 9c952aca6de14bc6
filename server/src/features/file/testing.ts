import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FileRow } from '@neptune/contract'
import { startTestServer } from '../../testing.ts'

/**
 * Starts a server with Kim, Eve and an admin, each in a company of their own, and a directory of Kim's company. Requests use real connections,
 * so that bodies are streamed.
 */
export async function openFileOffice(...settings: Parameters<typeof startTestServer>) {
  const server = await startTestServer(...settings)
  await server.addUser({ email: 'kim@acme.example' })
  await server.addUser({ email: 'eve@globex.example' })
  await server.addUser({ email: 'admin@acme.example', role: 'NEPTUNE_ADMIN' })
  const origin = await server.listen()
  const [kim, eve, admin] = [
    await server.startSessionAs('kim@acme.example'),
    await server.startSessionAs('eve@globex.example'),
    await server.startSessionAs('admin@acme.example'),
  ]
  const call = async (who: Record<string, string>, method: string, path: string, body?: object) => {
    const headers = { ...who, ...(body && { 'content-type': 'application/json' }) }
    const reply = await fetch(origin + path, { method, headers, body: body ? JSON.stringify(body) : null })
    return { status: reply.status, text: await reply.text() }
  }
  const json = async (who: Record<string, string>, method: string, path: string, body?: object) => {
    const { status, text } = await call(who, method, path, body)
    return { status, ...(text ? JSON.parse(text) : {}) }
  }
  const company = (await json(kim, 'GET', '/v1/identity')).data.company
  const createDirectory = async (name: string, who = kim, client = company) =>
    (await json(who, 'POST', '/v1/directory', { directory: name, client })).data.id as string
  const put = async (
    directory: string,
    name: string,
    bytes: Uint8Array | string = 'hello',
    { who = kim, query = '', field = 'file', type = 'text/plain' } = {},
  ) => {
    const form = new FormData()
    form.set(field, new Blob([Buffer.from(bytes)], { type }), 'ignored.bin')
    const path = `/v1/file/${directory}/${encodeURIComponent(name)}${query}`
    const reply = await fetch(origin + path, { method: 'PUT', headers: who, body: form })
    const body = (await reply.json()) as { data: FileRow; code: string; errors: unknown[] }
    return { status: reply.status, ...body }
  }
  const get = (path: string, headers: Record<string, string> = {}, who = kim) =>
    fetch(origin + path, { headers: { ...who, ...headers } })
  const listNames = async (who = kim, query = '') =>
    (await json(who, 'GET', `/v1/file${query}`)).data.map((file: { file_name: string }) => file.file_name)
  /** Counts the unfinished uploads and the blobs in the store. */
  const countStored = () => ({
    tmp: readdirSync(join(server.folder, 'tmp')).length,
    blobs: readdirSync(join(server.folder, 'blobs'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      .length,
  })
  const directory = await createDirectory('Plans')
  return { ...server, origin, kim, eve, admin, call, json, company, createDirectory, put, get, listNames, countStored, directory }
}
