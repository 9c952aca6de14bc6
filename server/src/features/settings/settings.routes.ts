import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { requireStaff } from '../../lib/actor.ts'
import { changeSection } from './change-settings.service.ts'
import { readAllSettings, readCommonSettings } from './settings.service.ts'

export function settingsRoutes(app: FastifyInstance, deps: Deps) {
  const { settings } = api
  serve(app, settings.read, async () => ({ data: await readAllSettings(deps) }))
  serve(app, settings.common, async () => ({ data: await readCommonSettings(deps) }))
  serve(app, settings.organisation, async ({ actor, body }) => ({
    data: await changeSection(deps, requireStaff(actor), 'organisation', body),
  }))
  serve(app, settings.appearance, async ({ actor, body }) => ({
    data: await changeSection(deps, requireStaff(actor), 'appearance', body),
  }))
  serve(app, settings.links, async ({ actor, body }) => ({
    data: await changeSection(deps, requireStaff(actor), 'links', body),
  }))
  serve(app, settings.email, async ({ actor, body }) => ({
    data: await changeSection(deps, requireStaff(actor), 'email', body),
  }))
  serve(app, settings.security, async ({ actor, body }) => ({
    data: await changeSection(deps, requireStaff(actor), 'security', body),
  }))
  serve(app, settings.storage, async ({ actor, body }) => ({
    data: await changeSection(deps, requireStaff(actor), 'storage', body),
  }))
}
