import type { FileRow } from '@neptune/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { classNames } from '../../components/class-names.ts'
import { SelectField } from '../../components/form/field.tsx'
import { SearchField } from '../../components/table/filter-bar.tsx'
import { directoryFilesQuery } from '../../features/link/link-queries.ts'
import { t } from '../../i18n/t.ts'
import parts from '../shared/dialogs/dialog-parts.module.css'
import css from './link-dialogs.module.css'

const c = classNames({ ...parts, ...css })

/** Directories with more files than this show a search field. */
const searchThreshold = 20

type ChosenFiles = readonly Pick<FileRow, 'id' | 'file_name'>[]

/** How many of several files are named. */
const maxNamed = 5

interface LinkFileFieldProps {
  directory: string
  files: ChosenFiles
  onChange: (files: ChosenFiles) => void
  error: string | undefined
}

/** Lets the user choose a file of a directory. A long list can be searched. Several files that were selected before are one more choice. */
export function LinkFileField({ directory, files: chosen, onChange, error }: LinkFileFieldProps) {
  const [several] = useState(chosen.length > 1 ? chosen : undefined)
  const [file] = chosen.length === 1 ? chosen : []
  const [search, setSearch] = useState('')
  const list = useInfiniteQuery(directoryFilesQuery(directory, search))
  const loadedFiles = list.data?.pages.flatMap(({ data }) => data) ?? []
  // Keeps the chosen file in the list even if it does not match the search.
  const files = file && loadedFiles.every(({ id }) => id !== file.id) ? [file, ...loadedFiles] : loadedFiles
  const showMoreButton = list.hasNextPage && (
    <button type="button" className={c('link')} onClick={() => void list.fetchNextPage()}>
      {list.isFetchingNextPage ? t('Loading more files') : t('The first {n} are listed. Show more', { n: loadedFiles.length })}
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
        options={[
          ...(several ? [{ value: severalValue, label: t('{n} files', { n: several.length }) }] : []),
          ...files.map(({ id, file_name }) => ({ value: id, label: file_name })),
        ]}
        value={chosen.length > 1 ? severalValue : (file?.id ?? '')}
        onChange={({ target: { value } }) =>
          onChange(several && value === severalValue ? several : files.filter(({ id }) => id === value))
        }
        hint={chosen.length > 1 ? listNames(chosen) : showMoreButton || undefined}
        error={error ?? (list.error && !list.data ? list.error.message : undefined)}
      />
    </div>
  )
}

/** No file has this id. */
const severalValue = 'several'

const listNames = (files: ChosenFiles): string =>
  files
    .slice(0, maxNamed)
    .map(({ file_name }) => file_name)
    .join(', ') + (files.length > maxNamed ? ' …' : '')

function getPlaceholder(
  { isPending, isPlaceholderData }: { isPending: boolean; isPlaceholderData: boolean },
  search: string,
  count: number,
) {
  if (isPending || isPlaceholderData) return t('Loading files')
  if (count > 0) return search ? t('Choose one of {n} found', { n: count }) : t('Choose a file')
  return search ? t('No file matches “{search}”', { search }) : t('No files in this directory')
}
