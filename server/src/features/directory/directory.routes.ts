import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { requireReader, requireStaff } from '../../lib/actor.ts'
import { changeDirectoryName, createDirectory, listVisibleDirectories, readDirectory } from './directory.service.ts'
import { restoreDirectory, trashDirectory } from './directory-trash.service.ts'
import { createFolders } from './folder.service.ts'

export function directoryRoutes(app: FastifyInstance, deps: Deps) {
  const { directory } = api
  serve(app, directory.list, ({ actor, query, requester }) =>
    listVisibleDirectories(deps, requireReader(actor), { ...query, requester }),
  )
  serve(app, directory.create, async ({ actor, body }) => ({ data: await createDirectory(deps, requireStaff(actor), body) }))
  serve(app, directory.createFolders, async ({ actor, params, body }) => ({
    data: await createFolders(deps, requireReader(actor), params.id, body),
  }))
  serve(app, directory.read, async ({ actor, params }) => ({ data: await readDirectory(deps, requireReader(actor), params.id) }))
  serve(app, directory.rename, async ({ actor, params, body }) => ({
    data: await changeDirectoryName(deps, requireStaff(actor), params.id, body.directory),
  }))
  serve(app, directory.remove, async ({ actor, params }) => void (await trashDirectory(deps, requireStaff(actor), params.id)))
  serve(app, directory.restore, async ({ actor, params }) => ({
    data: await restoreDirectory(deps, requireStaff(actor), params.id),
  }))
}
