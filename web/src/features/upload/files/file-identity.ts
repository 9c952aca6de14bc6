import { t } from '../../../i18n/t.ts'
import { formatSize } from '../../../lib/sizes.ts'

/** What identifies a file when it is chosen again. */
export interface FileIdentity {
  readonly name: string
  readonly size: number
  readonly lastModified: number
  /** A checksum of its first and last bytes. Undefined until the upload is created. */
  readonly fingerprint?: number | undefined
}

const edgeBytes = 64 * 1024

/** Returns how a file differs from the known one; undefined if it is the same. */
export async function findDifference(known: FileIdentity, file: File): Promise<string | undefined> {
  if (file.name !== known.name) return t('You chose “{name}”.', { name: file.name })
  if (file.size !== known.size)
    return t('That file is {size}, not {known}.', { size: formatSize(file.size), known: formatSize(known.size) })
  const isChanged =
    file.lastModified !== known.lastModified ||
    (known.fingerprint !== undefined && known.fingerprint !== (await computeFingerprint(file)))
  return isChanged ? t('That file has changed since.') : undefined
}

/** Computes a checksum (FNV-1a) of both ends of a file, which is fast for any size. Rejects if the file can’t be read. */
export async function computeFingerprint(file: Blob): Promise<number> {
  const ends = [file.slice(0, edgeBytes), file.slice(Math.max(edgeBytes, file.size - edgeBytes))]
  let hash = 0x811c9dc5
  for (const end of ends) {
    for (const byte of new Uint8Array(await end.arrayBuffer())) hash = Math.imul(hash ^ byte, 0x01000193)
  }
  return hash >>> 0
}

/** Returns whether the file is unchanged since it was chosen: browsers refuse to read a changed file. */
export const isReadable = (file: Blob): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
