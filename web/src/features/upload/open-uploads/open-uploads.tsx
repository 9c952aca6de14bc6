import type { UploadRow } from '@neptune/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Age } from '../../../components/age.tsx'
import { classNames } from '../../../components/class-names.ts'
import { Button } from '../../../components/form/button.tsx'
import { LoadMore } from '../../../components/table/load-more.tsx'
import { TruncatedText } from '../../../components/truncated-text.tsx'
import { t } from '../../../i18n/t.ts'
import { formatPersonName } from '../../../lib/person-name.ts'
import { formatSize } from '../../../lib/sizes.ts'
import css from './open-uploads.module.css'
import { openUploadsQuery } from './open-uploads-queries.ts'

const c = classNames(css)

interface OpenUploadsProps {
  directory: string
  onCancel: (upload: UploadRow) => void
}

/** A one-line summary of unfinished uploads to a directory, which expands to a list. Renders nothing if there are none. */
export function OpenUploads({ directory, onCancel }: OpenUploadsProps) {
  const list = useInfiniteQuery(openUploadsQuery(directory))
  const pages = list.data?.pages ?? []
  const uploads = pages.flatMap(({ data }) => data)
  const total = pages.at(-1)?.total
  if (!total || total.uploads === 0) return null
  return (
    <details className={c('uploads')}>
      <summary className={c('summary')}>
        {t('{n} unfinished uploads', { n: total.uploads })} · {t('{size} reserved', { size: formatSize(total.reserved) })}
      </summary>
      <ul className={c('list')} aria-label={t('Unfinished uploads')}>
        {uploads.map((upload) => (
          <OpenUpload key={upload.id} upload={upload} onCancel={() => onCancel(upload)} />
        ))}
      </ul>
      <LoadMore
        shown={uploads.length}
        next={pages.at(-1)?.next ?? null}
        loading={list.isFetchingNextPage}
        failed={list.isFetchNextPageError}
        onMore={() => void list.fetchNextPage()}
      />
    </details>
  )
}

const OpenUpload = ({ upload, onCancel }: { upload: UploadRow; onCancel: () => void }) => (
  <li className={c('upload')}>
    <span className={c('text')}>
      <TruncatedText text={upload.file_name} />
      <span className={c('secondary')}>
        {t('{received} of {size}', { received: formatSize(upload.received), size: formatSize(upload.size) })} ·{' '}
        {describeSender(upload)} · <Age instant={upload.progress_at} />
      </span>
    </span>
    <Button aria-label={t('Cancel {name}', { name: upload.file_name })} onClick={onCancel}>
      {t('Cancel')}
    </Button>
  </li>
)

function describeSender({ person, email }: UploadRow): string {
  if (person !== null) return formatPersonName(person)
  return email === null ? t('Recipient of a link') : t('Recipient of a link sent to {email}', { email })
}
