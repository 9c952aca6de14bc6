import { useMemo, useRef } from 'react'
import { classNames } from '../../../components/class-names.ts'
import { Button, IconButton } from '../../../components/form/button.tsx'
import { AlertIcon, CloseIcon, FolderIcon, UploadIcon } from '../../../components/icons.tsx'
import { TruncatedText } from '../../../components/truncated-text.tsx'
import { t } from '../../../i18n/t.ts'
import { formatAmount, formatSize } from '../../../lib/sizes.ts'
import { describeUnreadable } from './describe-unreadable.ts'
import css from './file-field.module.css'
import { folderAttribute } from './folder-attribute.ts'
import {
  hasFilePicker,
  isNothing,
  listItems,
  mergePicked,
  nothingPicked,
  type Picked,
  type PickedItem,
  pickFiles,
  readInputFiles,
  removeItem,
} from './picked-files.ts'
import type { Drop } from './use-file-drop.ts'

const c = classNames(css)

/** The maximum number of names to list. The rest are only counted. */
const maxListed = 50

interface FileFieldProps {
  id: string
  picked: Picked
  onChange: (picked: Picked) => void
  error: string | undefined
  drop: Drop
  /** What to know before choosing files, such as how large they may be. */
  note?: string | undefined
}

/** Selects any number of files and folders. The parent handles drops, because the whole window is the drop target. */
export function FileField({ id, picked, onChange, error, drop, note }: FileFieldProps) {
  const fileInput = useRef<HTMLInputElement>(null)
  const folderInput = useRef<HTMLInputElement>(null)
  const chooseButton = useRef<HTMLButtonElement>(null)

  const isEmpty = isNothing(picked)
  const add = (more: Picked) => onChange(mergePicked(picked, more))
  const openInput = () => fileInput.current?.click()
  const addFromInput = (input: HTMLInputElement) => {
    add(readInputFiles(input.files ?? []))
    input.value = '' // so that choosing the same files again triggers a change event
  }
  const remove = (item: PickedItem) => {
    chooseButton.current?.focus()
    onChange(removeItem(picked, item))
  }

  return (
    <fieldset className={c('field')}>
      <legend className={c('label')}>{t('Files')}</legend>
      <div className={c('area', !isEmpty && 'small', drop.kind === 'over' && 'over', error && 'invalid')}>
        <UploadIcon />
        <p className={c('hint')}>{getHint(drop, isEmpty)}</p>
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
      {!isEmpty && <ChosenFiles picked={picked} onRemove={remove} onClear={() => onChange(nothingPicked)} />}
    </fieldset>
  )
}

function getHint(drop: Drop, isEmpty: boolean): string {
  if (drop.kind === 'reading') return t('Reading {n} files', { n: drop.files })
  return isEmpty ? t('Drop files or folders here, or choose them.') : t('Drop more here.')
}

interface ChosenProps {
  picked: Picked
  onRemove: (item: PickedItem) => void
  onClear: () => void
}

function ChosenFiles({ picked, onRemove, onClear }: ChosenProps) {
  const items = useMemo(() => listItems(picked), [picked])
  const bytes = items.reduce((sum, item) => sum + item.bytes, 0)
  const more = items.length - maxListed
  return (
    <div>
      <div className={c('total')}>
        <p role="status">{formatAmount(picked.files.length, bytes)}</p>
        {items.length > 1 && (
          <button type="button" className={c('clear')} onClick={onClear}>
            {t('Remove all')}
          </button>
        )}
      </div>
      <ul className={c('list')}>
        {items.slice(0, maxListed).map((item) => (
          <li key={item.key} className={c('row')}>
            <span className={c('name')}>
              {item.files !== undefined && <FolderIcon size={16} />}
              <TruncatedText text={item.name} />
            </span>
            <span className={c('size')}>
              {item.files === undefined ? formatSize(item.bytes) : formatAmount(item.files, item.bytes)}
            </span>
            <IconButton label={t('Remove {name}', { name: item.name })} icon={<CloseIcon />} onClick={() => onRemove(item)} />
          </li>
        ))}
        {more > 0 && <li className={c('more')}>{t('and {n} more', { n: more })}</li>}
      </ul>
      {picked.unreadable.length > 0 && (
        <p className={c('error')}>
          <AlertIcon size={16} />
          {describeUnreadable(picked.unreadable)}
        </p>
      )}
    </div>
  )
}
