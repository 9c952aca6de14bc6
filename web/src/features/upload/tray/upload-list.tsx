import { memo, type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from '../../../components/class-names.ts'
import { Progress } from '../../../components/feedback/progress.tsx'
import { Button, IconButton } from '../../../components/form/button.tsx'
import { AlertIcon, CheckIcon, CloseIcon, PauseIcon, ResumeIcon } from '../../../components/icons.tsx'
import { TruncatedText } from '../../../components/truncated-text.tsx'
import { t } from '../../../i18n/t.ts'
import type { UploadJob } from '../state/upload-job.ts'
import { describeJob, formatSpeed } from '../upload-texts.ts'
import { useUploads } from './upload-context.ts'
import css from './upload-list.module.css'

const c = classNames(css)

/** The minimum in pixels, like in the style sheet. Only rows that explain what to do can be taller: they show the whole text. */
const rowHeight = 72
/** How far beyond the visible part rows are rendered, on each side. */
const overscanHeight = 4 * rowHeight

interface Props {
  jobs: readonly UploadJob[]
  onChoose: (job: UploadJob) => void
}

export function UploadList({ jobs, onChoose }: Props) {
  const scrollBox = useRef<HTMLDivElement>(null)
  const [{ top, height }, setView] = useState({ top: 0, height: 360 })
  const [focused, setFocused] = useState<string>()
  const measure = () => {
    if (scrollBox.current) setView({ top: scrollBox.current.scrollTop, height: scrollBox.current.clientHeight })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the number of rows.
  useLayoutEffect(measure, [jobs.length])

  const { heights, setHeight } = useRowHeights()
  const { offsets, total } = computeOffsets(jobs, heights)
  const isInView = (index: number) => {
    const [start = 0, end = total] = [offsets[index], offsets[index + 1]]
    return end > top - overscanHeight && start < top + height + overscanHeight
  }
  return (
    <div ref={scrollBox} className={c('box')} onScroll={measure}>
      <ul className={c('list')} style={{ height: total }}>
        {jobs.map((job, index) =>
          // The focused row is rendered even when out of view, to keep the focus.
          isInView(index) || job.id === focused ? (
            <Row
              key={job.id}
              {...{ job, index, onChoose }}
              top={offsets[index] ?? 0}
              count={jobs.length}
              onFocus={setFocused}
              onResize={setHeight}
            />
          ) : null,
        )}
      </ul>
    </div>
  )
}

/** Returns whether a row explains a failure or what to do. */
const isExplained = ({ state }: UploadJob) => state.kind === 'failed' || state.kind === 'fileless'

/** Keeps the heights of the rows that were rendered. */
function useRowHeights() {
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map())
  const setHeight = useCallback(
    (id: string, height: number) => setHeights((known) => (known.get(id) === height ? known : new Map(known).set(id, height))),
    [],
  )
  return { heights, setHeight }
}

/** Computes where each row starts. A tall row that was never rendered counts as one of the minimum height. */
function computeOffsets(jobs: readonly UploadJob[], heights: ReadonlyMap<string, number>) {
  let total = 0
  const offsets = jobs.map((job) => {
    const start = total
    total += (isExplained(job) && heights.get(job.id)) || rowHeight
    return start
  })
  return { offsets, total }
}

/** Reports the height of an element, now and whenever it changes. */
function useHeightReport(id: string, onResize: (id: string, height: number) => void) {
  const element = useRef<HTMLLIElement>(null)
  useLayoutEffect(() => {
    const row = element.current
    if (!row) return
    const report = () => onResize(id, row.offsetHeight)
    report()
    const observer = new ResizeObserver(report)
    observer.observe(row)
    return () => observer.disconnect()
  }, [id, onResize])
  return element
}

interface RowProps {
  job: UploadJob
  index: number
  top: number
  count: number
  onChoose: (job: UploadJob) => void
  onFocus: (id: string) => void
  onResize: (id: string, height: number) => void
}

const Row = memo(function Row({ job, index, top, count, onChoose, onFocus, onResize }: RowProps) {
  const uploads = useUploads()
  const row = useHeightReport(job.id, onResize)
  const { id, name, size, sent, speed, state } = job
  const hasBar = state.kind !== 'failed' && state.kind !== 'fileless' && state.kind !== 'done'
  return (
    <li
      ref={row}
      data-row={id}
      aria-posinset={index + 1}
      aria-setsize={count}
      className={c('row', state.kind)}
      style={{ top }}
      onFocus={() => onFocus(id)}
    >
      <div className={c('details')}>
        <TruncatedText text={name} />
        {hasBar && <Progress label={t('Upload of {name}', { name })} hideLabel value={size > 0 ? (sent / size) * 100 : 0} />}
        <p className={c('status')}>
          {state.kind === 'failed' && <AlertIcon size={16} />}
          {state.kind === 'done' && <CheckIcon size={16} />}
          <span>{describeJob(job)}</span>
          {state.kind === 'sending' && speed > 0 && <span className={c('speed')}>{formatSpeed(speed)}</span>}
        </p>
      </div>
      <div className={c('actions')}>
        <Action job={job} onChoose={onChoose} />
        <IconButton
          data-action="clear"
          label={state.kind === 'done' || state.kind === 'failed' ? t('Clear {name}', { name }) : t('Cancel {name}', { name })}
          icon={<CloseIcon />}
          onClick={() => (state.kind === 'done' ? uploads.clearFinished([id]) : uploads.cancel([id]))}
        />
      </div>
    </li>
  )
})

function Action({ job, onChoose }: Pick<RowProps, 'job' | 'onChoose'>): ReactNode {
  const uploads = useUploads()
  const { id, name, state } = job
  switch (state.kind) {
    case 'queued':
    case 'sending':
    case 'waiting':
    case 'paused': {
      const isPaused = state.kind === 'paused'
      return (
        <IconButton
          data-action="proceed"
          label={isPaused ? t('Resume {name}', { name }) : t('Pause {name}', { name })}
          icon={isPaused ? <ResumeIcon /> : <PauseIcon />}
          onClick={() => (isPaused ? uploads.resume([id]) : uploads.pause([id]))}
        />
      )
    }
    case 'fileless':
      return state.canAsk ? (
        <Button
          data-action="proceed"
          aria-label={t('Allow reading {name}', { name })}
          onClick={() => void uploads.requestFileAccess([id])}
        >
          {t('Allow')}
        </Button>
      ) : (
        <Button data-action="proceed" aria-label={t('Choose {name} again', { name })} onClick={() => onChoose(job)}>
          {t('Choose')}
        </Button>
      )
    case 'failed':
      return (
        state.canRetry && (
          <Button data-action="proceed" aria-label={t('Retry {name}', { name })} onClick={() => uploads.retry([id])}>
            {t('Retry')}
          </Button>
        )
      )
    case 'canceled':
    case 'done':
      return null
  }
}
