import { type ReactNode, useState } from 'react'
import { classNames } from '../../../components/class-names.ts'
import { Progress } from '../../../components/feedback/progress.tsx'
import { Button, IconButton } from '../../../components/form/button.tsx'
import {
  AlertIcon,
  CheckIcon,
  ChevronDownIcon,
  CloseIcon,
  FolderIcon,
  PauseIcon,
  ResumeIcon,
} from '../../../components/icons.tsx'
import { TruncatedText } from '../../../components/truncated-text.tsx'
import { t } from '../../../i18n/t.ts'
import { canRetry } from '../state/upload-job.ts'
import { describeGroup } from '../upload-texts.ts'
import { RowFrame, type RowPlace } from './row-frame.tsx'
import type { UploadGroup } from './tray-rows.ts'
import { useUploads } from './upload-context.ts'
import css from './upload-list.module.css'

const c = classNames(css)

interface Props extends RowPlace {
  group: UploadGroup
  isOpen: boolean
  onToggle: (tree: string) => void
  /** Opens the picker for the folder. */
  onChoose: (group: UploadGroup) => void
}

/** Shows the uploads of a folder in one row, which expands to a row for each file. */
export function GroupRow({ group, isOpen, onToggle, onChoose, ...place }: Props) {
  const { tree, name, totals } = group
  const isDone = totals.left === 0
  const state =
    totals.failed > 0 ? 'failed' : totals.fileless > 0 ? 'fileless' : isDone ? 'done' : totals.active > 0 ? '' : 'paused'
  return (
    <RowFrame {...place} id={tree} look={['group', state]}>
      <button
        type="button"
        className={c('opener', isOpen && 'open')}
        aria-expanded={isOpen}
        aria-label={t('Files in {name}', { name })}
        data-action="open"
        onClick={() => onToggle(tree)}
      >
        <ChevronDownIcon size={16} />
        <FolderIcon size={20} />
      </button>
      <div className={c('details')}>
        <TruncatedText text={name} />
        {totals.active + totals.paused > 0 && (
          <Progress label={t('Upload of {name}', { name })} hideLabel value={totals.percent} />
        )}
        <p className={c('status')}>
          {state === 'failed' && <AlertIcon size={16} />}
          {isDone && <CheckIcon size={16} />}
          <span>{describeGroup(group)}</span>
        </p>
      </div>
      <GroupActions group={group} onChoose={onChoose} />
    </RowFrame>
  )
}

/** Canceling needs a second click to confirm, because it affects many files. */
function GroupActions({ group, onChoose }: Pick<Props, 'group' | 'onChoose'>) {
  const uploads = useUploads()
  const [isConfirming, setConfirming] = useState(false)
  const { tree, name, jobs, totals } = group
  const listIds = () => jobs.filter(({ state }) => state.kind !== 'done').map(({ id }) => id)
  if (isConfirming) {
    return (
      <div className={c('actions')}>
        <Button
          autoFocus
          variant="danger"
          data-action="clear"
          onClick={() => uploads.cancel(listIds())}
          onBlur={() => setConfirming(false)}
        >
          {t('Cancel {n} uploads', { n: totals.left })}
        </Button>
      </div>
    )
  }
  return (
    <div className={c('actions')}>
      <NextAction group={group} onChoose={onChoose} />
      <IconButton
        data-action="clear"
        label={totals.left === totals.failed ? t('Clear {name}', { name }) : t('Cancel {name}', { name })}
        icon={<CloseIcon />}
        onClick={() => {
          if (totals.left === 0) uploads.clearFinished(jobs.map(({ id }) => id))
          else if (totals.left === 1) uploads.cancel(listIds())
          else setConfirming(true)
        }}
        key={tree}
      />
    </div>
  )
}

/** The next action for a folder, such as choosing it again, retrying or resuming. */
function NextAction({ group, onChoose }: Pick<Props, 'group' | 'onChoose'>): ReactNode {
  const uploads = useUploads()
  const { name, jobs, totals } = group
  const listIds = () => jobs.map(({ id }) => id)
  if (totals.askable > 0) {
    return (
      <Button
        data-action="proceed"
        aria-label={t('Allow reading {name}', { name })}
        onClick={() => void uploads.requestFileAccess(listIds())}
      >
        {t('Allow')}
      </Button>
    )
  }
  if (totals.fileless > 0) {
    return (
      <Button data-action="proceed" aria-label={t('Choose {name} again', { name })} onClick={() => onChoose(group)}>
        {t('Choose')}
      </Button>
    )
  }
  if (jobs.some(canRetry) && totals.active === 0) {
    return (
      <Button data-action="proceed" aria-label={t('Retry {name}', { name })} onClick={() => uploads.retry(listIds())}>
        {t('Retry')}
      </Button>
    )
  }
  if (totals.active + totals.paused === 0) return null
  const isPaused = totals.active === 0
  return (
    <IconButton
      data-action="proceed"
      label={isPaused ? t('Resume {name}', { name }) : t('Pause {name}', { name })}
      icon={isPaused ? <ResumeIcon /> : <PauseIcon />}
      onClick={() => (isPaused ? uploads.resume(listIds()) : uploads.pause(listIds()))}
    />
  )
}
