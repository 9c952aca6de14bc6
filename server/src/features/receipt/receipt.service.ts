import { createHash } from 'node:crypto'
import { type api, canonicalJson, type Parsed, type Receipt, type SignedReceipt } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { allCompanies, getCompanyScope, type Recipient, requireRight, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { normalizeEmail } from '../../lib/email.ts'
import { signReceipt } from '../../lib/receipt-key.ts'
import { newId } from '../../lib/secrets.ts'
import { emails } from '../../mail/emails/emails.ts'
import { toOwnerAddress } from '../access/link-emails.service.ts'
import { record } from '../audit/audit.service.ts'
import { readNameForRecipients } from '../brand/brand.service.ts'
import { findLink } from '../link/link.repo.ts'
import { type Compose, describeDelivery, enqueueMail } from '../outbox/outbox.service.ts'
import { readMailDelivery } from '../settings/mail-server.service.ts'
import { countUses } from '../throttle/throttle.service.ts'
import {
  findReceipt,
  findReceiptByFiles,
  insertReceipt,
  listReceipts,
  listVisitUploads,
  type ReceiptRow,
} from './receipt.repo.ts'

const hourMs = 60 * 60_000
/** The maximum number of files in one receipt. */
const maxFiles = 10_000
const maxReceipts = 500
const maxFilesListed = 20

/**
 * Issues a signed receipt for files uploaded in this visit: all of them, or only those given. A repeated request returns the same receipt.
 * New receipts are rate limited, because each one is stored.
 */
export async function issueReceipt(deps: Deps, actor: Recipient, files: string[] | undefined): Promise<SignedReceipt> {
  requireRight(actor, 'add')
  const wanted = files && [...new Set(files)]
  const uploads = await listVisitUploads(deps.db, actor.sessionId, wanted, maxFiles + 1)
  if (uploads.length > maxFiles)
    throw new AppError('request.invalid', {
      fields: [{ field: 'files', message: 'Choose the files: at most 10,000 at a time.' }],
    })
  if (uploads.length < (wanted?.length ?? 1)) throw new AppError('file.not_found')
  const files_hash = hashIds(uploads.map(({ id }) => id))
  const known = await findReceiptByFiles(deps.db, actor.sessionId, files_hash)
  if (known) return toSignedReceipt(known)
  await countUses(deps, 'link.too_many_tries', [{ key: ['receipt', actor.client, actor.link.key], limit: 60, windowMs: hourMs }])
  const link = await findLink(deps.db, actor.link.key, allCompanies)
  if (!link) throw new AppError('link.closed')
  const receipt: Receipt = {
    version: 1,
    id: newId(),
    issued_at: deps.now().toISOString(),
    server: deps.config.publicUrl,
    received_by: { name: link.owner_name, company: await readNameForRecipients(deps, link.owner_company_name) },
    company: link.company_name,
    link: { key: link.key, name: link.name },
    files: uploads.map(({ name, size, sha256, at }) => ({ name, size: Number(size), sha256, received_at: at })),
    total_files: uploads.length,
    total_bytes: uploads.reduce((sum, { size }) => sum + Number(size), 0),
  }
  return storeReceipt(deps, actor, receipt, { company_id: link.company_id, files_hash })
}

/** Signs and stores a receipt. Of concurrent requests for the same files, all return the one stored first. */
async function storeReceipt(
  deps: Deps,
  actor: Recipient,
  receipt: Receipt,
  { company_id, files_hash }: Pick<ReceiptRow, 'company_id' | 'files_hash'>,
): Promise<SignedReceipt> {
  const { id, issued_at, total_files, total_bytes, link } = receipt
  const body = canonicalJson(receipt)
  const { key: key_id, signature } = signReceipt(deps.keys.receipt, body)
  const origin = { company_id, link_key: link.key, session_id: actor.sessionId, client: actor.client }
  const row: ReceiptRow = { id, ...origin, files_hash, issued_at, total_files, total_bytes, body, key_id, signature }
  await deps.db.transaction().execute(async (trx) => {
    if (!(await insertReceipt(trx, row))) return
    const about = {
      company: company_id,
      link: link.key,
      directory: actor.link.directoryId,
      name: link.name,
      size: total_bytes,
      note: `${formatCount(total_files)}, ${id}`,
    }
    await record(deps, trx, [{ action: 'receipt.issued', by: actor, ...about }])
  })
  return toSignedReceipt((await findReceiptByFiles(deps.db, actor.sessionId, files_hash)) ?? row)
}

/** Returns a receipt to anyone who knows its id. */
export async function readReceipt(deps: Deps, id: string): Promise<SignedReceipt> {
  return toSignedReceipt(await requireReceipt(deps, id))
}

async function requireReceipt(deps: Deps, id: string): Promise<ReceiptRow> {
  const row = await findReceipt(deps.db, id)
  if (!row) throw new AppError('receipt.not_found')
  return row
}

/** Sends a receipt by email. Only the outbox keeps the address. Returns how emails are sent. */
export async function sendReceipt(
  deps: Deps,
  actor: Recipient,
  id: string,
  { email, language }: Parsed<typeof api.receipt.send>['body'],
) {
  requireRight(actor, 'add')
  const { link_key, company_id, body } = await requireReceipt(deps, id)
  if (link_key !== actor.link.key) throw new AppError('receipt.not_found')
  const to = normalizeEmail(email)
  const { link } = JSON.parse(body) as Receipt
  await deps.db.transaction().execute(async (trx) => {
    await enqueueMail(deps, trx, { letter: 'receipt', to, about: id, language, sender: actor })
    await record(deps, trx, [
      {
        action: 'receipt.sent',
        by: actor,
        company: company_id,
        link: link_key,
        directory: actor.link.directoryId,
        name: link.name,
        note: await describeDelivery({ ...deps, db: trx }, id),
      },
    ])
  })
  return { way: await readMailDelivery(deps) }
}

/**
 * Composes the email with a receipt. Replies go to the owner of the link only if the link was sent to this address:
 * uploaders can enter any.
 */
export const composeReceipt: Compose = async (deps, { about: id, to }) => {
  const { publicUrl } = deps.config
  const row = await findReceipt(deps.db, id)
  if (!row) return undefined
  const {
    received_by,
    company: client,
    link,
    files,
    total_files: count,
    total_bytes: bytes,
    issued_at,
  } = JSON.parse(row.body) as Receipt
  const company = received_by?.company ?? client
  const write = emails.receipt({
    company,
    client: client === company ? undefined : client,
    name: link.name,
    files: files.slice(0, maxFilesListed),
    count,
    bytes,
    issuedAt: issued_at,
    url: `${publicUrl}/receipt/${id}`,
    verifyUrl: `${publicUrl}/verify`,
  })
  const sharedLink = await findLink(deps.db, row.link_key, allCompanies)
  return { write, companyId: row.company_id, replyTo: sharedLink?.email === to ? toOwnerAddress(sharedLink) : undefined }
}

/** Lists the receipts of a link for staff who may see it. */
export async function listLinkReceipts(deps: Deps, actor: Staff, key: string) {
  if (!(await findLink(deps.db, key, getCompanyScope(actor)))) throw new AppError('link.not_found')
  const rows = await listReceipts(deps.db, key, maxReceipts)
  return rows.map((row) => ({ ...row, total_bytes: Number(row.total_bytes) }))
}

const toSignedReceipt = ({ body, key_id: key, signature }: ReceiptRow): SignedReceipt => ({
  receipt: JSON.parse(body),
  key,
  signature,
})

const formatCount = (files: number) => (files === 1 ? '1 file' : `${files} files`)

/** Hashes file ids, in any order. */
const hashIds = (ids: string[]) => createHash('sha256').update(ids.toSorted().join(' ')).digest('base64url')
