import { join } from 'node:path'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { ping } from './db/database.ts'
import type { Deps } from './deps.ts'
import { accessRoutes } from './features/access/access.routes.ts'
import { identifyRecipient } from './features/access/access.service.ts'
import { activityRoutes } from './features/activity/activity.routes.ts'
import { recordRefusal, writeQueuedEntries } from './features/audit/audit.service.ts'
import { brandRoutes } from './features/brand/brand.routes.ts'
import { readPageBrand } from './features/brand/brand.service.ts'
import { companyRoutes } from './features/company/company.routes.ts'
import { copyRoutes } from './features/copy/copy.routes.ts'
import { directoryRoutes } from './features/directory/directory.routes.ts'
import { downloadRoutes } from './features/download/download.routes.ts'
import { factorRoutes } from './features/factor/factor.routes.ts'
import { fileRoutes } from './features/file/file.routes.ts'
import { identityRoutes } from './features/identity/identity.routes.ts'
import { linkRoutes } from './features/link/link.routes.ts'
import { liveRoutes } from './features/live/live.routes.ts'
import { moveRoutes } from './features/move/move.routes.ts'
import { outboxRoutes } from './features/outbox/outbox.routes.ts'
import { passkeyRoutes } from './features/passkey/passkey.routes.ts'
import { providerRoutes } from './features/provider/provider.routes.ts'
import { receiptRoutes } from './features/receipt/receipt.routes.ts'
import { removalRoutes } from './features/removal/removal.routes.ts'
import { sessionRoutes } from './features/session/session.routes.ts'
import { identifyUser } from './features/session/session.service.ts'
import { settingsRoutes } from './features/settings/settings.routes.ts'
import { statsRoutes } from './features/stats/stats.routes.ts'
import { tokenRoutes } from './features/token/token.routes.ts'
import { identifyToken } from './features/token/token.service.ts'
import { uploadRoutes } from './features/upload/upload.routes.ts'
import { userRoutes } from './features/user/user.routes.ts'
import { versionRoutes } from './features/version/version.routes.ts'
import { webhookRoutes } from './features/webhook/webhook.routes.ts'
import { addBodyParsers } from './http/body/json-body.ts'
import { closeUnfinishedBodies, type Linger, standardLinger } from './http/body/unfinished-bodies.ts'
import { limitConnections } from './http/connection/connection-limit.ts'
import { countUnusedConnectionsAsIdle, rejectWhileStopping } from './http/connection/stopping.ts'
import { addCors } from './http/cors.ts'
import { addErrorHandler, createClientErrorHandler, sendProblem } from './http/errors.ts'
import { addGuard } from './http/guard.ts'
import { addHeaders, buildPagePolicy, buildSecurityHeaders } from './http/headers.ts'
import { addHealth } from './http/health.ts'
import { addRequestLog, logSlowRequests } from './http/log/request-log.ts'
import { addResponseTime } from './http/log/response-time.ts'
import { addOpenapi } from './http/openapi/openapi.ts'
import { addPublicKey } from './http/public-key.ts'
import { addWebFiles } from './http/web-files.ts'
import { AppError } from './lib/app-error.ts'
import { derivePublicKeys } from './lib/receipt-key.ts'
import { newId } from './lib/secrets.ts'
import { collectInstallationMetrics } from './metrics/installation-metrics.ts'
import { addMetrics, serveMetrics } from './metrics/metrics.ts'

const webFolder = join(import.meta.dirname, '../../web/dist')

/** Keeps Fastify from loading its own schema compilers: the contract validates requests and replies (http/serve.ts). */
const noCompiler = () => () => {
  throw new Error('Fastify schemas are not used: declare the endpoint in the contract')
}

