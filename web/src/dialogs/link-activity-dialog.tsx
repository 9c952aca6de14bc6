import type { LinkRow } from '@neptune/contract'
import { classNames } from '../components/class-names.ts'
import { DialogFrame } from '../components/dialog-frame.tsx'
import { ExternalIcon } from '../components/icons.tsx'
import { LinkActivity, LinkCounts } from '../features/link/link-activity.tsx'
import { useFreshLink } from '../features/link/link-queries.ts'
import { paths } from '../paths.ts'
import css from './link-dialogs.module.css'

const c = classNames(css)

/** What happened with a link, and what its recipient sees. */
export function LinkActivityDialog({ link: shown, onClose }: { link: LinkRow; onClose: () => void }) {
  const link = useFreshLink(shown)
  const { key, name, maker, email } = link
  return (
    <DialogFrame
      title="Link Activity"
      description={`“${name}”, shared by ${maker}${email ? `, sent to ${email}` : ''}.`}
      confirmLabel="Close"
      onClose={onClose}
    >
      <LinkCounts {...link} />
      <a href={`${paths.access(key)}?as=recipient`} target="_blank" rel="noopener" className={c('recipient')}>
        View as recipient
        <ExternalIcon size={16} />
        <span className="sr-only">(opens in a new tab)</span>
      </a>
      <LinkActivity linkKey={key} />
    </DialogFrame>
  )
}
