import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blobIn } from './blob-in.ts'
import { digest } from './client.ts'
import { runCommand } from './run-command.ts'
import { type ListedFile, startSignedIn } from './signed-in.ts'

export const makeId = () => randomBytes(16).toString('base64url')

/** Starts a signed-in server on a folder that outlives it. */
export async function openServer(folder: string, more: Record<string, string> = {}) {
  const neptune = await startSignedIn({ DATA_DIR: join(folder, 'data'), ...more })
  const { get, send, list } = neptune
  const post = (path: string, body: object) => send('POST', path, body)
  const directories = async () =>
    (await (await get('/v1/directory')).json()).data as { id: string; files: number; size: number }[]
  const put = async (name: string, bytes: Uint8Array) => {
    const reply = await neptune.put(name, bytes)
    return { status: reply.status, id: ((await reply.json()) as { data?: ListedFile }).data?.id ?? '' }
  }
  /** Downloads every listed file, and returns their SHA-256 hashes by name. */
  const downloadHashes = async () => {
    const hashes: Record<string, string> = {}
    for (const { id, file_name } of await list())
      hashes[file_name] = digest(new Uint8Array(await (await get(`/v1/file/${id}`)).arrayBuffer()))
    return hashes
  }
  return { ...neptune, directories, post, put, downloadHashes }
}

export async function inFolder(work: (folder: string) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-operator-'))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const blobPath = (folder: string, id: string) => blobIn(join(folder, 'data'), id)

export function plantBlob(folder: string, id: string) {
  mkdirSync(join(blobPath(folder, id), '..'), { recursive: true })
  writeFileSync(blobPath(folder, id), 'an unknown blob')
}

/** Flips one bit of a file. */
export function flip(path: string) {
  const bytes = readFileSync(path)
  bytes[100] = (bytes[100] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

export const makeCommand = (folder: string, more: Record<string, string> = {}) => {
  return (...args: string[]) => runCommand(args, { DATA_DIR: join(folder, 'data'), ...more })
}

/** Returns all files from all pages of the list, by name. */
export async function listAllFiles(office: { get: (path: string) => Promise<Response> }): Promise<Map<string, ListedFile>> {
  const rows = new Map<string, ListedFile>()
  for (let cursor = ''; ; ) {
    const page = await (await office.get(`/v1/file?limit=200${cursor && `&cursor=${cursor}`}`)).json()
    for (const row of page.data as ListedFile[]) rows.set(row.file_name, row)
    if (!page.next) return rows
    cursor = page.next
  }
}

/** One file in a tar. */
export interface ArchiveEntry {
  name: string
  bytes: Buffer
  /** The original header. */
  header?: Buffer
}

export function parseTar(tar: Buffer): ArchiveEntry[] {
  const entries: ArchiveEntry[] = []
  for (let at = 0; tar[at] !== 0; ) {
    const header = tar.subarray(at, at + 512)
    const size = Number.parseInt(header.toString('latin1', 124, 135), 8)
    entries.push({
      name: header.toString('latin1', 0, 100).replace(/\0.*$/s, ''),
      bytes: tar.subarray(at + 512, at + 512 + size),
      header,
    })
    at += 512 + Math.ceil(size / 512) * 512
  }
  return entries
}

export const editEntry = (entries: ArchiveEntry[], name: string, edit: (text: string) => string): ArchiveEntry[] =>
  entries.map((entry) => (entry.name === name ? { ...entry, bytes: Buffer.from(edit(entry.bytes.toString())) } : entry))

/** Builds a tar archive with correct lengths and checksums. */
export function buildTar(entries: ArchiveEntry[]): Buffer {
  const blocks = entries.flatMap(({ name, bytes, header }) => [
    makeHeader(name, bytes.length, header),
    bytes,
    Buffer.alloc((512 - (bytes.length % 512)) % 512),
  ])
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

function makeHeader(name: string, size: number, from: Buffer = Buffer.alloc(512)): Buffer {
  const header = Buffer.from(from)
  header.fill(0, 0, 100).write(name, 0, 'latin1')
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write(' '.repeat(8), 148)
  const sum = header.reduce((sum, byte) => sum + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}
