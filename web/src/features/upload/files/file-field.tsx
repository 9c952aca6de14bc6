import { useRef } from 'react'
import { classNames } from '../../../components/class-names.ts'
import { Button, IconButton } from '../../../components/form/button.tsx'
import { AlertIcon, CloseIcon, UploadIcon } from '../../../components/icons.tsx'
import { TruncatedText } from '../../../components/truncated-text.tsx'
import { t } from '../../../i18n/t.ts'
import { formatAmount, formatSize } from '../../../lib/sizes.ts'
import css from './file-field.module.css'
import { getFileKey, hasFilePicker, mergeFiles, type PickedFile, pickFiles, readInputFiles } from './picked-files.ts'

const c = classNames(css)

/** Lists this many names, and only counts the rest. */
const maxListed = 50

/** Non-standard, but supported by every browser. React’s types don’t know it. */
const folderAttribute = { webkitdirectory: '' }

interface FileFieldProps {
  id: string
  files: readonly PickedFile[]
  onChange: (files: PickedFile[]) => void
  error: string | undefined
  drop: 'none' | 'over' | 'reading'
  /** What to know before choosing files, such as how large they may be. */
  note?: string | undefined
}

/** Selects any number of files and folders. The parent handles drops, because the whole window is the drop target. */
export function FileField({ id, files, onChange, error, drop, note }: FileFieldProps) {
  const fileInput = useRef<HTMLInputElement>(null)
  const folderInput = useRef<HTMLInputElement>(null)
  const chooseButton = useRef<HTMLButtonElement>(null)

  const add = (more: readonly PickedFile[]) => onChange(mergeFiles(files, more))
  const openInput = () => fileInput.current?.click()
  const addFromInput = (input: HTMLInputElement) => {
    add(readInputFiles(input.files ?? []))
    input.value = '' // so that choosing the same files again triggers a change event
  }
  const remove = (removed: PickedFile) => {
    chooseButton.current?.focus()
    onChange(files.filter((file) => file !== removed))
  }

  return (
    <fieldset className={c('field')}>
      <legend className={c('label')}>{t('Files')}</legend>
      <div className={c('area', files.length > 0 && 'small', drop === 'over' && 'over', error && 'invalid')}>
        <UploadIcon />
        <p className={c('hint')}>{getHint(drop, files.length)}</p>
        <div className={c('buttons')}>
          <Button
            ref={chooseButton}
            id={id}
            aria-describedby={[error && `${id}-error`, note && `${id}-note`].filter(Boolean).join(' ') || undefined}
            // The File System Access API, where supported, lets the page read the file again after a reload.
            onClick={() => (hasFilePicker() ? void pickFiles().then(add, openInput) : openInput())}
          >
            {t('Choose files')}
          </Button>
          <Button onClick={() => folderInput.current?.click()}>{t('Choose folder')}</Button>
        </div>
        <input
          ref={fileInput}
          type="file"
          multiple
          hidden
          aria-label={t('Files')}
          onChange={({ target }) => addFromInput(target)}
        />
        <input
          ref={folderInput}
          type="file"
          {...folderAttribute}
          hidden
          aria-label={t('Folder')}
          onChange={({ target }) => addFromInput(target)}
        />
      </div>
      {note && (
        <p id={`${id}-note`} className={c('note')}>
          {note}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={c('error')}>
          <AlertIcon size={16} />
          {error}
        </p>
      )}
      {files.length > 0 && <ChosenFiles files={files} onRemove={remove} onClear={() => onChange([])} />}
    </fieldset>
  )
}

function getHint(drop: FileFieldProps['drop'], count: number): string {
  if (drop === 'reading') return t('Reading folders')
  return count > 0 ? t('Drop more here.') : t('Drop files or folders here, or choose them.')
}

interface ChosenProps {
  files: readonly PickedFile[]
  onRemove: (file: PickedFile) => void
  onClear: () => void
}

function ChosenFiles({ files, onRemove, onClear }: ChosenProps) {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  const more = files.length - maxListed
  return (
    <div>
      <div className={c('total')}>
        <p role="status">{formatAmount(files.length, bytes)}</p>
        {files.length > 1 && (
          <button type="button" className={c('clear')} onClick={onClear}>
            {t('Remove all')}
          </button>
        )}
      </div>
      <ul className={c('list')}>
        {files.slice(0, maxListed).map((picked) => (
          <li key={getFileKey(picked)} className={c('row')}>
            <TruncatedText text={picked.file.name} />
            <span className={c('size')}>{formatSize(picked.file.size)}</span>
            <IconButton
              label={t('Remove {name}', { name: picked.file.name })}
              icon={<CloseIcon />}
              onClick={() => onRemove(picked)}
            />
          </li>
        ))}
        {more > 0 && <li className={c('more')}>{t('and {n} more', { n: more })}</li>}
      </ul>
      {files.some(({ path }) => path.split('/').length > 2) && (
        <p className={c('note')}>
          {t('Directories have no subfolders: all files end up side by side, and files with the same name get a number.')}
        </p>
      )}
    </div>
  )
}
