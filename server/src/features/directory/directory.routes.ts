import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { readerOnly, staffOnly } from '../../lib/actor.ts'
import {
  createDirectory,
  directoryTicket,
  giveDirectoryName,
  listVisibleDirectories,
  readDirectory,
  removeDirectory,
  restoreDirectory,
} from './directory.service.ts'

export function directoryRoutes(app: FastifyInstance, deps: Deps) {
  const { directory } = api
  serve(app, directory.list, ({ actor, query, requester }) =>
    listVisibleDirectories(deps, staffOnly(actor), { ...query, requester }),
  )
  serve(app, directory.create, async ({ actor, body }) => ({ data: await createDirectory(deps, staffOnly(actor), body) }))
  serve(app, directory.read, async ({ actor, params }) => ({ data: await readDirectory(deps, staffOnly(actor), params.id) }))
  serve(app, directory.rename, async ({ actor, params, body }) => ({
    data: await giveDirectoryName(deps, staffOnly(actor), params.id, body.directory),
  }))
  serve(app, directory.remove, async ({ actor, params }) => void (await removeDirectory(deps, staffOnly(actor), params.id)))
  serve(app, directory.restore, async ({ actor, params }) => ({
    data: await restoreDirectory(deps, staffOnly(actor), params.id),
  }))
  serve(app, directory.ticket, async ({ actor, params }) => ({
    data: await directoryTicket(deps, readerOnly(actor), params.id),
  }))
}
