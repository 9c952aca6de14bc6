import { api } from '@neptune/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { createReplyAbortSignal } from '../../http/connection/abort-signals.ts'
import { type Download, sendDownload } from '../../http/send-download.ts'
import { serve } from '../../http/serve.ts'
import { requireReader } from '../../lib/actor.ts'
import { downloadByTicket, downloadDirectory, downloadFile } from './download.service.ts'
import { createZipTicket } from './zip-source.service.ts'

export function downloadRoutes(app: FastifyInstance, deps: Deps) {
  const { file } = api
  serve(app, file.download, async ({ actor, params, query, request, reply }) => {
    await sendDownload(request, reply, await downloadFile(deps, requireReader(actor), params.id, query))
  })
  serve(app, api.directory.download, async ({ actor, params, request, reply }) => {
    await sendDownload(
      request,
      reply,
      await downloadDirectory(deps, requireReader(actor), params.id, getReadOptions(request, reply)),
    )
  })
  serve(app, api.directory.ticket, async ({ actor, params, body }) => ({
    data: await createZipTicket(deps, requireReader(actor), params.id, body),
  }))
  serve(app, file.byTicket, async ({ params, request, reply }) => {
    const download: Download = await downloadByTicket(deps, params.ticket, ['file', 'zip'], getReadOptions(request, reply))
    const url = await download.findRedirectUrl?.()
    if (url) reply.redirect(url)
    else await sendDownload(request, reply, download)
  })
  serve(app, file.thumbnail, async ({ params, request, reply }) => {
    const thumbnail = await downloadByTicket(deps, params.ticket, ['picture'], getReadOptions(request, reply))
    await sendDownload(request, reply, { ...thumbnail, isThumbnail: true })
  })
  serve(app, file.byPreview, async ({ params, request, reply }) => {
    await sendDownload(request, reply, await downloadByTicket(deps, params.ticket, ['preview'], getReadOptions(request, reply)))
  })
}

const getReadOptions = (request: FastifyRequest, reply: FastifyReply) => ({
  address: request.ip,
  isHead: request.method === 'HEAD',
  signal: createReplyAbortSignal(reply),
})
