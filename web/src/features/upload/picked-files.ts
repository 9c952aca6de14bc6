/** A file somebody chose or dropped. The handle, where the browser gives one, finds it again after a reload. */
export interface PickedFile {
  file: File
  /** Where it stood inside the folder that was chosen; the bare name where there was none. */
  path: string
  handle?: FileSystemFileHandle | undefined
}

/** As much of the File System Access API as is used. Only Chromium has it, and only on https and localhost. */
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

/** What systems leave in folders for themselves. */
const litter = new Set(['.ds_store', 'thumbs.db', 'desktop.ini'])

export const fromInput = (files: Iterable<File>): PickedFile[] =>
  withoutLitter([...files].map((file) => ({ file, path: file.webkitRelativePath || file.name })))

export const hasPicker = () => 'showOpenFilePicker' in window

/** The browser's own picker. Nothing when it was closed without a choice. */
export async function fromPicker(): Promise<PickedFile[]> {
  try {
    const handles = await (window as FileAccess).showOpenFilePicker?.({ multiple: true })
    return await Promise.all((handles ?? []).map(fromHandle))
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return []
    throw error
  }
}

/** What was dropped, with the files of all folders below. The browser forgets it after the event, so all is asked for at once. */
export async function fromDrop({ items }: DataTransfer): Promise<PickedFile[]> {
  const found = [...items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => ({
      handle: (item as DroppedItem).getAsFileSystemHandle?.().catch(() => null),
      entry: item.webkitGetAsEntry(),
      file: item.getAsFile(),
    }))
  const picked = await Promise.all(
    found.map(async ({ handle, entry, file }) => {
      const opened = await handle
      if (opened) return walkHandle(opened, '')
      if (entry) return walkEntry(entry)
      return file ? [{ file, path: file.name }] : []
    }),
  )
  return withoutLitter(picked.flat())
}

/** A file chosen twice is there once. */
export function joinFiles(files: readonly PickedFile[], more: readonly PickedFile[]): PickedFile[] {
  return [...new Map([...files, ...more].map((picked) => [keyOfFile(picked), picked])).values()]
}

export const keyOfFile = ({ file, path }: PickedFile) => `${path} ${file.size} ${file.lastModified}`

/** Whether the browser lets us read it; with `ask` it may ask the person, which it does only after a click. */
export async function mayRead(handle: FileSystemFileHandle, ask: boolean): Promise<boolean> {
  const access = handle as HandleAccess
  const question = ask ? access.requestPermission : access.queryPermission
  return (await question?.call(handle, { mode: 'read' }).catch(() => 'denied')) === 'granted'
}

const withoutLitter = (files: PickedFile[]) => files.filter(({ file }) => !litter.has(file.name.toLowerCase()))

const fromHandle = async (handle: FileSystemFileHandle): Promise<PickedFile> => {
  const file = await handle.getFile()
  return { file, path: file.name, handle }
}

async function walkHandle(handle: FileSystemHandle, above: string): Promise<PickedFile[]> {
  const path = above + handle.name
  if (handle.kind === 'file') return [{ ...(await fromHandle(handle as FileSystemFileHandle)), path }]
  const found: PickedFile[] = []
  for await (const below of (handle as FileSystemDirectoryHandle).values()) found.push(...(await walkHandle(below, `${path}/`)))
  return found
}

async function walkEntry(entry: FileSystemEntry): Promise<PickedFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return [{ file, path: entry.fullPath.replace(/^\//, '') }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: PickedFile[] = []
  // A reader gives a hundred at a time, and none when it has given all.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return found
    for (const below of some) found.push(...(await walkEntry(below)))
  }
}
