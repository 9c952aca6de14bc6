import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { sendExport } from '../../http/send-export.ts'
import { serve } from '../../http/serve.ts'
import { requireReader, requireStaff } from '../../lib/actor.ts'
import { findClashes } from './clash.service.ts'
import { createFileTicket, listVisibleFiles, renameFile } from './file.service.ts'
import { openFileExport } from './file-export.service.ts'
import { restoreFiles, trashFiles } from './file-trash.service.ts'
import { createPreview } from './preview.service.ts'

export function fileRoutes(app: FastifyInstance, deps: Deps) {
  const { file } = api
  serve(app, file.list, ({ actor, query, requester }) => listVisibleFiles(deps, requireReader(actor), { ...query, requester }))
  serve(app, file.export, async ({ actor, query, requester, request, reply }) => {
    const [{ isGone }, isHead] = [requester, request.method === 'HEAD']
    return sendExport(reply, openFileExport(deps, requireStaff(actor), query, { isGone, isHead }))
  })
  serve(app, file.clashes, async ({ actor, body }) => ({ data: await findClashes(deps, requireStaff(actor), body) }))
  serve(app, file.rename, async ({ actor, params, body }) => ({
    data: await renameFile(deps, requireStaff(actor), params.id, body.file_name),
  }))
  serve(app, file.remove, async ({ actor, params }) => void (await trashFiles(deps, requireStaff(actor), [params.id])))
  serve(app, file.removeMany, async ({ actor, body }) => void (await trashFiles(deps, requireStaff(actor), body.ids)))
  serve(app, file.restoreMany, async ({ actor, body }) => ({ data: await restoreFiles(deps, requireStaff(actor), body.ids) }))
  serve(app, file.ticket, async ({ actor, params, body }) => ({
    data: await createFileTicket(deps, requireReader(actor), params.id, body.version),
  }))
  serve(app, file.preview, async ({ actor, params, body }) => ({
    data: await createPreview(deps, requireReader(actor), params.id, body.version),
  }))
}
