import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { openEventStream } from '../../http/event-stream.ts'
import { serve } from '../../http/serve.ts'
import { requireReader } from '../../lib/actor.ts'
import { createChangeFeed, type Timing } from './change-feed.service.ts'

declare module 'fastify' {
  interface FastifyInstance {
    liveTiming: Timing
    /** Ends all live connections, and new ones immediately, because this process is stopping. The clients connect again to another one. */
    endLiveConnections(): void
  }
}

export function liveRoutes(app: FastifyInstance, deps: Deps) {
  const feed = createChangeFeed(deps, () => app.liveTiming)
  app.decorate('endLiveConnections', feed.end)
  app.addHook('preClose', async () => feed.end())
  serve(app, api.live.read, async ({ actor, requester, request, reply }) => {
    const reader = requireReader(actor)
    if (request.method === 'HEAD') return void reply.type('text/event-stream').send()
    using slot = new DisposableStack()
    slot.use(feed.takeSlot(requester))
    const stream = openEventStream(request, reply)
    const ownedSlot = slot.move()
    const leave = feed.join(reader, stream)
    stream.onClose(() => {
      leave()
      ownedSlot.dispose()
    })
  })
}
