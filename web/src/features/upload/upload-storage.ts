import type { SavedTree, SavedUpload } from './state/upload-job.ts'

/** Returns the name of the lock that a page with uploads holds while it is open, so that no other page takes them over. */
const getLockName = (page: string) => `neptune.uploads.${page}`

type Row = SavedUpload & { page: string }
type TreeRow = SavedTree & { page: string }

/** What is stored of a user’s uploads. */
export interface SavedUploads {
  uploads: SavedUpload[]
  trees: SavedTree[]
}

/** Stores uploads in IndexedDB, because it can store file handles. If it is blocked, uploads work but don’t survive a reload. */
export function createUploadStorage() {
  const page = createRandomId()
  let database: Promise<IDBDatabase> | undefined
  let lock: Promise<void> | undefined

  const open = () => {
    database ??= openDatabase(() => {
      database = undefined
    })
    return database
  }
  const write = async (name: 'uploads' | 'trees', change: (rows: IDBObjectStore) => void) => {
    try {
      const transaction = (await open()).transaction(name, 'readwrite')
      change(transaction.objectStore(name))
      await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve
        transaction.onabort = reject
      })
    } catch {
      database = undefined // opens it again next time: signing out deletes the site’s storage, even an open database
    }
  }
  const readAll = async <T>(name: 'uploads' | 'trees'): Promise<T[]> => {
    try {
      return await toPromise((await open()).transaction(name).objectStore(name).getAll() as IDBRequest<T[]>)
    } catch {
      database = undefined
      return []
    }
  }
  const put = async (name: 'uploads' | 'trees', saved: readonly { id: string }[]) => {
    lock ??= holdLock(getLockName(page))
    await lock
    await write(name, (rows) => {
      for (const row of saved) rows.put({ ...row, page })
    })
  }
  const remove = (name: 'uploads' | 'trees', ids: readonly string[]) =>
    write(name, (rows) => {
      for (const id of ids) rows.delete(id)
    })

  return {
    put: (uploads: readonly SavedUpload[]) => put('uploads', uploads),
    remove: (ids: readonly string[]) => remove('uploads', ids),

    putTree: (tree: SavedTree) => put('trees', [tree]),
    removeTrees: (ids: readonly string[]) => remove('trees', ids),

    /** Takes over the user’s uploads from other pages, once those are closed, and passes them to `onAdopted`. */
    async adopt(user: string, onAdopted: (saved: SavedUploads) => void): Promise<void> {
      const readOthers = async <T extends Row | TreeRow>(name: 'uploads' | 'trees') =>
        (await readAll<T>(name)).filter((row) => row.user === user && row.page !== page)
      const takeOver = async (otherPage: string) => {
        const trees = (await readOthers<TreeRow>('trees')).filter((row) => row.page === otherPage)
        const uploads = (await readOthers<Row>('uploads')).filter((row) => row.page === otherPage)
        await put('trees', trees)
        await put('uploads', uploads)
        onAdopted({ trees, uploads: uploads.toSorted((a, b) => a.order - b.order) })
      }
      const rows = [...(await readOthers('uploads')), ...(await readOthers('trees'))]
      const pages = new Set(rows.map((row) => row.page))
      for (const otherPage of pages) {
        if (navigator.locks) void navigator.locks.request(getLockName(otherPage), () => takeOver(otherPage))
        else await takeOver(otherPage)
      }
    },
  }
}

export type UploadStorage = ReturnType<typeof createUploadStorage>

/** Holds a lock until the page closes. On plain http there are no locks, so every page takes over all uploads it finds. */
const holdLock = (name: string) =>
  new Promise<void>((resolve) => {
    if (!navigator.locks) return resolve()
    void navigator.locks.request(name, () => {
      resolve()
      return new Promise(() => {})
    })
  })

/** Creates a random id. Doesn’t use `crypto.randomUUID`, which is missing on plain http. */
export const createRandomId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(36).padStart(2, '0')).join('')

async function openDatabase(onClose: () => void): Promise<IDBDatabase> {
  const request = indexedDB.open('neptune', 2)
  request.onupgradeneeded = ({ oldVersion }) => {
    if (oldVersion < 1) request.result.createObjectStore('uploads', { keyPath: 'id' })
    request.result.createObjectStore('trees', { keyPath: 'id' })
  }
  const database = await toPromise(request)
  database.onclose = onClose
  database.onversionchange = () => {
    database.close()
    onClose()
  }
  return database
}

const toPromise = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
