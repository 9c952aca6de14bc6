import { isSystemFile, type Picked, type PickedFile } from './picked-files.ts'
import { runInParallel } from './run-in-parallel.ts'

/** A folder that is being read. */
interface Folder {
  path: string
  /** The handle of the dropped folder that contains it, if the browser provides handles. */
  root: FileSystemHandle | undefined
  list: () => Promise<Child[]>
}

interface Child {
  name: string
  /** Reads the file; undefined for a folder. */
  open: (() => Promise<File>) | undefined
  toFolder: () => Folder
}

interface DroppedItem {
  getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>
}

/** What has been found so far. */
interface Found {
  files: PickedFile[]
  emptyFolders: string[]
  unreadable: string[]
  /** Called for each file. */
  onFile: () => void
}

/** How many folders are read at the same time, and how many files of each. */
const parallelFolders = 8
const parallelFiles = 50

/**
 * Returns dropped files and folders. Gets all items synchronously, because they are invalid after the event. Reads them in small steps, so
 * that the page stays responsive, and reports how many files it has found.
 *
 * Reads entries, not handles, because a folder’s handle silently leaves out files whose names Chromium considers unsafe, such as those with
 * a zero-width joiner. Handles are used only to open files again after a reload.
 */
export async function readDropped({ items }: DataTransfer, onProgress?: (files: number) => void): Promise<Picked> {
  const droppedItems = [...items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => ({
      handle: (item as DroppedItem).getAsFileSystemHandle?.().catch(() => null),
      entry: item.webkitGetAsEntry(),
      file: item.getAsFile(),
    }))
  let count = 0
  const found: Found = { files: [], emptyFolders: [], unreadable: [], onFile: () => onProgress?.(++count) }
  for (const { handle: pendingHandle, entry, file } of droppedItems) {
    const handle = (await pendingHandle) ?? undefined
    const child = entry && fromEntry(entry, '', handle)
    if (child?.open) await readFile({ ...child, open: child.open }, { path: '', root: handle }, found)
    else if (child) await readTree(child.toFolder(), found)
    else if (file) found.files.push({ file, path: file.name })
  }
  const { files, emptyFolders, unreadable } = found
  return { files, emptyFolders, unreadable }
}

/** Reads a folder and everything in it, level by level. Its files are sorted by path, so that they are uploaded folder by folder. */
async function readTree(top: Folder, found: Found): Promise<void> {
  const inTree: Found = { ...found, files: [], emptyFolders: [] }
  let level = [top]
  while (level.length > 0) {
    const nextLevel: Folder[] = []
    await runInParallel(level, parallelFolders, async (folder) => {
      nextLevel.push(...(await readFolder(folder, inTree)))
    })
    level = nextLevel
  }
  found.files = found.files.concat(inTree.files.sort((a, b) => (a.path < b.path ? -1 : 1)))
  found.emptyFolders.push(...inTree.emptyFolders.sort())
}

/** Reads the files in a folder. Returns the folders in it. */
async function readFolder(folder: Folder, found: Found): Promise<Folder[]> {
  let children: Child[]
  try {
    children = (await folder.list()).filter(({ name, open }) => !open || !isSystemFile(name))
  } catch {
    found.unreadable.push(folder.path)
    return []
  }
  if (children.length === 0) found.emptyFolders.push(folder.path)
  await runInParallel(children, parallelFiles, async (child) => {
    if (child.open) await readFile({ ...child, open: child.open }, folder, found)
  })
  return children.filter(({ open }) => !open).map((child) => child.toFolder())
}

async function readFile(
  { name, open }: { name: string; open: () => Promise<File> },
  { path, root }: Pick<Folder, 'path' | 'root'>,
  found: Found,
): Promise<void> {
  const filePath = join(path, name)
  if (isSystemFile(name)) return
  try {
    found.files.push({ file: await open(), path: filePath, handle: root })
    found.onFile()
  } catch {
    found.unreadable.push(filePath)
  }
}

const join = (path: string, name: string) => (path === '' ? name : `${path}/${name}`)

function fromEntry(entry: FileSystemEntry, parentPath: string, root: FileSystemHandle | undefined): Child {
  const path = join(parentPath, entry.name)
  return {
    name: entry.name,
    open: entry.isFile ? () => new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)) : undefined,
    toFolder: () => ({
      path,
      root,
      async list() {
        const reader = (entry as FileSystemDirectoryEntry).createReader()
        const children: Child[] = []
        // A reader returns at most a hundred entries at a time, and none at the end.
        for (;;) {
          const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
          if (entries.length === 0) return children
          children.push(...entries.map((child) => fromEntry(child, path, root)))
        }
      },
    }),
  }
}
