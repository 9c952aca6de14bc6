/** A file that was chosen or dropped. */
export interface PickedFile {
  file: File
  /** Its path inside the chosen folder, or just its name. */
  path: string
  /**
   * The handle of the file, or of the dropped folder that its path begins with. With it, the page can read the file again after a reload.
   * Not all browsers provide one.
   */
  handle?: FileSystemHandle | undefined
}

/** What was chosen or dropped. */
export interface Picked {
  files: readonly PickedFile[]
  /** The paths of empty folders. All other folders follow from the paths of the files. */
  emptyFolders: readonly string[]
  /** The paths of what the browser could not read. */
  unreadable: readonly string[]
}

/** The parts of the File System Access API in use. Only Chromium supports it, and only on https and localhost. */
interface FileAccess {
  showOpenFilePicker?: (options: { multiple: boolean }) => Promise<FileSystemFileHandle[]>
}
interface HandleAccess {
  queryPermission?: (options: { mode: 'read' }) => Promise<PermissionState>
  requestPermission?: (options: { mode: 'read' }) => Promise<PermissionState>
}

/** Files that operating systems create in folders. */
const systemFiles = new Set(['.ds_store', 'thumbs.db', 'desktop.ini'])

export const isSystemFile = (name: string) => systemFiles.has(name.toLowerCase())

export const nothingPicked: Picked = { files: [], emptyFolders: [], unreadable: [] }

export const isNothing = ({ files, emptyFolders }: Picked) => files.length === 0 && emptyFolders.length === 0

const pickOnlyFiles = (files: PickedFile[]): Picked => ({
  ...nothingPicked,
  files: files.filter(({ file }) => !isSystemFile(file.name)),
})

/** Returns the files of an input. An input for folders doesn’t return empty folders. */
export const readInputFiles = (files: Iterable<File>): Picked =>
  pickOnlyFiles([...files].map((file) => ({ file, path: file.webkitRelativePath || file.name })))

export const hasFilePicker = () => 'showOpenFilePicker' in window

/** Opens the file picker of the File System Access API. Returns no files if it is canceled. */
export async function pickFiles(): Promise<Picked> {
  try {
    const handles = await (window as FileAccess).showOpenFilePicker?.({ multiple: true })
    return pickOnlyFiles(await Promise.all((handles ?? []).map(readHandle)))
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return nothingPicked
    throw error
  }
}

async function readHandle(handle: FileSystemFileHandle): Promise<PickedFile> {
  const file = await handle.getFile()
  return { file, path: file.name, handle }
}

/** Merges two selections without duplicates. */
export function mergePicked(before: Picked, more: Picked): Picked {
  const files = new Map([...before.files, ...more.files].map((picked) => [getFileKey(picked), picked]))
  return {
    files: [...files.values()],
    emptyFolders: [...new Set([...before.emptyFolders, ...more.emptyFolders])],
    unreadable: [...new Set([...before.unreadable, ...more.unreadable])],
  }
}

const getFileKey = ({ file, path }: PickedFile) => `${path} ${file.size} ${file.lastModified}`

/** A file or a whole folder, as shown in the list of chosen items. */
export interface PickedItem {
  key: string
  name: string
  /** How many files it has; undefined for a file. */
  files: number | undefined
  bytes: number
}

/** Lists each folder as one item, and the files that aren’t in a folder. */
export function listItems({ files, emptyFolders }: Picked): PickedItem[] {
  const items = new Map<string, PickedItem>()
  const getFolder = (path: string) => {
    const name = getTopFolder(path) ?? path
    const key = `${name}/`
    const item = items.get(key) ?? { key, name, files: 0, bytes: 0 }
    items.set(key, item)
    return item
  }
  for (const picked of files) {
    const { file, path } = picked
    if (getTopFolder(path) === undefined) {
      const key = getFileKey(picked)
      items.set(key, { key, name: file.name, files: undefined, bytes: file.size })
    } else {
      const item = getFolder(path)
      item.files = (item.files ?? 0) + 1
      item.bytes += file.size
    }
  }
  for (const path of emptyFolders) getFolder(path)
  return [...items.values()]
}

/** Removes an item of `listItems`. */
export const removeItem = (picked: Picked, { key }: PickedItem): Picked => ({
  ...picked,
  files: picked.files.filter(
    (file) => (getTopFolder(file.path) === undefined ? getFileKey(file) : `${getTopFolder(file.path)}/`) !== key,
  ),
  emptyFolders: picked.emptyFolders.filter((path) => `${getTopFolder(path) ?? path}/` !== key),
})

/** Returns the first folder of a path; undefined for a file that isn’t in a folder. */
export function getTopFolder(path: string): string | undefined {
  const end = path.indexOf('/')
  return end === -1 ? undefined : path.slice(0, end)
}

/** Returns the path of the folder that contains a file; an empty string if it isn’t in a folder. */
export const getFolderPath = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** Returns whether the browser allows reading the file or folder. With `ask` it may prompt the user, but only right after a click. */
export async function canRead(handle: FileSystemHandle, ask: boolean): Promise<boolean> {
  const access = handle as HandleAccess
  const checkPermission = ask ? access.requestPermission : access.queryPermission
  return (await checkPermission?.call(handle, { mode: 'read' }).catch(() => 'denied')) === 'granted'
}

/** Opens a file through its own handle, or through that of the folder its path begins with. */
export async function openFile(handle: FileSystemHandle, path: string): Promise<File> {
  if (handle.kind === 'file') return (handle as FileSystemFileHandle).getFile()
  const [, ...names] = path.split('/')
  const name = names.pop() ?? ''
  let folder = handle as FileSystemDirectoryHandle
  for (const segment of names) folder = await folder.getDirectoryHandle(segment)
  return (await folder.getFileHandle(name)).getFile()
}
