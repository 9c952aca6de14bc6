import type { DirectoryRow } from '@neptune/contract'
import { addDirectory, expect, freshly } from './fixtures.ts'
import { addLink, visit } from './link-steps.ts'

const tus = { ...freshly, 'tus-resumable': '1.0.0' }

/** A recipient has announced ten thousand bytes and sent four thousand of them. */
export async function startUpload(baseURL: string | undefined, given?: DirectoryRow) {
  const directory = given ?? (await addDirectory(baseURL, 'Plans'))
  const { key, accessCode } = await addLink(baseURL, directory, { linkType: 'LINK_EDITABLE_DIRECTORY' })
  const { token } = await visit(baseURL, key, accessCode)
  const headers = { ...tus, authorization: `Bearer ${token}` }
  const metadata = `filename ${btoa('Film.mp4')},directory ${btoa(directory.id)}`
  const begun = await fetch(`${baseURL}/v1/upload`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': '10000', 'upload-metadata': metadata },
  })
  const url = `${baseURL}${begun.headers.get('location')}`
  const send = (offset: number, bytes: number) => {
    const piece = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
    return fetch(url, { method: 'PATCH', headers: { ...headers, ...piece }, body: new Uint8Array(bytes) })
  }
  expect((await send(0, 4000)).status).toBe(204)
  return { directory, send }
}
