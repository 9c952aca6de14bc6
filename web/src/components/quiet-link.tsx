import { Link } from 'react-router'
import { classNames } from './class-names.ts'
import css from './quiet-link.module.css'
import { TruncatedText } from './truncated-text.tsx'

const c = classNames(css)

/** A name on one line that leads to its page, but looks like the text around it. Without `to`, it is text. */
export const QuietLink = ({ text, to }: { text: string; to: string | undefined }) =>
  to === undefined ? (
    <TruncatedText text={text} />
  ) : (
    <Link to={to} className={c('link')}>
      <TruncatedText text={text} />
    </Link>
  )
