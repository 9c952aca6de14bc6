import type { SignedReceipt } from '@neptune/contract'
import { type Office, openOffice } from '../link/testing.ts'

type Headers = Record<string, string>

export const postReceipt = (office: Office, who: Headers, files?: string[]) =>
  office.call('POST', '/v1/receipt', who, files ? { files } : {})

export const emailReceipt = (office: Office, who: Headers, id: string, email: string) =>
  office.call('POST', `/v1/receipt/${id}/email`, who, { email })

/** Starts a server on which Rob has entered the code of an editable link to Kim's directory. */
export async function openOfficeForRob(environment: Record<string, string> = {}) {
  const office = await openOffice(environment)
  const link = await office.share('LINK_EDITABLE_DIRECTORY')
  const rob = await office.enter(link)
  const upload = (name: string, text = name, who = rob) => office.put(office.plans, name, who, text)
  const uploadAndGetFileId = async (name: string, who = rob): Promise<string> => (await upload(name, name, who)).json().data.id
  const fetchReceipt = async (who = rob): Promise<SignedReceipt> => (await postReceipt(office, who)).json().data
  return { ...office, link, rob, upload, uploadAndGetFileId, fetchReceipt }
}
