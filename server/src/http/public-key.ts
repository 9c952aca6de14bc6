import type { PublicKeys } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'

/** Serves the public keys of receipts to any origin, so that anyone can verify a receipt. */
export function addPublicKey(app: FastifyInstance, keys: PublicKeys) {
  app.get('/.well-known/neptune-key.json', { config: { access: 'public' } }, async (_request, reply) =>
    reply
      .headers({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'public, max-age=3600',
      })
      .send(keys),
  )
}
