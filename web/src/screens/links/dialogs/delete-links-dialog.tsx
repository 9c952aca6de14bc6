import type { LinkRow } from '@neptune/contract'
import { describeFailure } from '../../../api/form-errors.ts'
import { classNames } from '../../../components/class-names.ts'
import { useToast } from '../../../components/feedback/toast.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { TruncatedText } from '../../../components/truncated-text.tsx'
import { useRemoveLinks } from '../../../features/link/link-queries.ts'
import { getLinkTypeName } from '../../../features/link/link-texts.ts'
import { useClearReadyLink } from '../../../features/link/ready-link.ts'
import { t } from '../../../i18n/t.ts'
import { shortenName } from '../../../lib/shorten-name.ts'
import parts from '../../shared/dialogs/dialog-parts.module.css'
import css from '../link-dialogs.module.css'

const c = classNames({ ...parts, ...css })

export function DeleteLinksDialog({ links, onClose }: { links: readonly LinkRow[]; onClose: () => void }) {
  const remove = useRemoveLinks()
  const clearReadyLink = useClearReadyLink()
  const toast = useToast()
  const isSingle = links.length === 1
  const name = links[0]?.name ?? ''

  const confirm = () =>
    remove.run(links, {
      onSuccess: () => {
        clearReadyLink(links)
        toast({
          message: isSingle
            ? t('Deleted the link to “{name}”.', { name: shortenName(name) })
            : t('Deleted {n} links.', { n: links.length }),
        })
        onClose()
      },
    })
  return (
    <DialogFrame
      title={isSingle ? t('Delete Shareable Link') : t('Delete Shareable Links')}
      description={
        isSingle
          ? t('Anyone using the link to “{name}” loses access right away. You can’t undo this. The shared files are kept.', {
              name,
            })
          : t('Anyone using these {n} links loses access right away. You can’t undo this. The shared files are kept.', {
              n: links.length,
            })
      }
      confirmLabel={isSingle ? t('Delete Link') : t('Delete Links')}
      danger
      action={remove}
      error={describeFailure(remove.error, t('Nothing was deleted.'))}
      onConfirm={confirm}
      onClose={onClose}
    >
      {!isSingle && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable list must be reachable by keyboard.
        <ul className={c('names')} aria-label={t('Links to delete')} tabIndex={0}>
          {links.map(({ key, name, type, files }) => (
            <li key={key} className={c('name')}>
              <TruncatedText text={name} />
              <span className={c('hint')}>{getLinkTypeName({ type, files })}</span>
            </li>
          ))}
        </ul>
      )}
    </DialogFrame>
  )
}
