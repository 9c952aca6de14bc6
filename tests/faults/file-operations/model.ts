/** A version of a file. Its id is that of its blob. */
export interface ModelVersion {
  id: string
  number: number
  size: number
  sha256: string
}

/** A file as the model predicts it. Its versions are in the order of their numbers, so the last one is the current one. */
export interface ModelFile {
  kind: 'file'
  id: string
  parent: string
  name: string
  /** The client that may change it. */
  owner: number
  versions: ModelVersion[]
  /** The ids of all versions that it ever had. */
  history: string[]
  /** When it was moved to the trash, by the model's own clock. */
  trashedAt: number | undefined
}

/** A directory or folder as the model predicts it. */
export interface ModelFolder {
  kind: 'folder'
  id: string
  /** Null for a top-level directory. */
  parent: string | null
  /** Its company, if it is a top-level directory. */
  company: string
  name: string
  /** The client that may change it, or `shared`. */
  owner: number
  /** The id of the folder whose move to the trash included this one: its own id, or that of a folder above. */
  trashedWith: string | undefined
  trashedAt: number | undefined
}

export type ModelItem = ModelFile | ModelFolder

/** The owner of folders that all clients add to and none changes. */
export const shared = -1

export const getCurrentVersion = ({ versions }: ModelFile): ModelVersion => versions.at(-1) as ModelVersion
const keyOf = (name: string) => name.toLowerCase()

/** Adds a number to a name, as in `notes (1).txt`. */
function numberName(name: string, n: number, kind: ModelItem['kind']): string {
  const dot = kind === 'file' ? name.lastIndexOf('.') : -1
  return dot <= 0 ? `${name} (${n})` : `${name.slice(0, dot)} (${n})${name.slice(dot)}`
}

/** Returns whether a name is `wanted`, or `wanted` with a number. */
export const isNumbered = (name: string, wanted: string, kind: ModelItem['kind']) => {
  const n = Number(/ \((\d+)\)(?:\.\w+)?$/.exec(name)?.[1])
  return name === wanted || numberName(wanted, n, kind) === name
}

/** Predicts what the server stores. It knows nothing of the server's code, only its documented rules. */
export class Model {
  readonly folders = new Map<string, ModelFolder>()
  readonly files = new Map<string, ModelFile>()
  #time = 0

  addFolder({ id, parent, company, name, owner }: Pick<ModelFolder, 'id' | 'parent' | 'company' | 'name' | 'owner'>) {
    this.folders.set(id, { kind: 'folder', id, parent, company, name, owner, trashedWith: undefined, trashedAt: undefined })
  }

  addFile(
    { id, parent, name, owner }: Pick<ModelFile, 'id' | 'parent' | 'name' | 'owner'>,
    version: Omit<ModelVersion, 'number'>,
  ) {
    const versions = [{ ...version, number: 1 }]
    this.files.set(id, { kind: 'file', id, parent, name, owner, versions, history: [version.id], trashedAt: undefined })
  }

  addVersion(file: ModelFile, version: Omit<ModelVersion, 'number'>) {
    file.versions.push({ ...version, number: getCurrentVersion(file).number + 1 })
    file.history.push(version.id)
  }

  restoreVersion(file: ModelFile, version: ModelVersion) {
    const restored = { ...version, number: getCurrentVersion(file).number + 1 }
    file.versions = [...file.versions.filter((other) => other !== version), restored]
  }

  getFolder(id: string): ModelFolder {
    const folder = this.folders.get(id)
    if (!folder) throw new Error(`The model has no folder ${id}`)
    return folder
  }

  /** Returns whether a file or folder is listed, because neither it nor a folder above is in the trash. */
  isLive(item: ModelItem): boolean {
    return item.trashedAt === undefined && (item.kind === 'folder' || this.isLive(this.getFolder(item.parent)))
  }

  listFoldersIn = (id: string) => [...this.folders.values()].filter(({ parent }) => parent === id)
  listFilesIn = (id: string) => [...this.files.values()].filter(({ parent }) => parent === id)

