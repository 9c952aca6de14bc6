import { FileKind } from '@neptune/contract'
import type { FileFilter } from '../features/file/file-queries.ts'
import { useFilters } from './use-filters.ts'

export interface FileFilters {
  search: string | undefined
  company: string | undefined
  directory: string | undefined
  kind: FileKind | undefined
  sort: NonNullable<FileFilter['sort']>
  change: (changed: { search?: string; company?: string; directory?: string; kind?: string; sort?: string }) => void
  clear: () => void
}

export function useFileFilters(usual: FileFilters['sort']): FileFilters {
  const { given, ...rest } = useFilters()
  return {
    search: given('search'),
    company: given('company', 64),
    directory: given('directory', 64),
    kind: FileKind.options.find((kind) => kind === given('kind')),
    sort: orders.find((order) => order === given('sort')) ?? usual,
    ...rest,
  }
}

const orders = ['name', '-name', 'size', '-size', 'created_at', '-created_at'] as const
