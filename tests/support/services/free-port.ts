import { createServer } from 'node:net'

/** Returns a port below the ephemeral range such that port + n is free for each n in `offsets`. */
export async function findFreePort(offsets = [0]): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    const areFree = await Promise.all(offsets.map((n) => isFree(port + n)))
    if (!areFree.includes(false)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  const isListening = await new Promise<boolean>((resolve) =>
    probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)),
  )
  await new Promise((resolve) => probe.close(resolve))
  return isListening
}
