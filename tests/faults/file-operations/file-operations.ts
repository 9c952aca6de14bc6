import type { ApiResponse } from '../../support/call-api.ts'
import { digest } from '../../support/client.ts'
import { fileNames } from './folder-operations.ts'
import { shared } from './model.ts'
import {
  type Context,
  callUntilAvailable,
  hasRoomForNumber,
  listOwnFiles,
  listQuotaCodes,
  type Operation,
  pickTarget,
  readAssignedName,
} from './operation.ts'

const tus = { 'tus-resumable': '1.0.0' }
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Returns random bytes: mostly few, sometimes more than the buffers between client and disk hold. */
const makeBytes = ({ random }: Context) =>
  random.bytes(random.chance(0.05) ? random.between(50_000, 200_000) : random.between(1, 3000))

interface Upload {
  bytes: Buffer
  sha256: string
  /** The URL path of a tus upload, once it was created. */
  path: string
  send: () => Promise<ApiResponse | undefined>
  /** Resumes or cancels a tus upload after a restart. */
  recover: () => Promise<void>
}

/** Prepares an upload by PUT or tus. */
function makeUpload(context: Context, folder: string, name: string, conflict: 'keep' | 'replace'): Upload {
  const { random } = context
  const bytes = makeBytes(context)
  const isTus = random.chance(0.4)
  const isResumed = random.chance(0.5)
  const upload: Upload = {
    bytes,
    sha256: digest(bytes),
    path: '',
    send: () =>
      isTus ? sendByTus(context, upload, { folder, name, conflict }) : sendByPut(context, bytes, folder, name, conflict),
    async recover() {
      if (upload.path === '') return
      const call: Context['call'] = (method, path, body, headers) =>
        callUntilAvailable(context, method, path, body, { ...context.client.headers, ...headers })
      const reply = isResumed ? await sendRest({ call }, upload) : await call('DELETE', upload.path, undefined, tus)
      const isExpected = reply !== undefined && (reply.status < 300 || [404, 410, 507].includes(reply.status))
      if (!isExpected) context.violations.push(`${upload.path} could not be ended: ${reply?.status} ${reply?.body?.code}`)
    },
  }
  return upload
}

function sendByPut({ call }: Context, bytes: Buffer, folder: string, name: string, conflict: string) {
  const head = Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n')
  const form = Buffer.concat([head, bytes, Buffer.from('\r\n--x--\r\n')])
  const path = `/v1/file/${folder}/${encodeURIComponent(name)}?conflict=${conflict}`
  return call('PUT', path, form, { 'content-type': 'multipart/form-data; boundary=x' })
}

async function sendByTus(context: Context, upload: Upload, target: { folder: string; name: string; conflict: string }) {
  const { name, folder, conflict } = target
  const metadata = `filename ${base64(name)},directory ${base64(folder)},conflict ${base64(conflict)}`
  const headers = { ...tus, 'upload-length': String(upload.bytes.length), 'upload-metadata': metadata }
  const created = await context.call('POST', '/v1/upload', undefined, headers)
  if (created?.status !== 201) return created
  upload.path = created.headers.get('location') ?? ''
  return sendRest(context, upload)
}

/** Sends what the server doesn't have yet, in two requests if it has nothing. */
async function sendRest({ call }: Pick<Context, 'call'>, { path, bytes }: Upload): Promise<ApiResponse | undefined> {
  let reply = await call('HEAD', path, undefined, tus)
  for (let offset = 0; reply && reply.status < 300; ) {
    offset = Number(reply.headers.get('upload-offset'))
    if (offset >= bytes.length) break
    const part = bytes.subarray(offset, offset === 0 && bytes.length > 2000 ? 1000 : bytes.length)
    const headers = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
    reply = await call('PATCH', path, part, headers)
  }
  return reply
}

/** Returns the id of the uploaded file. */
const readFileId = ({ body, headers }: ApiResponse): string => headers.get('neptune-file') ?? body?.data?.id

export function uploadFile(context: Context): Operation | undefined {
  const { model, client, random } = context
  const target = pickTarget(context)
  if (!target) return undefined
  const wanted = random.pick(fileNames)
  const upload = makeUpload(context, target.id, wanted, 'keep')
  const { bytes, sha256, send, recover } = upload
  const add = (id: string, name: string) =>
    model.addFile({ id, parent: target.id, name, owner: client.index }, { id, size: bytes.length, sha256 })
  return {
    kind: 'upload',
    mayFail: listQuotaCodes(context, target),
    send,
    async apply(reply) {
      const id = readFileId(reply)
      const name = await readAssignedName(context, { kind: 'file', name: wanted }, id, target)
      if (name !== undefined) add(id, name)
      return name !== undefined
    },
    recover,
    settle(state) {
      const row = [...state.files.values()].find((row) => row.sha256 === sha256 && !model.files.has(row.id))
      if (row) add(row.id, target.owner === shared ? row.name : model.findFreeName(target.id, wanted, 'file'))
      return row !== undefined
    },
  }
}

export function replaceFile(context: Context): Operation | undefined {
  const { model, random, call } = context
  const files = listOwnFiles(context)
  if (files.length === 0) return undefined
  const file = random.pick(files)
  const { bytes, sha256, send, recover } = makeUpload(context, file.parent, file.name, 'replace')
  const add = (id: string) => model.addVersion(file, { id, size: bytes.length, sha256 })
  return {
    kind: 'replace',
    mayFail: listQuotaCodes(context, model.getFolder(file.parent)),
    send,
    async apply(reply) {
      if (readFileId(reply) !== file.id) context.violations.push(`${file.name} (${file.id}) became ${readFileId(reply)}`)
      const versions = await call('GET', `/v1/file/${file.id}/version`)
      if (versions) add(versions.body.data[0].id)
      return versions !== undefined
    },
    recover,
    settle(state) {
      const row = state.files.get(file.id)
      if (row?.sha256 !== sha256) return false
      add(row.blob_id)
      return true
    },
  }
}

/** Copies a file that another client may change, move to the trash or purge at the same time. */
export function copyForeignFile(context: Context): Operation | undefined {
  const { model, client, random, call, foreignCopies } = context
  const sources = [...model.files.values()].filter(
    (file) => file.owner !== client.index && model.isLive(file) && hasRoomForNumber(file),
  )
  const target = pickTarget(context)
  if (sources.length === 0 || !target) return undefined
  const source = random.pick(sources)
  // The owner may have renamed the file in the meantime, so the name comes from the server.
  const add = (id: string, name: string, version: { id: string; size: number; sha256: string }) => {
    model.addFile({ id, parent: target.id, name, owner: client.index }, version)
    const copy = model.files.get(id)
    if (copy) foreignCopies.push({ copy, source })
  }
  return {
    kind: 'copy of another client’s file',
    mayFail: ['file.not_found', 'server.busy', ...listQuotaCodes(context, target)],
    send: () => call('POST', '/v1/copy', { files: [source.id], to: target.id }),
    async apply({ body }) {
      const [{ id, name }] = body.data.files
      const versions = await call('GET', `/v1/file/${id}/version`)
      if (versions) add(id, name, versions.body.data[0])
      return versions !== undefined
    },
    settle(state) {
      const row = [...state.files.values()].find((row) => {
        const blobs = [...source.history, state.files.get(source.id)?.blob_id]
        return row.directory_id === target.id && !model.files.has(row.id) && blobs.includes(row.blob_id)
      })
      if (row) add(row.id, row.name, { id: row.blob_id, size: row.size, sha256: row.sha256 })
      return row !== undefined
    },
  }
}
