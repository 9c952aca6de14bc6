import { expect, it } from 'vitest'
import type { BlobStore } from '../blob-store.ts'
import { describeBlob, describeReading } from './blob.suite.ts'
import { describePut } from './put.suite.ts'
import { describeFinishing, describeResuming, describeWriteChecks } from './resuming.suite.ts'
import { describeSweep } from './sweep.suite.ts'

export interface SuiteOptions {
  name: string
  /** Opens an empty store. `reopen` opens the same store again, as a process that starts later does. */
  open: () => Promise<{ store: BlobStore; reopen: () => Promise<BlobStore> }>
  /** Whether an open blob can be read to its end after it was removed. */
  canReadRemoved: boolean
}

/** Tests everything that every `BlobStore` guarantees. */
export function describeBlobStore(name: string, open: SuiteOptions['open'], { canReadRemoved = true } = {}) {
  const options: SuiteOptions = { name, open, canReadRemoved }
  describeBlob(options)
  describeReading(options)
  describePut(options)
  describeResuming(options)
  describeWriteChecks(options)
  describeFinishing(options)
  describeSweep(options)
  describeSpace(options)
}

function describeSpace({ name, open }: SuiteOptions) {
  it(`${name}: reports the free and total space`, async () => {
    const { free, total } = await (await open()).store.getSpace()
    expect(free).toBeGreaterThan(0)
    expect(total).toBeGreaterThanOrEqual(free)
  })
}
