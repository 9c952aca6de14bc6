import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'

/** Held for as long as somebody works in a data folder alone. */
export interface DataLock {
  /** `unsupported`: the file system cannot lock, so nobody knows who else is there. */
  state: 'held' | 'taken' | 'unsupported'
  release(): void
  /** Also takes the file away: for a start that failed and leaves nothing behind. */
  remove(): void
}

/** Nobody else may need it any more, yet it must not be tidied away: that would let go of the lock. */
const held = new Set<DatabaseSync>()

/** A server that was killed a moment ago may still be on its way out. */
const patience = 2_000

/**
 * A running server holds this. It is a lock of the operating system, so it ends with the process whatever ended that, and no start ever
 * finds a stale one. Node has no call for such locks; SQLite has, so the file is an empty SQLite database in an endless transaction.
 */
export async function lockDataDir(dataDir: string): Promise<DataLock> {
  const end = performance.now() + patience
  for (;;) {
    const lock = tryLock(dataDir)
    if (lock.state !== 'taken' || performance.now() > end) return lock
    await wait(50)
  }
}

/** The same without waiting: to know whether a server runs. */
export function tryLock(dataDir: string): DataLock {
  const path = join(dataDir, 'neptune.lock')
  let file: DatabaseSync | undefined
  const release = () => {
    if (!file?.isOpen) return
    held.delete(file)
    file.close()
  }
  const remove = () => {
    release()
    rmSync(path, { force: true })
  }
  try {
    file = new DatabaseSync(path, { timeout: 0 })
    file.exec('pragma journal_mode = memory; begin exclusive')
    held.add(file)
    return { state: 'held', release, remove }
  } catch (error) {
    release()
    const isTaken = (error as { errcode?: number }).errcode === 5
    return { state: isTaken ? 'taken' : 'unsupported', release, remove: () => undefined }
  }
}
