import { FileKind } from '@neptune/contract'
import type { FileFilter } from '../../../features/file/file-queries.ts'
import { useFilters } from '../list/use-filters.ts'

export interface FileFilters {
  search: string | undefined
  company: string | undefined
  directory: string | undefined
  kind: FileKind | undefined
  sort: NonNullable<FileFilter['sort']>
  change: (changed: { search?: string; company?: string; directory?: string; kind?: string; sort?: string }) => void
  clear: () => void
}

export function useFileFilters(defaultSort: FileFilters['sort']): FileFilters {
  const { read, ...rest } = useFilters()
  return {
    search: read('search'),
    company: read('company', 64),
    directory: read('directory', 64),
    kind: FileKind.options.find((kind) => kind === read('kind')),
    sort: orders.find((order) => order === read('sort')) ?? defaultSort,
    ...rest,
  }
}

const orders = ['name', '-name', 'size', '-size', 'created_at', '-created_at'] as const
