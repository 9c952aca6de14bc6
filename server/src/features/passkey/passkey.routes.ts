import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { createSessionReply, readClientDetails } from '../../http/session-reply.ts'
import { requireStaff } from '../../lib/actor.ts'
import {
  listOwnPasskeys,
  readPasskeyStatus,
  registerPasskey,
  removePasskey,
  renamePasskey,
  startRegistration,
} from './passkey.service.ts'
import { confirmWithPasskey, createConfirmOptions, createSignInOptions, signInWithPasskey } from './passkey-sign-in.service.ts'

export function passkeyRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, api.passkey.list, async ({ actor }) => ({ data: await listOwnPasskeys(deps, requireStaff(actor)) }))

  serve(app, api.passkey.startRegistration, async ({ actor }) => ({ data: await startRegistration(deps, requireStaff(actor)) }))

  serve(app, api.passkey.register, async ({ actor, body }) => ({
    data: await registerPasskey(deps, requireStaff(actor), body),
  }))

  serve(app, api.passkey.rename, async ({ actor, params, body }) => ({
    data: await renamePasskey(deps, requireStaff(actor), params.id, body.name),
  }))

  serve(app, api.passkey.remove, ({ actor, params }) => removePasskey(deps, requireStaff(actor), params.id))

  serve(app, api.passkey.signInOptions, async ({ body }) => ({ data: await createSignInOptions(deps, body.challenge) }))

  serve(app, api.passkey.signIn, async ({ body, request, reply }) =>
    createSessionReply(deps, reply, await signInWithPasskey(deps, readClientDetails(request), body)),
  )

  serve(app, api.passkey.confirmOptions, async ({ actor }) => ({ data: await createConfirmOptions(deps, requireStaff(actor)) }))

  serve(app, api.passkey.confirm, ({ actor, body }) => confirmWithPasskey(deps, requireStaff(actor), body.response))

  serve(app, api.passkey.status, async () => ({ data: await readPasskeyStatus(deps) }))
}
