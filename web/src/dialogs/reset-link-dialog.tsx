import type { LinkRow } from '@neptune/contract'
import { classNames } from '../components/class-names.ts'
import { CopyField } from '../components/copy-field.tsx'
import { DialogFrame } from '../components/dialog-frame.tsx'
import { useResetLink } from '../features/link/link-queries.ts'
import { linkInShort } from '../features/link/link-words.ts'
import { useShowReady } from '../features/link/ready-link.ts'
import { t } from '../words/t.ts'
import { problemOf } from './form-problem.ts'
import css from './link-dialogs.module.css'
import { StateNote } from './state-note.tsx'
import { isNotReserved, useReserved } from './use-reserved.ts'

const c = classNames(css)

const failed = 'The access code was not reset.'
const renewed = 'The new access code was over an hour old. Here is another one: reset the link with it.'

export function ResetLinkDialog({ link, onClose }: { link: LinkRow; onClose: () => void }) {
  const { key, name, state } = link
  const reserved = useReserved({ accessKey: key })
  const reset = useResetLink()
  const showReady = useShowReady()

  const confirm = async () => {
    reset.reset()
    const taken = await reserved.take()
    if (!taken) return
    const { accessCode } = taken
    reset.mutate(
      { accessKey: key, accessCode },
      {
        onSuccess: (link) => {
          showReady({ link, accessCode, isReset: true })
          onClose()
        },
        onError: reserved.renewAfter,
      },
    )
  }

  const isRenewed = reserved.isRenewed && (!reset.isError || isNotReserved(reset.error))
  const failure = reset.isError ? problemOf(reset.error, t(failed)).error : reserved.error
  return (
    <DialogFrame
      title={t('Reset Shareable Link')}
      description={t('The link to “{name}” gets a new access code. The old one, and whoever came in by it, is out at once.', {
        name,
      })}
      confirmLabel={t('Reset Link')}
      busy={reset.isPending || (isRenewed && reserved.isFetching)}
      error={isRenewed ? t(renewed) : failure}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p className={c('hint')}>{linkInShort(link)}</p>
      <CopyField
        label={t('Access code')}
        value={reserved.accessCode}
        placeholder={reserved.isFetching ? t('On its way') : t('None yet')}
        hint={t('In force once you press Reset Link.')}
      />
      <StateNote state={state} />
    </DialogFrame>
  )
}
