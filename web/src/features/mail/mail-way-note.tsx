import { classNames } from '../../components/class-names.ts'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { InfoIcon } from '../../components/icons.tsx'
import { t } from '../../i18n/t.ts'
import css from './mail.module.css'
import { MailServerLink } from './mail-server-link.tsx'
import type { MailWay } from './mail-texts.ts'

const c = classNames(css)

/** Explains how emails are delivered. `way` is undefined while loading. */
export const MailWayNote = ({ way }: { way: MailWay | undefined }) => (
  <div className={c('way')}>
    <InfoIcon size={16} />
    {way ? (
      <p>
        {descriptions[way]()} <MailServerLink isSetUp={way === 'smtp'} />
      </p>
    ) : (
      <Skeleton width={280} />
    )}
  </div>
)

const descriptions: Record<MailWay, () => string> = {
  smtp: () => t('Emails are sent through your mail server.'),
  files: () => t('No mail server is set up, so emails are saved on the server instead of being sent.'),
}
