/** A file that was chosen or dropped. With a handle, which not all browsers provide, it can be read again after a reload. */
export interface PickedFile {
  file: File
  /** Its path inside the chosen folder, or just its name. */
  path: string
  handle?: FileSystemFileHandle | undefined
}

/** The parts of the File System Access API in use. Only Chromium supports it, and only on https and localhost. */
interface FileAccess {
  showOpenFilePicker?: (options: { multiple: boolean }) => Promise<FileSystemFileHandle[]>
}
interface DroppedItem {
  getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>
}
interface HandleAccess {
  queryPermission?: (options: { mode: 'read' }) => Promise<PermissionState>
  requestPermission?: (options: { mode: 'read' }) => Promise<PermissionState>
}

/** Files that operating systems create in folders. */
const systemFiles = new Set(['.ds_store', 'thumbs.db', 'desktop.ini'])

export const readInputFiles = (files: Iterable<File>): PickedFile[] =>
  omitSystemFiles([...files].map((file) => ({ file, path: file.webkitRelativePath || file.name })))

export const hasFilePicker = () => 'showOpenFilePicker' in window

/** Opens the file picker of the File System Access API. Returns no files if it is canceled. */
export async function pickFiles(): Promise<PickedFile[]> {
  try {
    const handles = await (window as FileAccess).showOpenFilePicker?.({ multiple: true })
    return await Promise.all((handles ?? []).map(readHandle))
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return []
    throw error
  }
}

/** Returns dropped files, including those in folders. Reads all items synchronously, because they are invalid after the event. */
export async function readDroppedFiles({ items }: DataTransfer): Promise<PickedFile[]> {
  const droppedItems = [...items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => ({
      handle: (item as DroppedItem).getAsFileSystemHandle?.().catch(() => null),
      entry: item.webkitGetAsEntry(),
      file: item.getAsFile(),
    }))
  const picked = await Promise.all(
    droppedItems.map(async ({ handle: pendingHandle, entry, file }) => {
      const handle = await pendingHandle
      if (handle) return walkHandle(handle, '')
      if (entry) return walkEntry(entry)
      return file ? [{ file, path: file.name }] : []
    }),
  )
  return omitSystemFiles(picked.flat())
}

/** Merges two selections without duplicates. */
export function mergeFiles(files: readonly PickedFile[], more: readonly PickedFile[]): PickedFile[] {
  return [...new Map([...files, ...more].map((picked) => [getFileKey(picked), picked])).values()]
}

export const getFileKey = ({ file, path }: PickedFile) => `${path} ${file.size} ${file.lastModified}`

/** Returns whether the browser allows reading the file. With `ask` it may prompt the user, but only right after a click. */
export async function canRead(handle: FileSystemFileHandle, ask: boolean): Promise<boolean> {
  const access = handle as HandleAccess
  const checkPermission = ask ? access.requestPermission : access.queryPermission
  return (await checkPermission?.call(handle, { mode: 'read' }).catch(() => 'denied')) === 'granted'
}

const omitSystemFiles = (files: PickedFile[]) => files.filter(({ file }) => !systemFiles.has(file.name.toLowerCase()))

const readHandle = async (handle: FileSystemFileHandle): Promise<PickedFile> => {
  const file = await handle.getFile()
  return { file, path: file.name, handle }
}

async function walkHandle(handle: FileSystemHandle, parentPath: string): Promise<PickedFile[]> {
  const path = parentPath + handle.name
  if (handle.kind === 'file') return [{ ...(await readHandle(handle as FileSystemFileHandle)), path }]
  const pickedFiles: PickedFile[] = []
  for await (const child of (handle as FileSystemDirectoryHandle).values())
    pickedFiles.push(...(await walkHandle(child, `${path}/`)))
  return pickedFiles
}

async function walkEntry(entry: FileSystemEntry): Promise<PickedFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return [{ file, path: entry.fullPath.replace(/^\//, '') }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const pickedFiles: PickedFile[] = []
  // A reader returns about a hundred entries at a time, and none at the end.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (entries.length === 0) return pickedFiles
    for (const child of entries) pickedFiles.push(...(await walkEntry(child)))
  }
}
