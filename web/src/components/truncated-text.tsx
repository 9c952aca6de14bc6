import { t } from '../i18n/t.ts'
import { classNames } from './class-names.ts'
import css from './truncated-text.module.css'

const c = classNames(css)

/**
 * Shows a text on one line, truncated in the middle if necessary, and a missing text as “Unknown”. CSS draws the two visible
 * halves, so that the text is in the DOM only once, for screen readers, search and copying.
 */
export function TruncatedText({ text: textOrEmpty }: { text: string }) {
  const text = textOrEmpty || t('Unknown')
  const [head, tail] = splitHalves(text)
  if (tail === '') {
    return (
      <span className={c('whole')} title={text}>
        {text}
      </span>
    )
  }
  return (
    <span className={c('cut')} title={text}>
      <span className={c('text')}>{text}</span>
      <span aria-hidden="true" className={c('head')} data-text={head} />
      <span aria-hidden="true" className={c('tail')} data-text={tail} />
    </span>
  )
}

/** Splits the text so that the tail keeps the file extension. A space at the cut goes to the head, where it is invisible. */
function splitHalves(text: string): [head: string, tail: string] {
  const [, head = text, tail = ''] = /^(.{9,}?)(\S.{7,8})$/su.exec(text) ?? []
  return [head, tail]
}
