import type { SavedUpload } from './state/upload-job.ts'

/** Returns the name of the lock that a page with uploads holds while it is open, so that no other page takes them over. */
const getLockName = (page: string) => `neptune.uploads.${page}`

interface Row extends SavedUpload {
  page: string
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
  const write = async (change: (rows: IDBObjectStore) => void) => {
    try {
      const transaction = (await open()).transaction('uploads', 'readwrite')
      change(transaction.objectStore('uploads'))
      await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve
        transaction.onabort = reject
      })
    } catch {
      database = undefined // opens it again next time: signing out deletes the site’s storage, even an open database
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
      lock ??= holdLock(getLockName(page))
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

    /** Takes over the user’s uploads from other pages, once those are closed, and passes them to `onAdopted`. */
    async adopt(user: string, onAdopted: (uploads: SavedUpload[]) => void): Promise<void> {
      const readOthers = async () => (await readAll()).filter((row) => row.user === user && row.page !== page)
      const takeOver = async (otherPage: string) => {
        const rows = (await readOthers()).filter((row) => row.page === otherPage)
        await this.put(rows)
        onAdopted(rows.toSorted((a, b) => a.order - b.order))
      }
      const pages = new Set((await readOthers()).map((row) => row.page))
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
