import { formatSize } from '../../lib/sizes.ts'
import { t } from '../../words/t.ts'

/** What is remembered of a file, to know it again. */
export interface Likeness {
  name: string
  size: number
  lastModified: number
  /** Of its first and last bytes; unknown until some of it was sent. */
  fingerprint?: number | undefined
}

const edge = 64 * 1024

/** Says why a file is not the one remembered; undefined when it is. */
export async function differenceOf(known: Likeness, file: File): Promise<string | undefined> {
  if (file.name !== known.name) return t('You chose “{name}”.', { name: file.name })
  if (file.size !== known.size)
    return t('That file is {size}, not {known}.', { size: formatSize(file.size), known: formatSize(known.size) })
  const isChanged =
    file.lastModified !== known.lastModified ||
    (known.fingerprint !== undefined && known.fingerprint !== (await fingerprintOf(file)))
  return isChanged ? t('That file has changed since.') : undefined
}

/** A checksum (FNV-1a) of both ends: quick for a file of any size. Fails when the file cannot be read. */
export async function fingerprintOf(file: Blob): Promise<number> {
  const ends = [file.slice(0, edge), file.slice(Math.max(edge, file.size - edge))]
  let hash = 0x811c9dc5
  for (const end of ends) {
    for (const byte of new Uint8Array(await end.arrayBuffer())) hash = Math.imul(hash ^ byte, 0x01000193)
  }
  return hash >>> 0
}

/** Whether the file is still as it was when it was chosen: browsers refuse to read one that has changed. */
export const isReadable = (file: Blob): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
