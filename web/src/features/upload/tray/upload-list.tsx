import { memo, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
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

/** In pixels, like in the style sheet. All rows have the same height, so that only the visible ones need rendering. */
const rowHeight = 72
/** Rows rendered beyond the visible ones, on each side. */
const overscan = 4

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

  const firstIndex = Math.floor(top / rowHeight) - overscan
  const endIndex = Math.ceil((top + height) / rowHeight) + overscan
  return (
    <div ref={scrollBox} className={c('box')} onScroll={measure}>
      <ul className={c('list')} style={{ height: jobs.length * rowHeight }}>
        {jobs.map((job, index) =>
          // The focused row is rendered even when out of view, to keep the focus.
          (index >= firstIndex && index < endIndex) || job.id === focused ? (
            <Row key={job.id} {...{ job, index, onChoose }} count={jobs.length} onFocus={setFocused} />
          ) : null,
        )}
      </ul>
    </div>
  )
}

interface RowProps {
  job: UploadJob
  index: number
  count: number
  onChoose: (job: UploadJob) => void
  onFocus: (id: string) => void
}

const Row = memo(function Row({ job, index, count, onChoose, onFocus }: RowProps) {
  const uploads = useUploads()
  const { id, name, size, sent, speed, state } = job
  const hasBar = state.kind !== 'failed' && state.kind !== 'fileless' && state.kind !== 'done'
  return (
    <li
      data-row={id}
      aria-posinset={index + 1}
      aria-setsize={count}
      className={c('row', state.kind)}
      style={{ top: index * rowHeight }}
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
