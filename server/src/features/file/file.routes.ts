import { api } from '@neptune/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { createReplyAbortSignal, createRequestAbortSignal } from '../../http/hung-up.ts'
import { readMultipartFile } from '../../http/multipart.ts'
import { type Download, sendDownload } from '../../http/send-download.ts'
import { serve } from '../../http/serve.ts'
import { requireReader, requireStaff } from '../../lib/actor.ts'
import { findClashes } from './clash.service.ts'
import { downloadByTicket, downloadDirectory, downloadFile } from './download.service.ts'
import { createFileTicket, createPreview, listVisibleFiles, removeFiles, renameFile, restoreFiles } from './file.service.ts'
import { uploadFile } from './upload.service.ts'

export function fileRoutes(app: FastifyInstance, deps: Deps) {
  const { file } = api
  serve(app, file.list, ({ actor, query, requester }) => listVisibleFiles(deps, requireReader(actor), { ...query, requester }))
  serve(app, file.clashes, async ({ actor, body }) => ({ data: await findClashes(deps, requireStaff(actor), body) }))
  serve(app, file.rename, async ({ actor, params, body }) => ({
    data: await renameFile(deps, requireStaff(actor), params.id, body.file_name),
  }))
  serve(app, file.remove, async ({ actor, params }) => void (await removeFiles(deps, requireStaff(actor), [params.id])))
  serve(app, file.removeMany, async ({ actor, body }) => void (await removeFiles(deps, requireStaff(actor), body.ids)))
  serve(app, file.restoreMany, async ({ actor, body }) => ({ data: await restoreFiles(deps, requireStaff(actor), body.ids) }))
  serve(app, file.ticket, async ({ actor, params }) => ({ data: await createFileTicket(deps, requireReader(actor), params.id) }))
  serve(app, file.preview, async ({ actor, params }) => ({ data: await createPreview(deps, requireReader(actor), params.id) }))

  serve(app, file.upload, async ({ actor, params, query, request }) => {
    const receive = async () => ({ ...(await readMultipartFile(request)), signal: createRequestAbortSignal(request) })
    return { data: await uploadFile(deps, requireReader(actor), { ...params, ...query }, getContentLength(request), receive) }
  })

  serve(app, file.download, async ({ actor, params, request, reply }) => {
    await sendDownload(request, reply, await downloadFile(deps, requireReader(actor), params.id))
  })
  serve(app, api.directory.download, async ({ actor, params, request, reply }) => {
    await sendDownload(request, reply, await downloadDirectory(deps, requireReader(actor), params.id, getReading(request, reply)))
  })
  serve(app, file.byTicket, async ({ params, request, reply }) => {
    const download: Download = await downloadByTicket(deps, params.ticket, ['file', 'zip'], getReading(request, reply))
    const url = await download.findRedirectUrl?.()
    if (url) reply.redirect(url)
    else await sendDownload(request, reply, download)
  })
  serve(app, file.thumbnail, async ({ params, request, reply }) => {
    const picture = await downloadByTicket(deps, params.ticket, ['picture'], getReading(request, reply))
    await sendDownload(request, reply, { ...picture, isPicture: true })
  })
  serve(app, file.byPreview, async ({ params, request, reply }) => {
    const preview = await downloadByTicket(deps, params.ticket, ['preview'], getReading(request, reply))
    await sendDownload(request, reply, { ...preview, framedBy: deps.config.corsOrigins })
  })
}

const getReading = (request: FastifyRequest, reply: FastifyReply) => ({
  address: request.ip,
  isHead: request.method === 'HEAD',
  signal: createReplyAbortSignal(reply),
})

const getContentLength = ({ headers }: FastifyRequest) => Number(headers['content-length'] ?? 0)
