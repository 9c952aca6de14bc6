import { useEffect, useId, useRef, useState } from 'react'
import { useRefreshStorage } from '../../../api/use-storage-action.ts'
import { classNames } from '../../../components/class-names.ts'
import { CheckIcon, ChevronDownIcon, CloseIcon } from '../../../components/entry-icons.tsx'
import { Progress } from '../../../components/feedback/progress.tsx'
import { IconButton } from '../../../components/form/button.tsx'
import { useLatest } from '../../../components/use-latest.ts'
import { t } from '../../../i18n/t.ts'
import { folderAttribute } from '../files/folder-attribute.ts'
import { canRetry, type UploadJob } from '../state/upload-job.ts'
import type { UploadSnapshot } from '../state/upload-store.ts'
import type { UploadManager } from '../upload-manager.ts'
import { summarizeTotals } from '../upload-texts.ts'
import css from './tray.module.css'
import type { UploadGroup } from './tray-rows.ts'
import { UploadsContext, useUploadSnapshot, useUploads } from './upload-context.ts'
import { UploadList } from './upload-list.tsx'
import { useCollapsed } from './use-collapsed.ts'
import { useTrayFocus } from './use-tray-focus.ts'

const c = classNames(css)

/** Shows every upload of this page, at the bottom of the window. */
export function Tray({ uploads }: { uploads: UploadManager }) {
  const snapshot = useUploadSnapshot(uploads)
  useRefreshAfterUploads(snapshot.completed)
  return (
    <UploadsContext value={uploads}>
      <p role="status" className="sr-only">
        {snapshot.announcement}
      </p>
      {snapshot.jobs.length > 0 && <OpenTray {...snapshot} />}
    </UploadsContext>
  )
}

function OpenTray({ jobs, totals }: UploadSnapshot) {
  const uploads = useUploads()
  const isDone = totals.left === 0
  const { isCollapsed, toggle } = useCollapsed(isDone)
  const tray = useTrayFocus()
  const pickers = usePickers()
  const id = useId()
  return (
    <section ref={tray} aria-label={t('Uploads')} className={c('tray')}>
      <div className={c('head', isDone && 'closable')}>
        <p className={c('summary')}>
          {isDone && <CheckIcon size={16} />}
          {summarizeTotals(totals)}
        </p>
        <IconButton
          label={isCollapsed ? t('Expand uploads') : t('Collapse uploads')}
          icon={<ChevronDownIcon />}
          aria-expanded={!isCollapsed}
          aria-controls={id}
          className={c('toggle', isCollapsed && 'collapsed')}
          data-collapse-toggle
          onClick={toggle}
        />
        {isDone && (
          <IconButton
            label={t('Clear finished')}
            icon={<CloseIcon />}
            className={c('close')}
            onClick={() => uploads.clearFinished()}
          />
        )}
        {totals.left > totals.failed && <Progress label={t('All uploads')} hideLabel value={totals.percent} />}
      </div>
      <div id={id} hidden={isCollapsed}>
        {!isCollapsed && (
          <>
            <Actions jobs={jobs} totals={totals} {...pickers} />
            <UploadList jobs={jobs} onChoose={pickers.pickFiles} onChooseFolder={pickers.pickFolder} />
          </>
        )}
      </div>
      {pickers.inputs}
    </section>
  )
}

/** Opens the browser’s pickers for files and folders that must be chosen again. */
function usePickers() {
  const uploads = useUploads()
  const fileInput = useRef<HTMLInputElement>(null)
  const folderInput = useRef<HTMLInputElement>(null)
  const [forId, setForId] = useState<string>()
  const open = (input: HTMLInputElement | null, id: string | undefined) => {
    setForId(id)
    input?.click()
  }
  const take = (input: HTMLInputElement) => {
    const files = [...(input.files ?? [])]
    input.value = ''
    return files
  }
  return {
    pickFiles: (job?: UploadJob) => open(fileInput.current, job?.id),
    pickFolder: (group?: UploadGroup) => open(folderInput.current, group?.tree),
    inputs: (
      <>
        <input
          ref={fileInput}
          type="file"
          multiple
          hidden
          aria-label={t('Files to resume')}
          onChange={({ target }) => void uploads.supplyFiles(take(target), forId)}
        />
        <input
          ref={folderInput}
          type="file"
          {...folderAttribute}
          hidden
          aria-label={t('Folder to resume')}
          onChange={({ target }) => void uploads.supplyFolder(take(target), forId)}
        />
      </>
    ),
  }
}

type ActionsProps = Pick<UploadSnapshot, 'jobs' | 'totals'> & Pick<ReturnType<typeof usePickers>, 'pickFiles' | 'pickFolder'>

/** Bulk actions. Shows only those that apply now. */
function Actions({ jobs, totals, pickFiles, pickFolder }: ActionsProps) {
  const uploads = useUploads()
  const unfinishedIds = jobs.filter(({ state }) => state.kind !== 'done' && state.kind !== 'failed').map(({ id }) => id)
  const lost = jobs.filter(({ state }) => state.kind === 'fileless' && !state.canAsk)
  return (
    <div className={c('actions')}>
      {totals.active + totals.paused > 0 && (
        <Action onSelect={() => (totals.active > 0 ? uploads.pause() : uploads.resume())}>
          {totals.active > 0 ? t('Pause all') : t('Resume all')}
        </Action>
      )}
      {totals.askable > 0 && <Action onSelect={() => void uploads.requestFileAccess()}>{t('Allow all')}</Action>}
      {lost.some(({ tree }) => tree === undefined) && <Action onSelect={() => pickFiles()}>{t('Choose files')}</Action>}
      {lost.some(({ tree }) => tree !== undefined) && <Action onSelect={() => pickFolder()}>{t('Choose folder')}</Action>}
      {jobs.some(canRetry) && <Action onSelect={() => uploads.retry()}>{t('Retry all')}</Action>}
      {unfinishedIds.length > 1 && <CancelAll ids={unfinishedIds} />}
      {totals.done > 0 && totals.left > 0 && <Action onSelect={() => uploads.clearFinished()}>{t('Clear finished')}</Action>}
    </div>
  )
}

const Action = ({ onSelect, children }: { onSelect: () => void; children: string }) => (
  <button type="button" className={c('action')} onClick={onSelect}>
    {children}
  </button>
)

/** Needs a second click to confirm, because the bytes sent so far are lost. */
function CancelAll({ ids }: { ids: readonly string[] }) {
  const uploads = useUploads()
  const [isConfirming, setConfirming] = useState(false)
  return (
    <button
      type="button"
      className={c('action', isConfirming && 'danger')}
      onClick={() => (isConfirming ? uploads.cancel(ids) : setConfirming(true))}
      onBlur={() => setConfirming(false)}
    >
      {isConfirming ? t('Cancel {n} uploads', { n: ids.length }) : t('Cancel all')}
    </button>
  )
}

/** Refetches the lists after completed uploads, at most once a second. */
function useRefreshAfterUploads(completed: number) {
  const refresh = useLatest(useRefreshStorage())
  const lastRefresh = useRef({ completed, at: 0 })
  useEffect(() => {
    if (completed === lastRefresh.current.completed) return
    const timer = setTimeout(
      () => {
        lastRefresh.current = { completed, at: Date.now() }
        void refresh.current()
      },
      Math.max(0, lastRefresh.current.at + 1000 - Date.now()),
    )
    return () => clearTimeout(timer)
  }, [completed, refresh])
}
