import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { withSuffix } from '../names/file-name.ts'
import { toNameKey } from '../names/name-key.ts'

/** Separators of paths, streams and drives, wildcards, control characters and those that reverse the writing direction. */
const unsafeCharacters = /[<>:"/\\|?*\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Windows removes these, so that `a.txt.` would overwrite `a.txt`; and `..` is the parent folder. */
const trailingDotsAndSpaces = /[.\s]+$/u

/** Devices of Windows, whatever the extension. The superscript digits count as digits there. */
const deviceName = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)/i

/** The form of a short name (`REPORT~1.PDF`), which on Windows can refer to a file with a longer name. */
const shortName = /^([^.~]{1,6})~(?=\d{1,6}(?:\.[^.]{0,3})?$)/

/** macOS treats such a file as the attributes of the file whose name follows. */
const appleDouble = /^\._/

/** Returns a name that every common system extracts as an ordinary file. Most names stay as they are. */
export function toSafeFileName(name: string): string {
  const safe = name
    .replace(unsafeCharacters, '_')
    .replace(trailingDotsAndSpaces, (end) => '_'.repeat(end.length))
    .replace(appleDouble, '__')
    .replace(shortName, '$1_')
  if (!deviceName.test(safe)) return safe || '_'
  return withSuffix(`_${safe}`, '').replace(trailingDotsAndSpaces, '_') // a name that was cut can end in a dot again
}

/**
 * A Bloom filter of 2^23 bits: 1 MiB, however many names there are. With four bits for each name, false positives are rare up to a million
 * names.
 */
const hashBits = 23
const probes = [0, 1, 2, 3]
/** How many changed names are remembered. Beyond these, every changed name gets a tag, so that the memory use is limited. */
const maxRemembered = 10_000
const tagLength = 10
const tag = / \(~[0-9a-z]{10}\)/i

/**
 * Returns a function that gives each file and folder of an archive a safe name, distinct from all others in the same folder, even when case
 * is ignored, which makes `straße` and `STRASSE` one name. Stored names are already distinct, except in ways that only `toFoldedKey`
 * detects, so only changed names and names with such letters can collide. A name that might collide gets a tag derived from the file's id.
 * The same files in the same order always get the same names. `folder` is the path of the folder in the archive, which ends in a slash;
 * empty at the top.
 */
export function createZipNames() {
  const seen = new Uint8Array(2 ** (hashBits - 3))
  const changed = new Set<string>()

  return ({ id, name, folder = '' }: { id: string; name: string; folder?: string }): string => {
    const safe = toSafeFileName(name)
    const key = toFoldedKey(safe)
    // The path of the folder has been made distinct already, so equal keys mean the same folder.
    const path = folder + key
    const bits = findBits(path)
    const isSeen = bits.every((bit) => ((seen[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0)
    // A name that looks tagged gets a tag of its own, so that nobody can choose the name that another file will get.
    if (tag.test(key) || changed.has(path)) return addTag(safe, id)
    if (safe !== name || key !== toNameKey(safe)) {
      if (isSeen || changed.size >= maxRemembered) return addTag(safe, id)
      changed.add(path)
    }
    for (const bit of bits) seen[bit >> 3] = (seen[bit >> 3] ?? 0) | (1 << (bit & 7))
    return safe
  }
}

/** Returns the bits of a path in the filter, from two independent hashes. */
function findBits(path: string): number[] {
  const first = crc32(path)
  let second = 0x811c9dc5 // FNV-1a
  for (let i = 0; i < path.length; i++) second = Math.imul(second ^ path.charCodeAt(i), 0x01000193)
  return probes.map((i) => (first + Math.imul(i, second | 1)) >>> (32 - hashBits))
}

/** Returns equal keys for names that some system treats as one name, because it uses full case folding or ignores invisible characters. */
const toFoldedKey = (name: string) =>
  toNameKey(
    name
      .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
      .toLowerCase()
      .toUpperCase(),
  )

const addTag = (name: string, id: string) =>
  withSuffix(
    name,
    ` (~${BigInt(`0x${hash('sha256', id)}`)
      .toString(36)
      .slice(-tagLength)})`,
  )
