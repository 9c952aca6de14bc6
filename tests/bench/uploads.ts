import type { Case } from './case.ts'
import { GiB, MiB, measureWrite } from './measure.ts'
import type { Nginx, TestServer } from './servers.ts'
import { inParallel } from './wire-client.ts'

/** Returns a function that makes a case for an upload. */
const makeUploadCase =
  (server: TestServer, nginx: Nginx | undefined) =>
  (
    name: string,
    atMost: number,
    rounds: number,
    bytes: number,
    ours: () => Promise<unknown>,
    theirs?: (nginx: Nginx) => Promise<unknown>,
  ): Case => ({
    name: `upload ${name}`,
    unit: 'CPU-s/GiB',
    atMost,
    rounds,
    contenders: {
      neptune: () => measureWrite([server.pid], bytes, ours),
      nginx: nginx && theirs && (() => measureWrite([nginx.pid], bytes, () => theirs(nginx))),
    },
  })

export function uploads(server: TestServer, nginx: Nginx | undefined): Case[] {
  const line = makeUploadCase(server, nginx)
  return [
    line(
      '1 GiB by PUT',
      3.3,
      5,
      GiB,
      () => server.put(GiB),
      (nginx) => nginx.put(GiB),
    ),
    line('1 GiB by tus', 2.9, 5, GiB, () => server.putByTus(GiB)),
    line(
      '64 × 16 MiB by PUT, 8 at once',
      3.6,
      5,
      GiB,
      () => inParallel(64, 8, () => server.put(16 * MiB)),
      (nginx) => inParallel(64, 8, () => nginx.put(16 * MiB)),
    ),
    line('16 × 64 MiB by PUT, one by one', 3.3, 3, GiB, () => inParallel(16, 1, () => server.put(64 * MiB))),
  ]
}

export function largeUploads(server: TestServer, nginx: Nginx | undefined): Case[] {
  const line = makeUploadCase(server, nginx)
  return [
    line('6 GiB by PUT', 3.3, 2, 6 * GiB, () => server.put(6 * GiB)),
    line('6 GiB by tus', 2.9, 2, 6 * GiB, () => server.putByTus(6 * GiB)),
  ]
}
