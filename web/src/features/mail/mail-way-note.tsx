import type { ReactNode } from 'react'
import { classNames } from '../../components/class-names.ts'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { InfoIcon } from '../../components/icons.tsx'
import { t } from '../../i18n/t.ts'
import { tNodes } from '../../i18n/t-nodes.tsx'
import css from './mail.module.css'
import type { Way } from './mail-texts.ts'

const c = classNames(css)

/** Explains how emails are delivered. `way` is undefined while loading. */
export const MailWayNote = ({ way }: { way: Way | undefined }) => (
  <div className={c('way')}>
    <InfoIcon size={16} />
    {way ? <p>{descriptions[way]()}</p> : <Skeleton width={280} />}
  </div>
)

const descriptions: Record<Way, () => ReactNode> = {
  smtp: () => t('Emails are sent through your mail server.'),
  files: () =>
    tNodes(
      'No mail server is set up ({setting}), so emails are saved as {kind} files in the folder {folder} in the data folder.',
      {
        setting: <code>SMTP_URL</code>,
        kind: <code>.eml</code>,
        folder: <code>outbox</code>,
      },
    ),
}
