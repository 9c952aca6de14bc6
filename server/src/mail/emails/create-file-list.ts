import type { Localizer } from '../localizer.ts'
import type { Block } from './email-body.ts'

/** Lists files with their sizes, and how many more there are. */
export function createFileList({ t, formatSize }: Localizer, files: { name: string; size: number }[], count: number): Block {
  const rest = count - files.length
  return {
    list: [
      ...files.map(({ name, size }) => `${defuseName(name)} (${formatSize(size)})`),
      ...(rest > 0 ? [t('and {n} more files', { n: rest })] : []),
    ],
  }
}

/** Changes addresses in the name of a file, which anyone with the link can choose, so that mail programs don't turn them into links. */
const defuseName = (name: string) =>
  name
    .replaceAll(/:(?=\/\/)/g, '[:]')
    .replaceAll(/(?<=\bwww)\./gi, '[.]')
    .replaceAll(/(?<=[\p{L}\p{N}])\.(?=\p{L}{2,}\s)/gu, '[.]')
