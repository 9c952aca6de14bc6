import { classNames } from '../../components/class-names.ts'
import { InfoIcon } from '../../components/icons.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import css from './mail.module.css'
import type { Way } from './mail-words.ts'

const c = classNames(css)

/** Where mails go. Undefined: not known yet. */
export const MailWay = ({ way }: { way: Way | undefined }) => (
  <div className={c('way')}>
    <InfoIcon size={16} />
    {way ? <p>{words[way]}</p> : <Skeleton width={280} />}
  </div>
)

const words = {
  smtp: 'Mails go out through your mail server.',
  files: (
    <>
      No mail server is set (<code>SMTP_URL</code>), so mails are written as <code>.eml</code> files to the folder{' '}
      <code>outbox</code> in the data folder.
    </>
  ),
}
