import type { DirectoryRow, FileRow } from '@neptune/contract'
import { openOffice } from '../link/testing.ts'

type Headers = Record<string, string>

/** Starts a server as `openOffice` does, with helpers for folders. */
export async function openTree(...settings: Parameters<typeof openOffice>) {
  const office = await openOffice(...settings)
  const { call, data, kim, put } = office
  const send = async (method: string, url: string, who: Headers, body?: object) => {
    const reply = await call(method, url, who, body)
    return { status: reply.statusCode, ...(reply.body ? reply.json() : {}) }
  }
  /** Creates folders by a path, and returns the id of the last one. */
  const addFolder = async (directory: string, path: string, who: Headers = kim): Promise<string> => {
    const reply = await send('POST', `/v1/directory/${directory}/folders`, who, { paths: [path.split('/')] })
    if (reply.status !== 200) throw new Error(JSON.stringify(reply))
    return reply.data[0].id
  }
  const readDirectory = (id: string, who: Headers = kim): Promise<DirectoryRow> => data('GET', `/v1/directory/${id}`, who)
  const readTotals = async (id: string) => {
    const { files, size } = await readDirectory(id)
    return { files, size }
  }
  const listFolders = async (query: string, who: Headers = kim): Promise<string[]> =>
    (await data('GET', `/v1/directory${query}`, who)).map((row: DirectoryRow) => row.directory)
  const listFiles = async (query: string, who: Headers = kim): Promise<string[]> =>
    (await data('GET', `/v1/file${query}`, who)).map((row: FileRow) => row.file_name)
  const upload = async (directory: string, name: string, query = '', who: Headers = kim): Promise<FileRow> => {
    const reply = await put(directory, name, who, name, query)
    if (reply.statusCode !== 200) throw new Error(reply.body)
    return reply.json().data
  }
  const move = (body: { files?: string[]; directories?: string[]; to: string }, who: Headers = kim) =>
    send('POST', '/v1/move', who, body)
  /** Returns the names of a directory and all that contain it, joined by slashes. */
  const pathOf = async (id: string) => {
    const { path, directory } = await readDirectory(id)
    return [...path.map(({ name }) => name), directory].join('/')
  }
  const readCompanyTotals = async () => (await data('GET', '/v1/stats', kim)) as Record<string, number>
  return {
    ...office,
    send,
    addFolder,
    readDirectory,
    readTotals,
    listFolders,
    listFiles,
    upload,
    move,
    pathOf,
    readCompanyTotals,
  }
}

export type Tree = Awaited<ReturnType<typeof openTree>>
