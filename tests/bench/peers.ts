import { spawnSync } from 'node:child_process'
import { startFileBrowser } from '../support/services/start-file-browser.ts'
import { startNginx } from '../support/services/start-nginx.ts'
import { startSftpgo } from '../support/services/start-sftpgo.ts'
import type { GroupOptions, PeerName } from './case.ts'
import { exchange, expectStatus, type WireRequest } from './wire-client.ts'

/** Another server, which is measured in turns with Neptune. */
export interface Peer extends AsyncDisposable {
  name: PeerName
  pid: number
  /** The folder with its files. */
  folder: string
  /** Returns the request that uploads a file, without its body, which has only the file’s bytes. */
  put: (name: string) => WireRequest
  get: (name: string) => WireRequest
  /** Returns the request that lists all files of a folder. */
  list: (folder: string) => WireRequest
}

/** Starts nginx and, `withPeers`, SFTPGo and File Browser. Leaves out those that are not installed. */
export async function openPeers({ withPeers }: GroupOptions): Promise<Peer[]> {
  const starts = withPeers ? [openNginx, openSftpgo, openFileBrowser] : [openNginx]
  const peers: Peer[] = []
  for (const start of starts) {
    const peer = await start()
    if (peer) peers.push(peer)
  }
  return peers
}

const isInstalled = (program: string) => !spawnSync(program, ['--version'], { stdio: 'ignore' }).error

async function openNginx(): Promise<Peer | undefined> {
  const nginx = await startNginx(
    (folder) => `location / { root ${folder}; dav_methods PUT; autoindex on; autoindex_format json; }`,
  )
  if (!nginx) return undefined
  const { url } = nginx
  return {
    ...nginx,
    name: 'nginx',
    put: (name) => ({ url, method: 'PUT', path: `/${name}`, headers: {}, status: 201 }),
    get: (name) => ({ url, method: 'GET', path: `/${name}`, headers: {}, status: 200 }),
    list: (folder) => ({ url, method: 'GET', path: `/${folder}/`, headers: {}, status: 200 }),
  }
}

async function openSftpgo(): Promise<Peer | undefined> {
  if (!isInstalled('sftpgo')) return undefined
  const sftpgo = await startSftpgo()
  const { url, headers } = sftpgo
  const files = '/api/v2/user/files'
  return {
    ...sftpgo,
    name: 'sftpgo',
    put: (name) => ({ url, method: 'POST', path: `${files}/upload?path=/${name}`, headers, status: 201 }),
    get: (name) => ({ url, method: 'GET', path: `${files}?path=/${name}`, headers, status: 200 }),
    list: (folder) => ({ url, method: 'GET', path: `/api/v2/user/dirs?path=/${folder}`, headers, status: 200 }),
  }
}

async function openFileBrowser(): Promise<Peer | undefined> {
  if (!isInstalled('filebrowser')) return undefined
  const fileBrowser = await startFileBrowser()
  const { url, headers } = fileBrowser
  return {
    ...fileBrowser,
    name: 'filebrowser',
    put: (name) => ({ url, method: 'POST', path: `/api/resources/${name}`, headers, status: 200 }),
    get: (name) => ({ url, method: 'GET', path: `/api/raw/${name}`, headers, status: 200 }),
    list: (folder) => ({ url, method: 'GET', path: `/api/resources/${folder}/`, headers, status: 200 }),
  }
}

let count = 0

/** Uploads a file with random bytes. Returns its name. */
export async function putToPeer(peer: Peer, size: number): Promise<string> {
  const name = `file-${++count}.bin`
  const { url, method, path, headers, status } = peer.put(name)
  expectStatus(await exchange(url, method, path, headers, [size]), status)
  return name
}

export async function getFromPeer(peer: Peer, name: string, size: number): Promise<void> {
  const { url, method, path, headers, status } = peer.get(name)
  const { bytes } = expectStatus(await exchange(url, method, path, headers), status)
  if (bytes !== size) throw new Error(`${peer.name} returned ${bytes} of ${size} bytes`)
}
