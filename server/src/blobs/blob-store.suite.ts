import { describeBlob, describeReading } from './blob.suite.ts'
import type { BlobStore } from './blob-store.ts'
import { describeInOneGo } from './in-one-go.suite.ts'
import { describeEnding, describeGoingOn, describeRefusing } from './resuming.suite.ts'
import { describeSweep } from './sweep.suite.ts'

export interface Given {
  name: string
  /** Gives a store that is empty; `reopen` gives it as a process finds it that was started later. */
  open: () => Promise<{ store: BlobStore; reopen: () => Promise<BlobStore> }>
  /** Whoever has opened a blob reads it to its end, even if it is removed meanwhile. */
  readsOn: boolean
}

/** Everything a store promises. */
export function describeBlobStore(name: string, open: Given['open'], { readsOn = true } = {}) {
  const given: Given = { name, open, readsOn }
  describeBlob(given)
  describeReading(given)
  describeInOneGo(given)
  describeGoingOn(given)
  describeRefusing(given)
  describeEnding(given)
  describeSweep(given)
}