/** Builds the server without listening. */
export function buildApp(deps: Deps, { linger = standardLinger }: { linger?: Linger } = {}) {
  const headers = buildSecurityHeaders(deps.config)
  const app = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: newId,
    bodyLimit: 256 * 1024,
    trustProxy: deps.config.trustProxy.length > 0 ? deps.config.trustProxy : false,
    routerOptions: { maxParamLength: 6000, ignoreTrailingSlash: true },
    keepAliveTimeout: 10_000,
    // Node checks the headers timeout at this interval, even for connections that send nothing. We reject requests without a Host header
    // ourselves.
    http: { headersTimeout: 20_000, connectionsCheckingInterval: 5_000, requireHostHeader: false },
    // Uploads have no total time limit. Headers and JSON bodies have their own deadlines, and an idle connection is closed.
    requestTimeout: 0,
    connectionTimeout: 60_000,
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) =>
      sendProblem(error, request, reply.headers(headers).header('x-request-id', request.id)),
    clientErrorHandler: createClientErrorHandler(headers, deps.log),
  })
  limitConnections(app.server, deps.config, deps.log)
  closeUnfinishedBodies(app.server, linger)
  countUnusedConnectionsAsIdle(app.server)
  // Ignores an unknown Expect header. Node would respond with 417 by itself, without our headers.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.decorate('maxScannedRows', deps.config.scanRows)
  app.decorate('recheckIntervalMs', 5_000)
  app.decorate('liveTiming', { pollIntervalMs: 1_000, maxConnectionMs: 15 * 60_000 })
  app.decorate('cursorKey', deps.keys.cursor)
  addRequestLog(app)
  const { metricsPort, metricsToken, slowRequestMs } = deps.config
  const hasMetrics = metricsPort !== undefined || metricsToken !== undefined
  const metrics = hasMetrics ? addMetrics(app, () => collectInstallationMetrics(deps)) : undefined
  if (metrics) app.decorate('metrics', metrics)
  addResponseTime(app, [...(slowRequestMs > 0 ? [logSlowRequests(slowRequestMs)] : []), ...(metrics ? [metrics.onResponse] : [])])
  addHeaders(app, headers)
  addErrorHandler(app)
  rejectWhileStopping(app)
  addCors(app, deps.config)
  addBodyParsers(app)
  addGuard(app, (token, address) => {
    if (token.startsWith('npl_')) return identifyRecipient(deps, token, address)
    return token.startsWith('npt_') ? identifyToken(deps, token, address) : identifyUser(deps, token, address)
  })
  recordRefusals(app, deps)
  app.addHook('onClose', () => writeQueuedEntries(deps))

  addFeatures(app, deps)
  addHealth(app, () => Promise.all([ping(deps.db), deps.blobs.check()]))
  addPublicKey(app, derivePublicKeys(deps.keys.receipt))
  if (metrics && metricsToken !== undefined && metricsPort === undefined) serveMetrics(app, metrics, metricsToken)
  addOpenapi(app)
  addWebFiles(app, { folder: webFolder, policy: buildPagePolicy(deps.config), readBrand: () => readPageBrand(deps) })
  return app
}

/**
 * Records requests that were rejected for missing permissions or an exceeded rate limit in the audit log. Fastify does not call this hook
 * for malformed URLs, and a request that fails before the caller is identified has no actor.
 */
function recordRefusals(app: FastifyInstance, deps: Deps) {
  app.addHook('onError', async (request, _reply, error) => {
    if (error instanceof AppError && request.actor)
      recordRefusal(deps, request.actor, request.ip, `${request.method} ${request.routeOptions.url ?? ''}`, error.code)
  })
}

function addFeatures(app: FastifyInstance, deps: Deps) {
  settingsRoutes(app, deps)
  brandRoutes(app, deps)
  outboxRoutes(app, deps)
  companyRoutes(app, deps)
  userRoutes(app, deps)
  sessionRoutes(app, deps)
  factorRoutes(app, deps)
  passkeyRoutes(app, deps)
  providerRoutes(app, deps)
  identityRoutes(app, deps)
  directoryRoutes(app, deps)
  fileRoutes(app, deps)
  moveRoutes(app, deps)
  versionRoutes(app, deps)
  copyRoutes(app, deps)
  uploadRoutes(app, deps)
  downloadRoutes(app, deps)
  accessRoutes(app, deps)
  linkRoutes(app, deps)
  receiptRoutes(app, deps)
  tokenRoutes(app, deps)
  webhookRoutes(app, deps)
  removalRoutes(app, deps)
  statsRoutes(app, deps)
  activityRoutes(app, deps)
  liveRoutes(app, deps)
}
