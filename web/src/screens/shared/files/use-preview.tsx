import type { FileKind, FileRow } from '@neptune/contract'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ComponentProps, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { getDamageReason } from '../../../features/file/damage.tsx'
import { getKindStyle } from '../../../features/file/file-kinds.tsx'
import { useDownload } from '../../../features/file/use-download.ts'
import type { Viewer } from '../../../features/preview/viewer.tsx'
import { type Text, t } from '../../../i18n/t.ts'
import { ErrorBoundary } from '../../../lib/page/error-boundary.tsx'
import { DialogFailed } from '../dialogs/dialog-failed.tsx'

const LazyViewer = lazy(() => import('../../../features/preview/viewer.tsx').then((module) => ({ default: module.Viewer })))

/** The file viewer, loaded on first use. */
export const PreviewViewer = (props: ComponentProps<typeof Viewer>) => (
  <ErrorBoundary fallback={() => <DialogFailed onClose={props.onClose} />}>
    <Suspense>
      <LazyViewer {...props} />
    </Suspense>
  </ErrorBoundary>
)

type Query = UseInfiniteQueryResult<InfiniteData<{ data: FileRow[]; next: string | null }>>
type Files = Pick<Query, 'hasNextPage' | 'isFetching'> & {
  data: { pages: readonly { data: readonly FileRow[] }[] } | undefined
  fetchNextPage: () => unknown
}

/** Loads the next page when the viewer is this close to the last loaded file. */
const prefetchDistance = 3

/** Previews the files of a list in its order. Render `viewer` next to the list. */
export function usePreview(list: Files, isStaff = true): { preview: (file: FileRow) => void; viewer: ReactNode } {
  const [file, setFile] = useState<FileRow>()
  const { downloadFile } = useDownload()
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  const index = rows.findIndex(({ id }) => id === file?.id)
  const { hasNextPage, isFetching, fetchNextPage } = list
  const isNearEnd = file !== undefined && index >= rows.length - prefetchDistance
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetching) void fetchNextPage()
  }, [isNearEnd, hasNextPage, isFetching, fetchNextPage])

  const [previous, next] = [rows[index - 1], rows[index + 1]]
  const viewer = file && (
    <PreviewViewer
      file={toPreviewFile(rows[index] ?? file, isStaff)}
      position={index === -1 ? undefined : { index: index + 1, total: `${rows.length}${hasNextPage ? '+' : ''}` }}
      onPrevious={previous && (() => setFile(previous))}
      onNext={index === -1 || !next ? undefined : () => setFile(next)}
      onDownload={() => downloadFile(file)}
      onClose={() => setFile(undefined)}
    />
  )
  return { preview: setFile, viewer }
}

export function toPreviewFile(file: FileRow, isStaff: boolean): ComponentProps<typeof Viewer>['file'] {
  const { Glyph } = getKindStyle(file.kind)
  return {
    id: file.id,
    name: file.file_name,
    size: file.size,
    kind: t(kindNames[file.kind]),
    glyph: <Glyph />,
    disabledReason: getDamageReason(file, isStaff),
  }
}

const kindNames = {
  image: 'Image',
  pdf: 'PDF',
  text: 'Text',
  office: 'Office document',
  archive: 'Archive',
  media: 'Audio or video',
  other: 'Other file type',
} as const satisfies Record<FileKind, Text>