  /** Returns a folder and all folders below it for which `matches` is true. Skips everything below a folder for which it is false. */
  listTree(top: ModelFolder, matches = (_folder: ModelFolder) => true): ModelFolder[] {
    return matches(top) ? [top, ...this.listFoldersIn(top.id).flatMap((child) => this.listTree(child, matches))] : []
  }

  /** Returns the folder itself and those above it, up to the top-level directory. */
  getPath(folder: ModelFolder): ModelFolder[] {
    return folder.parent === null ? [folder] : [folder, ...this.getPath(this.getFolder(folder.parent))]
  }

  getCompany(item: ModelItem): string {
    const folder = item.kind === 'file' ? this.getFolder(item.parent) : item
    return this.getPath(folder).at(-1)?.company ?? ''
  }

  /** Finds the item in a folder, or the top-level directory of a company, that has this name, ignoring case and the trash. */
  findTaken(parent: string | null, company: string, name: string): ModelItem | undefined {
    const siblings: ModelItem[] =
      parent === null
        ? [...this.folders.values()].filter((folder) => folder.parent === null && folder.company === company)
        : [...this.listFilesIn(parent), ...this.listFoldersIn(parent)]
    return siblings.find((item) => item.trashedAt === undefined && keyOf(item.name) === keyOf(name))
  }

  /** Returns the name that the server gives to a file or folder that is added to a folder. */
  findFreeName(parent: string, name: string, kind: ModelItem['kind']): string {
    let free = name
    for (let n = 1; this.findTaken(parent, '', free); n++) free = numberName(name, n, kind)
    return free
  }

  /** Returns the nearest folder that isn't in the trash, from this one upwards. */
  findNearestLive = (id: string): ModelFolder | undefined =>
    this.getPath(this.getFolder(id)).find((folder) => this.isLive(folder))

  /** Moves a file or a folder with everything below it to the trash. */
  trash(item: ModelItem) {
    const at = ++this.#time
    if (item.kind === 'file') item.trashedAt = at
    else
      for (const folder of this.listTree(item, ({ trashedAt }) => trashedAt === undefined))
        Object.assign(folder, { trashedAt: at, trashedWith: item.id })
  }

  /** Restores a file, or a folder with what was moved to the trash with it, to a folder. */
  restore(item: ModelItem, parent: string | null, name: string) {
    Object.assign(item, { parent, name })
    if (item.kind === 'file') item.trashedAt = undefined
    else
      for (const folder of this.folders.values())
        if (folder.trashedWith === item.id) Object.assign(folder, { trashedAt: undefined, trashedWith: undefined })
  }

  /** Returns what a client moved to the trash, the oldest first: files, and the folders that were moved there themselves. */
  listTrash(owner: number): ModelItem[] {
    const folders = [...this.folders.values()].filter(({ id, trashedWith }) => trashedWith === id)
    const files = [...this.files.values()].filter(({ trashedAt }) => trashedAt !== undefined)
    return [...folders, ...files]
      .filter((item) => item.owner === owner)
      .toSorted((a, b) => (a.trashedAt ?? 0) - (b.trashedAt ?? 0))
  }

  /** Removes a file, or a folder with everything in it, permanently. */
  purge(item: ModelItem) {
    if (item.kind === 'file') this.files.delete(item.id)
    else
      for (const folder of this.listTree(item)) {
        for (const file of this.listFilesIn(folder.id)) this.files.delete(file.id)
        this.folders.delete(folder.id)
      }
  }

  /** Returns the totals of a folder. Those of a folder in the trash count only what was moved to the trash together with it. */
  computeTotals(top: ModelFolder): { files: number; bytes: number } {
    const files = this.listTree(top, ({ trashedWith }) => trashedWith === top.trashedWith)
      .flatMap(({ id }) => this.listFilesIn(id))
      .filter(({ trashedAt }) => trashedAt === undefined)
    return { files: files.length, bytes: files.reduce((sum, file) => sum + getCurrentVersion(file).size, 0) }
  }

  /** Returns how many bytes a company uses, including the trash and all versions. */
  computeBytes(company: string): number {
    const files = [...this.files.values()].filter((file) => this.getCompany(file) === company)
    return files.flatMap(({ versions }) => versions).reduce((sum, { size }) => sum + size, 0)
  }
}
