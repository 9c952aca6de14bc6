import type { api, Reply } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Reader } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { findPreviewFormat } from '../../lib/net/content-type.ts'
import { createTicket } from '../identity/ticket.service.ts'
import { findDocumentPreview } from './document-preview.service.ts'
import { getVisibleFile } from './file.service.ts'

/** Creates a URL for previewing a file. Anyone who may see a file may preview and download it. */
export async function createPreview(
  deps: Deps,
  actor: Reader,
  id: string,
  version?: string,
): Promise<Reply<typeof api.file.preview>['data']> {
  const file = await getVisibleFile(deps, actor, id, version)
  if (file.damaged_at !== null) throw new AppError('file.damaged')
  const document = await findDocumentPreview(deps, file)
  const as = document === 'ready' ? 'pdf' : (findPreviewFormat(file.content_type)?.as ?? null)
  const ticket = createTicket(deps, actor, { kind: 'preview', id: file.id, version })
  const url = as && `/v1/preview/${ticket}/${encodeURIComponent(document ? `${file.name}.pdf` : file.name)}`
  return { as, url, pending: document === 'pending' }
}
