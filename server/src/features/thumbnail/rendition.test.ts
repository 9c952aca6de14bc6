import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { newBlobId } from '../../lib/secrets.ts'
import { buildPdf } from '../../media/testing-pdf.ts'
import { emptyTrash, removeOrphans } from '../trash/trash.service.ts'
import { dayMs, openVersionOffice } from '../version/testing.ts'
import { findDocumentToConvert, findRendition, requestRendition, setRendition } from './rendition.repo.ts'
import { removeUnusedRenditions } from './rendition.service.ts'

type Office = Awaited<ReturnType<typeof openVersionOffice>>

const name = 'plan.rtf'
const now = '2026-12-01T00:00:00.000Z'

/** Stores the PDF of a document, as if LibreOffice had made it. */
async function addPdf({ deps }: Office, document: string, pdf: Buffer): Promise<string> {
  const pdf_id = newBlobId()
  await deps.blobs.put(pdf_id, Readable.from([pdf]), { maxSize: pdf.length })
  await requestRendition(deps.db, document, now)
  await setRendition(deps.db, document, 'wanted', { state: 'made', pdf_id, pdf_size: pdf.length })
  return pdf_id
}

/** Returns the bytes of the PDF that a preview shows; undefined if there is none. */
async function preview({ json, kim, origin }: Office, id: string, version?: string) {
  const { data } = await json(kim, 'POST', `/v1/file/${id}/preview`, { version })
  if (data.url === null) return undefined
  expect(data).toMatchObject({ as: 'pdf', pending: false })
  return Buffer.from(await (await fetch(origin + data.url)).arrayBuffer())
}

/** Deletes a file for good, and then the bytes that are no longer referenced. */
async function purge(office: Office, id: string) {
  await office.json(office.kim, 'POST', '/v1/file/delete', { ids: [id] })
  office.advance(31 * dayMs)
  await emptyTrash(office.deps)
  await removeUnused(office)
}

async function removeUnused(office: Office) {
  await removeUnusedRenditions(office.deps)
  await removeOrphans(office.deps)
}

it('shows the PDF of each version of a document', async () => {
  await using office = await openVersionOffice()
  const [older, newer] = [buildPdf('0 0 m'), buildPdf('1 1 m 2 2 l')]
  const { id } = (await office.put(office.directory, name, '{\\rtf1 old}')).data
  await addPdf(office, id, older)
  expect(await preview(office, id)).toEqual(older)
  await office.replace(name, '{\\rtf1 new}')
  expect(await preview(office, id)).toBeUndefined()
  const [current, previous] = await office.listVersions(id)
  await addPdf(office, current?.id ?? '', newer)
  expect(await preview(office, id)).toEqual(newer)
  expect(await preview(office, id, previous?.id)).toEqual(older)
  await office.json(office.kim, 'POST', `/v1/file/${id}/version/${previous?.id}/restore`)
  expect([await preview(office, id), await preview(office, id, current?.id)]).toEqual([older, newer])
  expect(await office.check()).toEqual([])
})

it('keeps the PDF of a document as long as a file, a copy or a version has its bytes', async () => {
  await using office = await openVersionOffice()
  const { id } = (await office.put(office.directory, name, '{\\rtf1 old}')).data
  const pdf = buildPdf('0 0 m')
  const pdfId = await addPdf(office, id, pdf)
  const copy = (await office.copy({ files: [id] })).data.files[0].id
  await purge(office, id)
  expect(await preview(office, copy)).toEqual(pdf)
  const copiedName = (await office.json(office.kim, 'GET', '/v1/file')).data[0].file_name
  await office.replace(copiedName, '{\\rtf1 new}')
  await removeUnused(office)
  expect(await preview(office, copy, id)).toEqual(pdf)
  await office.json(office.kim, 'DELETE', `/v1/file/${copy}/version/${id}`)
  await removeUnused(office)
  expect(await findRendition(office.deps.db, id)).toBeUndefined()
  expect(await office.deps.blobs.getSize(pdfId)).toBeUndefined()
  expect(await office.check()).toEqual([])
})

it('converts the document that was requested first, whether it is a file, a copy or a version', async () => {
  await using office = await openVersionOffice()
  const { db } = office.deps
  const add = async (name: string) => (await office.put(office.directory, name, '{\\rtf1 old}')).data.id
  const [file, original, replaced] = [await add('file.rtf'), await add('original.rtf'), await add('replaced.rtf')]
  await office.copy({ files: [original] })
  await purge(office, original)
  await office.replace('replaced.rtf', '{\\rtf1 new}')
  const requested = [replaced, original, file]
  for (const [i, id] of requested.entries()) await requestRendition(db, id, `2026-12-0${i + 1}T00:00:00.000Z`)
  await requestRendition(db, 'gone', '2026-11-01T00:00:00.000Z')
  for (const id of requested) {
    expect(await findDocumentToConvert(db)).toMatchObject({ blob_id: id, size: 11, content_type: 'application/rtf' })
    await setRendition(db, id, 'wanted', { state: 'failed' })
  }
  expect(await findDocumentToConvert(db)).toBeUndefined()
})
