import type { Case } from './case.ts'
import { GiB, MiB, measureWrite } from './measure.ts'
import type { Nginx, TestServer } from './servers.ts'
import { runInParallel } from './wire-client.ts'

/** Returns a function that makes a case for an upload to these servers. */
const makeCaseFactory =
  (server: TestServer, nginx: Nginx | undefined) =>
  (
    name: string,
    atMost: number,
    rounds: number,
    bytes: number,
    uploadToNeptune: () => Promise<unknown>,
    uploadToNginx?: (nginx: Nginx) => Promise<unknown>,
  ): Case => ({
    name: `upload ${name}`,
    unit: 'CPU-s/GiB',
    atMost,
    rounds,
    measurements: {
      neptune: () => measureWrite([server.pid], bytes, uploadToNeptune),
      nginx: nginx && uploadToNginx && (() => measureWrite([nginx.pid], bytes, () => uploadToNginx(nginx))),
    },
  })

export function makeUploadCases(server: TestServer, nginx: Nginx | undefined): Case[] {
  const makeCase = makeCaseFactory(server, nginx)
  return [
    makeCase(
      '1 GiB by PUT',
      3.3,
      5,
      GiB,
      () => server.put(GiB),
      (nginx) => nginx.put(GiB),
    ),
    makeCase('1 GiB by tus', 2.9, 5, GiB, () => server.putByTus(GiB)),
    makeCase(
      '64 × 16 MiB by PUT, 8 at once',
      3.6,
      5,
      GiB,
      () => runInParallel(64, 8, () => server.put(16 * MiB)),
      (nginx) => runInParallel(64, 8, () => nginx.put(16 * MiB)),
    ),
    makeCase('16 × 64 MiB by PUT, one by one', 3.3, 3, GiB, () => runInParallel(16, 1, () => server.put(64 * MiB))),
  ]
}

export function makeLargeUploadCases(server: TestServer, nginx: Nginx | undefined): Case[] {
  const makeCase = makeCaseFactory(server, nginx)
  return [
    makeCase('6 GiB by PUT', 3.3, 2, 6 * GiB, () => server.put(6 * GiB)),
    makeCase('6 GiB by tus', 2.9, 2, 6 * GiB, () => server.putByTus(6 * GiB)),
  ]
}
