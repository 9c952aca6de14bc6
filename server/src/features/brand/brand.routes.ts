import { api, logoMaxBytes } from '@neptune/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { readFileBody } from '../../http/body/file-body.ts'
import { createTextFile, sendFile } from '../../http/send-file.ts'
import { serve } from '../../http/serve.ts'
import { requireStaff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { findAccentStyle } from './accent-style.ts'
import { findImage } from './brand.service.ts'
import { removeLogo, removeLogoOfCompany, setLogo, setLogoOfCompany } from './logo.service.ts'

export function brandRoutes(app: FastifyInstance, deps: Deps) {
  const { brand } = api
  serve(app, brand.setLogo, async ({ actor, params, request }) => ({
    data: await setLogo(deps, requireStaff(actor), params.theme, await readImage(request)),
  }))
  serve(app, brand.removeLogo, async ({ actor, params }) => ({
    data: await removeLogo(deps, requireStaff(actor), params.theme),
  }))
  serve(app, brand.setCompanyLogo, async ({ actor, params, request }) => ({
    data: await setLogoOfCompany(deps, requireStaff(actor), params, await readImage(request)),
  }))
  serve(app, brand.removeCompanyLogo, async ({ actor, params }) => ({
    data: await removeLogoOfCompany(deps, requireStaff(actor), params),
  }))

  app.get<{ Params: { file: string } }>('/brand/:file', { config: { access: 'public' } }, async (request, reply) => {
    const path = `/brand/${request.params.file}`
    const css = findAccentStyle(path)
    if (css !== undefined) return sendFile(request, reply, createTextFile('.css', css), true)
    const plain = await findImage(deps, path)
    if (!plain) return reply.callNotFound()
    reply.header('cross-origin-resource-policy', 'cross-origin') // webmail clients show logos, too
    return sendFile(
      request,
      reply,
      { type: 'image/png', etag: `"${request.params.file}"`, plain, br: undefined, gzip: undefined },
      true,
    )
  })
}

async function readImage(request: FastifyRequest): Promise<Buffer> {
  const image = await readFileBody(request, logoMaxBytes)
  if (!image) throw new AppError('logo.too_large')
  return image
}
