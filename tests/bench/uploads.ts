import type { Case } from './case.ts'
import { GiB, MiB, measureCare, measureWrite } from './measure.ts'
import { type Peer, putToPeer } from './peers.ts'
import { measureServers, type Servers, type TestServer } from './servers.ts'
import { runInParallel } from './wire-client.ts'

interface UploadCase {
  name: string
  atMost: number
  rounds: number
  bytes: number
  upload: (server: TestServer) => Promise<unknown>
  uploadToPeer?: (peer: Peer) => Promise<unknown>
}

const makeCase = (servers: Servers, { name, atMost, rounds, bytes, upload, uploadToPeer }: UploadCase): Case => ({
  name: `upload ${name}`,
  unit: 'CPU-s/GiB',
  atMost,
  rounds,
  measurements: measureServers(
    servers,
    (server) => measureWrite([server.pid], bytes, () => upload(server)),
    uploadToPeer && ((peer) => measureWrite([peer.pid], bytes, () => uploadToPeer(peer))),
  ),
  care: () => measureCare(bytes),
})

export const makeUploadCases = (servers: Servers): Case[] => [
  makeCase(servers, {
    name: '1 GiB by PUT',
    atMost: 3.3,
    rounds: 5,
    bytes: GiB,
    upload: (server) => server.put(GiB),
    uploadToPeer: (peer) => putToPeer(peer, GiB),
  }),
  makeCase(servers, {
    name: '1 GiB by tus',
    atMost: 2.9,
    rounds: 5,
    bytes: GiB,
    upload: (server) => server.putByTus(GiB),
    // The peers have no comparable tus server, so they upload as in the line above.
    uploadToPeer: (peer) => putToPeer(peer, GiB),
  }),
  makeCase(servers, {
    name: '64 × 16 MiB by PUT, 8 at once',
    atMost: 3.6,
    rounds: 5,
    bytes: GiB,
    upload: (server) => runInParallel(64, 8, () => server.put(16 * MiB)),
    uploadToPeer: (peer) => runInParallel(64, 8, () => putToPeer(peer, 16 * MiB)),
  }),
  makeCase(servers, {
    name: '16 × 64 MiB by PUT, one by one',
    atMost: 3.3,
    rounds: 3,
    bytes: GiB,
    upload: (server) => runInParallel(16, 1, () => server.put(64 * MiB)),
  }),
]

export const makeLargeUploadCases = (servers: Servers): Case[] => [
  makeCase(servers, {
    name: '6 GiB by PUT',
    atMost: 3.3,
    rounds: 2,
    bytes: 6 * GiB,
    upload: (server) => server.put(6 * GiB),
  }),
  makeCase(servers, {
    name: '6 GiB by tus',
    atMost: 2.9,
    rounds: 2,
    bytes: 6 * GiB,
    upload: (server) => server.putByTus(6 * GiB),
  }),
]
