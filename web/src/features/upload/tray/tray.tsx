import { useEffect, useId, useRef, useState } from 'react'
import { useRefreshStored } from '../../../api/stored.ts'
import { classNames } from '../../../components/class-names.ts'
import { Progress } from '../../../components/feedback/progress.tsx'
import { IconButton } from '../../../components/form/button.tsx'
import { ChevronDownIcon, CloseIcon } from '../../../components/icons.tsx'
import { useLatest } from '../../../components/use-latest.ts'
import { t } from '../../../i18n/t.ts'
import { canRetry, sortByUrgency, type Transfer } from '../upload-job.ts'
import type { Transfers } from '../upload-manager.ts'
import type { Uploads } from '../upload-store.ts'
import { summarizeTotals } from '../upload-texts.ts'
import css from './tray.module.css'
import { UploadsContext, useTransfers, useUploads } from './upload-context.ts'
import { TransferList } from './upload-list.tsx'
import { useTrayFocus } from './use-tray-focus.ts'

const c = classNames(css)

/** Shows every upload of this page, at the bottom of the window. */
export function Tray({ transfers }: { transfers: Transfers }) {
  const uploads = useUploads(transfers)
  useRefreshAfterUploads(uploads.completed)
  return (
    <UploadsContext value={transfers}>
      <p role="status" className="sr-only">
        {uploads.announcement}
      </p>
      {uploads.transfers.length > 0 && <OpenTray {...uploads} />}
    </UploadsContext>
  )
}

function OpenTray({ transfers: list, totals }: Uploads) {
  const transfers = useTransfers()
  const isDone = totals.done === totals.total
  const [isFolded, setFolded] = useState(() => window.matchMedia('(max-width: 767px)').matches)
  const tray = useTrayFocus()
  const picker = useRef<HTMLInputElement>(null)
  const [pickFor, setPickFor] = useState<string>()
  const id = useId()
  const choose = (transfer?: Transfer) => {
    setPickFor(transfer?.id)
    picker.current?.click()
  }
  return (
    <section ref={tray} aria-label={t('Uploads')} className={c('tray')}>
      <div className={c('head', isDone && 'closable')}>
        <p className={c('summary')}>{summarizeTotals(totals)}</p>
        <IconButton
          label={isFolded ? t('Expand uploads') : t('Collapse uploads')}
          icon={<ChevronDownIcon />}
          aria-expanded={!isFolded}
          aria-controls={id}
          className={c('fold', isFolded && 'folded')}
          data-fold
          onClick={() => setFolded(!isFolded)}
        />
        {isDone && (
          <IconButton
            label={t('Clear finished')}
            icon={<CloseIcon />}
            className={c('close')}
            onClick={() => transfers.clearFinished()}
          />
        )}
        {totals.done + totals.failed < totals.total && <Progress label={t('All uploads')} hideLabel value={totals.percent} />}
      </div>
      <div id={id} hidden={isFolded}>
        {!isFolded && (
          <>
            <Actions list={list} totals={totals} onChoose={() => choose()} />
            <TransferList transfers={sortByUrgency(list)} onChoose={choose} />
          </>
        )}
      </div>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={t('Files to resume')}
        onChange={({ target }) => {
          void transfers.supplyFiles([...(target.files ?? [])], pickFor)
          target.value = ''
        }}
      />
    </section>
  )
}

/** Bulk actions. Shows only those that apply now. */
function Actions({ list, totals, onChoose }: Pick<Uploads, 'totals'> & { list: readonly Transfer[]; onChoose: () => void }) {
  const transfers = useTransfers()
  const unfinished = list.filter(({ state }) => state.kind !== 'done' && state.kind !== 'failed').map(({ id }) => id)
  const askable = list.filter(({ state }) => state.kind === 'fileless' && state.canAsk).length
  return (
    <div className={c('actions')}>
      {totals.active + totals.paused > 0 && (
        <Action onSelect={() => (totals.active > 0 ? transfers.pause() : transfers.resume())}>
          {totals.active > 0 ? t('Pause all') : t('Resume all')}
        </Action>
      )}
      {askable > 0 && <Action onSelect={() => void transfers.requestFileAccess()}>{t('Allow all')}</Action>}
      {totals.fileless > askable && <Action onSelect={onChoose}>{t('Choose files')}</Action>}
      {list.some(canRetry) && <Action onSelect={() => transfers.retry()}>{t('Retry all')}</Action>}
      {unfinished.length > 1 && <CancelAll ids={unfinished} />}
      {totals.done > 0 && totals.done < totals.total && (
        <Action onSelect={() => transfers.clearFinished()}>{t('Clear finished')}</Action>
      )}
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
  const transfers = useTransfers()
  const [isConfirming, setConfirming] = useState(false)
  return (
    <button
      type="button"
      className={c('action', isConfirming && 'danger')}
      onClick={() => (isConfirming ? transfers.cancel(ids) : setConfirming(true))}
      onBlur={() => setConfirming(false)}
    >
      {isConfirming ? t('Cancel {n} uploads', { n: ids.length }) : t('Cancel all')}
    </button>
  )
}

/** Refetches the lists after completed uploads, at most once a second. */
function useRefreshAfterUploads(completed: number) {
  const refresh = useLatest(useRefreshStored())
  const last = useRef({ completed, at: 0 })
  useEffect(() => {
    if (completed === last.current.completed) return
    const timer = setTimeout(
      () => {
        last.current = { completed, at: Date.now() }
        void refresh.current()
      },
      Math.max(0, last.current.at + 1000 - Date.now()),
    )
    return () => clearTimeout(timer)
  }, [completed, refresh])
}
