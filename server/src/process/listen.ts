import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { StartError } from '../installation/start-error.ts'

interface ListenAddress {
  host: string
  port: number
}

/**
 * Throws when the port is not available. Runs before anything else, because a first start must not print a password for a server that
 * then cannot listen. Retries for `timeoutMs`, because the workers of a server that was just killed may still be exiting.
 */
export async function checkPort({ host, port }: ListenAddress, { setting = 'PORT', timeoutMs = 0 } = {}): Promise<void> {
  if (port === 0) return
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const error = await tryPort({ host, port })
    if (!error) return
    if (error.code !== 'EADDRINUSE' || performance.now() > deadline) createListenErrorHandler({ host, port }, setting)(error)
    await wait(50)
  }
}

const tryPort = (address: ListenAddress) =>
  new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const probe = createServer()
    probe.once('error', resolve)
    probe.listen({ ...address, exclusive: true }, () => probe.close(() => resolve(undefined)))
  })

/** Creates an error handler for `listen` that throws a `StartError`. */
export function createListenErrorHandler({ host, port }: ListenAddress, setting = 'PORT') {
  return (error: unknown): never => {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${port} on ${host} is already in use. Stop the other program or set ${setting} to another port.`)
    // With 127.0.0.1, only the port can be wrong. Without METRICS_TOKEN, the metrics use this address whatever HOST is.
    const settings = host === '127.0.0.1' ? setting : `HOST and ${setting}`
    throw new StartError(`Cannot listen on ${host} port ${port} (${code}). Check ${settings}.`)
  }
}
