import { digest } from '../../support/client.ts'
import { runConcurrently } from '../../support/run-concurrently.ts'
import type { Random } from '../random.ts'
import { compare } from './compare.ts'
import { getCurrentVersion, type ModelFile, type ModelFolder } from './model.ts'
import { callUntilAvailable, pickSome, type World } from './operation.ts'

interface FileItem {
  id: string
  file_name: string
  directory_id: string
  size: number
  sha256: string
  version: number
  versions: number
}

interface FolderItem {
  id: string
  directory: string
  parent: string | null
  size: number
  files: number
}

type Line = [string, string]

/** Lists where the API's lists differ from the model. With `isThorough`, lists every folder, and reads more files. */
export async function findListDifferences(world: World, random: Random, isThorough: boolean): Promise<string[]> {
  const { model, companies } = world
  const folders = [...model.folders.values()]
  const files = [...model.files.values()]
  const live = folders.filter((folder) => model.isLive(folder))
  const liveFiles = files.filter((file) => model.isLive(file))
  const isRootLive = (file: ModelFile) =>
    model.getPath(model.getFolder(file.parent)).every(({ parent, trashedAt }) => parent || !trashedAt)
  const trashedFiles = files.filter((file) => file.trashedAt !== undefined && isRootLive(file))
  const trashedFolders = folders.filter(({ id, trashedWith }) => trashedWith === id)
  const describeFolder = (folder: ModelFolder) => toFolderLine(world, folder)
  const some = <T>(items: T[], count: number) => (isThorough ? items : pickSome(random, items, count))
  const tasks: (() => Promise<string[]>)[] = [
    async () => compare('listed file', liveFiles.map(toFileLine), await listFiles(world, '')),
    async () => compare('listed folder', live.map(describeFolder), await listFolders(world, '&folders=true')),
    async () => compare('file in the trash', trashedFiles.map(toFileLine), await listFiles(world, '&trash=true')),
    async () => compare('folder in the trash', trashedFolders.map(describeFolder), await listFolders(world, '&trash=true')),
    ...some(live, 10).flatMap((folder) => [
      async () => {
        const expected = model.listFilesIn(folder.id).filter((file) => model.isLive(file))
        return compare(`file in ${folder.id}`, expected.map(toFileLine), await listFiles(world, `&directory=${folder.id}`))
      },
      async () => {
        const expected = model.listFoldersIn(folder.id).filter((child) => model.isLive(child))
        return compare(`folder in ${folder.id}`, expected.map(describeFolder), await listFolders(world, `&parent=${folder.id}`))
      },
    ]),
    ...companies.map((company) => async () => {
      const reply = await callUntilAvailable(world, 'GET', `/v1/company/${company}`)
      const { stagedFiles } = await world.database.readState()
      if (stagedFiles.length > 0) return []
      return compare('company', [[company, String(model.computeBytes(company))]], [[company, String(reply?.body.data.bytes)]])
    }),
    ...pickSome(random, liveFiles, isThorough ? 60 : 10).map((file) => () => findVersionDifferences(world, random, file)),
  ]
  return (await runConcurrently(4, tasks)).flat()
}

const toFileLine = (file: ModelFile): Line => {
  const { number, size, sha256 } = getCurrentVersion(file)
  return [file.id, `${file.name} in ${file.parent}, v${number} of ${file.versions.length}, ${size} bytes, ${sha256}`]
}

const toFolderLine = ({ model }: World, folder: ModelFolder): Line => {
  const { files, bytes } = model.computeTotals(folder)
  return [folder.id, `${folder.name} in ${folder.parent}, ${files} files, ${bytes} bytes`]
}

async function listFiles(world: World, query: string): Promise<Line[]> {
  const rows = await listAll<FileItem>(world, `/v1/file?limit=200${query}`)
  return rows.map((row) => [
    row.id,
    `${row.file_name} in ${row.directory_id}, v${row.version} of ${row.versions}, ${row.size} bytes, ${row.sha256}`,
  ])
}

async function listFolders(world: World, query: string): Promise<Line[]> {
  const rows = await listAll<FolderItem>(world, `/v1/directory?limit=200${query}`)
  return rows.map((row) => [row.id, `${row.directory} in ${row.parent}, ${row.files} files, ${row.size} bytes`])
}

async function listAll<Row>(world: World, path: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor = ''; ; ) {
    const page = await callUntilAvailable(world, 'GET', `${path}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    if (page?.status !== 200) throw new Error(`${path} returned ${page?.status}`)
    rows.push(...page.body.data)
    cursor = page.body.next ?? ''
    if (cursor === '') return rows
  }
}

/** Compares the list of a file's versions, and downloads one of them. */
async function findVersionDifferences(world: World, random: Random, file: ModelFile): Promise<string[]> {
  const reply = await callUntilAvailable(world, 'GET', `/v1/file/${file.id}/version`)
  const found: Line[] = reply?.body.data.map((row: { id: string; number: number; size: number; sha256: string }) => [
    row.id,
    `v${row.number}, ${row.size} bytes, ${row.sha256}`,
  ])
  const expected = file.versions.map(({ id, number, size, sha256 }): Line => [id, `v${number}, ${size} bytes, ${sha256}`])
  const version = random.pick(file.versions)
  const response = await fetch(`${world.server.url}/v1/file/${file.id}?version=${version.id}`, { headers: world.server.staff })
  const sha256 = response.ok ? digest(new Uint8Array(await response.arrayBuffer())) : `status ${response.status}`
  return [
    ...compare(`version of ${file.id}`, expected, found),
    ...compare(`download of ${file.id}`, [[version.id, version.sha256]], [[version.id, sha256]]),
  ]
}
