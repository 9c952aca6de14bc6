import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { StartError } from './start-error.ts'

interface Place {
  host: string
  port: number
}

/**
 * Asked first, because a first run must not print a password for a server that then cannot listen. `patience` is for workers of a server
 * that was killed a moment ago: they may still be on their way out.
 */
export async function checkPort({ host, port }: Place, { setting = 'PORT', patience = 0 } = {}): Promise<void> {
  if (port === 0) return
  const end = performance.now() + patience
  for (;;) {
    const error = await tryPort({ host, port })
    if (!error) return
    if (error.code !== 'EADDRINUSE' || performance.now() > end) refuseListen({ host, port }, setting)(error)
    await wait(50)
  }
}

const tryPort = (place: Place) =>
  new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const probe = createServer()
    probe.once('error', resolve)
    probe.listen({ ...place, exclusive: true }, () => probe.close(() => resolve(undefined)))
  })

export function refuseListen({ host, port }: Place, setting = 'PORT') {
  return (error: unknown): never => {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${port} on ${host} is in use. Stop the other program or set ${setting} to another one.`)
    throw new StartError(`Cannot listen on ${host} port ${port} (${code}). Check HOST and ${setting}.`)
  }
}
