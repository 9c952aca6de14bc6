import { memo, type ReactNode } from 'react'
import { classNames } from '../../../components/class-names.ts'
import { Progress } from '../../../components/feedback/progress.tsx'
import { Button, IconButton } from '../../../components/form/button.tsx'
import { AlertIcon, CheckIcon, CloseIcon, PauseIcon, ResumeIcon } from '../../../components/icons.tsx'
import { TruncatedText } from '../../../components/truncated-text.tsx'
import { t } from '../../../i18n/t.ts'
import { getPath, type UploadJob } from '../state/upload-job.ts'
import { describeJob, formatSpeed } from '../upload-texts.ts'
import { RowFrame, type RowPlace } from './row-frame.tsx'
import { useUploads } from './upload-context.ts'
import css from './upload-list.module.css'

const c = classNames(css)

interface Props extends RowPlace {
  job: UploadJob
  /** Whether it is shown below its open folder. */
  isNested: boolean
  onChoose: (job: UploadJob) => void
}

/** The upload of one file. */
export const FileRow = memo(function FileRow({ job, isNested, onChoose, ...place }: Props) {
  const uploads = useUploads()
  const { id, size, sent, speed, state } = job
  const hasBar = state.kind !== 'failed' && state.kind !== 'fileless' && state.kind !== 'done'
  const name = isNested ? getNestedName(job) : job.name
  return (
    <RowFrame {...place} id={id} look={[state.kind, isNested && 'nested']}>
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
        <Action job={job} name={name} onChoose={onChoose} />
        <IconButton
          data-action="clear"
          label={state.kind === 'done' || state.kind === 'failed' ? t('Clear {name}', { name }) : t('Cancel {name}', { name })}
          icon={<CloseIcon />}
          onClick={() => (state.kind === 'done' ? uploads.clearFinished([id]) : uploads.cancel([id]))}
        />
      </div>
    </RowFrame>
  )
})

/** Returns the path of a file below the folder that its row is nested in. */
function getNestedName(job: UploadJob): string {
  const path = job.kind === 'folder' ? (job.folder ?? '') : getPath(job)
  return path.slice(path.indexOf('/') + 1)
}

function Action({ job, name, onChoose }: Pick<Props, 'job' | 'onChoose'> & { name: string }): ReactNode {
  const uploads = useUploads()
  const { id, state } = job
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
