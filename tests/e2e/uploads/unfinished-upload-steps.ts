import type { DirectoryRow } from '@neptune/contract'
import { withoutKeepAlive } from '../calls.ts'
import { addDirectory, expect } from '../fixtures.ts'
import { addLink, verifyCode } from '../links/link-steps.ts'

const tus = { ...withoutKeepAlive, 'tus-resumable': '1.0.0' }

/** Starts a recipient's upload of 10,000 bytes and sends the first 4,000. */
export async function startUpload(baseURL: string | undefined, existingDirectory?: DirectoryRow) {
  const directory = existingDirectory ?? (await addDirectory(baseURL, 'Plans'))
  const { key, accessCode } = await addLink(baseURL, directory, { linkType: 'LINK_EDITABLE_DIRECTORY' })
  const { token } = await verifyCode(baseURL, key, accessCode)
  const headers = { ...tus, authorization: `Bearer ${token}` }
  const metadata = `filename ${btoa('Film.mp4')},directory ${btoa(directory.id)}`
  const created = await fetch(`${baseURL}/v1/upload`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': '10000', 'upload-metadata': metadata },
  })
  const url = `${baseURL}${created.headers.get('location')}`
  const send = (offset: number, bytes: number) => {
    const chunkHeaders = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
    return fetch(url, { method: 'PATCH', headers: { ...headers, ...chunkHeaders }, body: new Uint8Array(bytes) })
  }
  expect((await send(0, 4000)).status).toBe(204)
  return { directory, send }
}
