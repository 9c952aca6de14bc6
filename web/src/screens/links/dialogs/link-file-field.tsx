import type { FileRow } from '@neptune/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { classNames } from '../../../components/class-names.ts'
import { SelectField } from '../../../components/form/field.tsx'
import { SearchField } from '../../../components/table/filter-bar.tsx'
import { directoryFilesQuery } from '../../../features/link/link-queries.ts'
import { t } from '../../../i18n/t.ts'
import parts from '../../shared/dialogs/dialog-parts.module.css'
import css from '../link-dialogs.module.css'

const c = classNames({ ...parts, ...css })

/** Directories with more files than this show a search field. */
const searchThreshold = 20

type ChosenFile = Pick<FileRow, 'id' | 'file_name'>

interface LinkFileFieldProps {
  directory: string
  file: ChosenFile | undefined
  onChange: (file: ChosenFile | undefined) => void
  error: string | undefined
}

/** Lets the user choose a file of a directory. A long list can be searched. */
export function LinkFileField({ directory, file, onChange, error }: LinkFileFieldProps) {
  const [search, setSearch] = useState('')
  const list = useInfiniteQuery(directoryFilesQuery(directory, search))
  const loadedFiles = list.data?.pages.flatMap(({ data }) => data) ?? []
  // Keeps the chosen file in the list even if it does not match the search.
  const files = file && loadedFiles.every(({ id }) => id !== file.id) ? [file, ...loadedFiles] : loadedFiles
  const showMoreButton = list.hasNextPage && (
    <button type="button" className={c('link')} onClick={() => void list.fetchNextPage()}>
      {list.isFetchingNextPage ? t('Loading more files') : t('Show more')}
    </button>
  )
  return (
    <div className={c('files')}>
      {(search !== '' || loadedFiles.length > searchThreshold) && (
        <SearchField label={t('Search files')} maxLength={100} value={search} onSearch={setSearch} />
      )}
      <SelectField
        label={t('Files')}
        name="file"
        required
        placeholder={getPlaceholder(list, search, loadedFiles.length)}
        options={files.map(({ id, file_name }) => ({ value: id, label: file_name }))}
        value={file?.id ?? ''}
        onChange={({ target: { value } }) => onChange(files.find(({ id }) => id === value))}
        hint={showMoreButton || undefined}
        error={error ?? (list.error && !list.data ? list.error.message : undefined)}
      />
    </div>
  )
}

function getPlaceholder(
  { isPending, isError, isPlaceholderData }: { isPending: boolean; isError: boolean; isPlaceholderData: boolean },
  search: string,
  count: number,
) {
  if (isPending || isPlaceholderData) return t('Loading files')
  if (isError && count === 0) return t('Choose a file')
  if (count > 0) return search ? t('Choose one of the matching files') : t('Choose a file')
  return search ? t('No file matches “{search}”', { search }) : t('No files in this directory')
}
