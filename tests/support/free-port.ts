import { createServer } from 'node:net'

/** One from which on those that are wanted are free; none of those that the system gives to whoever asks for any. */
export async function freePort(wanted = [0]): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    const all = await Promise.all(wanted.map((n) => isFree(port + n)))
    if (!all.includes(false)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  const isHeard = await new Promise<boolean>((resolve) =>
    probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)),
  )
  await new Promise((resolve) => probe.close(resolve))
  return isHeard
}
