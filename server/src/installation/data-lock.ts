import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'

/** Gives one process exclusive use of a data folder. */
export interface DataLock {
  /** `unsupported`: the file system has no locks, so other processes cannot be detected. */
  state: 'held' | 'taken' | 'unsupported'
  release(): void
  /** Releases the lock and deletes its file, for a start that failed. */
  remove(): void
}

/** References the open lock files, because garbage collection would close them and release the lock. */
const openLockFiles = new Set<DatabaseSync>()

/** How long to wait for a server that was just killed and is still exiting. */
const lockTimeoutMs = 2_000

/**
 * Locks the data folder for a running server. The operating system releases the lock when the process ends for any reason, so a lock is
 * never stale. Node has no API for file locks, but SQLite has: the lock file is an empty SQLite database with an open
 * exclusive transaction.
 */
export async function lockDataDir(dataDir: string): Promise<DataLock> {
  const deadline = performance.now() + lockTimeoutMs
  for (;;) {
    const lock = tryLock(dataDir)
    if (lock.state !== 'taken' || performance.now() > deadline) return lock
    await wait(50)
  }
}

/** Tries to lock the data folder without waiting. Also shows whether a server is running. */
export function tryLock(dataDir: string): DataLock {
  const path = join(dataDir, 'neptune.lock')
  let file: DatabaseSync | undefined
  const release = () => {
    if (!file?.isOpen) return
    openLockFiles.delete(file)
    file.close()
  }
  const remove = () => {
    release()
    rmSync(path, { force: true })
  }
  try {
    file = new DatabaseSync(path, { timeout: 0 })
    file.exec('pragma journal_mode = memory; begin exclusive')
    openLockFiles.add(file)
    return { state: 'held', release, remove }
  } catch (error) {
    release()
    const isTaken = (error as { errcode?: number }).errcode === 5 // SQLITE_BUSY
    return { state: isTaken ? 'taken' : 'unsupported', release, remove: () => undefined }
  }
}
