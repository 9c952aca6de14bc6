import { Link } from 'react-router'
import { classNames } from './class-names.ts'
import css from './name-link.module.css'
import { TruncatedText } from './truncated-text.tsx'

const c = classNames(css)

/** Links a name to its page, on one line and styled like the text around it. Without `to`, renders plain text. */
export const NameLink = ({ text, to }: { text: string; to: string | undefined }) =>
  to === undefined ? (
    <TruncatedText text={text} />
  ) : (
    <Link to={to} className={c('link')}>
      <TruncatedText text={text} />
    </Link>
  )
