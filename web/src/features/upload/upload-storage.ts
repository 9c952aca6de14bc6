import type { SavedUpload } from './state/upload-job.ts'

/** Returns the name of the lock that a page with uploads holds while it is open, so that no other page takes them over. */
const lockName = (page: string) => `neptune.uploads.${page}`

interface Row extends SavedUpload {
  page: string
}

/** Stores uploads in IndexedDB, because it can store file handles. If it is blocked, uploads work but don’t survive a reload. */
export function createUploadStorage() {
  const page = randomId()
  let database: Promise<IDBDatabase> | undefined
  let lock: Promise<void> | undefined

  const open = () => {
    database ??= openDatabase(() => {
      database = undefined
    })
    return database
  }
  const write = async (change: (rows: IDBObjectStore) => void) => {
    try {
      const transaction = (await open()).transaction('uploads', 'readwrite')
      change(transaction.objectStore('uploads'))
      await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve
        transaction.onabort = reject
      })
    } catch {
      database = undefined // signing out deletes the site’s storage while it is open
    }
  }
  const readAll = async (): Promise<Row[]> => {
    try {
      return await toPromise((await open()).transaction('uploads').objectStore('uploads').getAll() as IDBRequest<Row[]>)
    } catch {
      database = undefined
      return []
    }
  }

  return {
    async put(uploads: readonly SavedUpload[]): Promise<void> {
      lock ??= holdLock(lockName(page))
      await lock
      await write((rows) => {
        for (const upload of uploads) rows.put({ ...upload, page } satisfies Row)
      })
    },

    async remove(ids: readonly string[]): Promise<void> {
      await write((rows) => {
        for (const id of ids) rows.delete(id)
      })
    },

    /** Passes the uploads of closed pages to `take`, now or as soon as such a page closes. */
    async adopt(user: string, take: (uploads: SavedUpload[]) => void): Promise<void> {
      const readOthers = async () => (await readAll()).filter((row) => row.user === user && row.page !== page)
      const takeFrom = async (other: string) => {
        const rows = (await readOthers()).filter((row) => row.page === other)
        await this.put(rows)
        take(rows.toSorted((a, b) => a.order - b.order))
      }
      const pages = new Set((await readOthers()).map((row) => row.page))
      for (const other of pages) {
        if (navigator.locks) void navigator.locks.request(lockName(other), () => takeFrom(other))
        else await takeFrom(other)
      }
    },
  }
}

export type UploadStorage = ReturnType<typeof createUploadStorage>

/** Holds a lock until the page closes. On plain http there are no locks, so every page takes over all uploads it finds. */
const holdLock = (name: string) =>
  new Promise<void>((granted) => {
    if (!navigator.locks) return granted()
    void navigator.locks.request(name, () => {
      granted()
      return new Promise(() => {})
    })
  })

/** Not crypto.randomUUID, which is missing on plain http. */
export const randomId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(36).padStart(2, '0')).join('')

async function openDatabase(onClose: () => void): Promise<IDBDatabase> {
  const request = indexedDB.open('neptune', 1)
  request.onupgradeneeded = () => request.result.createObjectStore('uploads', { keyPath: 'id' })
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
