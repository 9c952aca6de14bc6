import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { requireStaff } from '../../lib/actor.ts'
import { listFileVersions, removeVersion, restoreVersion } from './version.service.ts'

export function versionRoutes(app: FastifyInstance, deps: Deps) {
  const { version } = api
  serve(app, version.list, async ({ actor, params }) => ({ data: await listFileVersions(deps, requireStaff(actor), params.id) }))
  serve(app, version.restore, async ({ actor, params }) => ({
    data: await restoreVersion(deps, requireStaff(actor), params.id, params.version),
  }))
  serve(app, version.remove, async ({ actor, params }) => removeVersion(deps, requireStaff(actor), params.id, params.version))
}
