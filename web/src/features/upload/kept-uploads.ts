import type { Likeness } from './same-file.ts'
import type { Conflict, Target } from './transfer.ts'

/** An upload that is not finished, as this browser remembers it past a reload or a closed tab. */
export interface KeptUpload extends Likeness {
  id: string
  /** Whose it is. */
  user: string
  /** Its place among the others. */
  order: number
  directory: Target
  conflict: Conflict
  /** The server's name for it, once it has begun. */
  upload?: string | undefined
  isPaused: boolean
  handle?: FileSystemFileHandle | undefined
}

/** A page that has uploads holds a lock of this name as long as it lives, so that no other page takes them over. */
const lockOf = (page: string) => `neptune.uploads.${page}`

interface Row extends KeptUpload {
  page: string
}

/** Where they are kept: IndexedDB, because it also takes handles to files. Where it is forbidden, uploads work and are not remembered. */
export function createShelf() {
  const page = randomId()
  let opened: Promise<IDBDatabase> | undefined
  let locked: Promise<void> | undefined

  const open = () => {
    opened ??= openDatabase(() => {
      opened = undefined
    })
    return opened
  }
  const change = async (work: (rows: IDBObjectStore) => void) => {
    try {
      const transaction = (await open()).transaction('uploads', 'readwrite')
      work(transaction.objectStore('uploads'))
      await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve
        transaction.onabort = reject
      })
    } catch {
      opened = undefined // signing out clears the site's storage under our feet
    }
  }
  const all = async (): Promise<Row[]> => {
    try {
      return await finished((await open()).transaction('uploads').objectStore('uploads').getAll() as IDBRequest<Row[]>)
    } catch {
      opened = undefined
      return []
    }
  }

  return {
    async put(uploads: readonly KeptUpload[]): Promise<void> {
      locked ??= holdLock(lockOf(page))
      await locked
      await change((rows) => {
        for (const upload of uploads) rows.put({ ...upload, page } satisfies Row)
      })
    },

    async remove(ids: readonly string[]): Promise<void> {
      await change((rows) => {
        for (const id of ids) rows.delete(id)
      })
    },

    /** Hands over the uploads of pages that are gone: at once, or as soon as such a page goes. */
    async adopt(user: string, take: (uploads: KeptUpload[]) => void): Promise<void> {
      const ofOthers = async () => (await all()).filter((row) => row.user === user && row.page !== page)
      const takeFrom = async (other: string) => {
        const rows = (await ofOthers()).filter((row) => row.page === other)
        await this.put(rows)
        take(rows.toSorted((a, b) => a.order - b.order))
      }
      const pages = new Set((await ofOthers()).map((row) => row.page))
      for (const other of pages) {
        if (navigator.locks) void navigator.locks.request(lockOf(other), () => takeFrom(other))
        else await takeFrom(other)
      }
    },
  }
}

export type Shelf = ReturnType<typeof createShelf>

/** Held until the page goes. Without secure transport there are no locks; then every page takes over what it finds. */
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
  const database = await finished(request)
  database.onclose = onClose
  database.onversionchange = () => {
    database.close()
    onClose()
  }
  return database
}

const finished = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
