import { t } from '../i18n/t.ts'
import { classNames } from './class-names.ts'
import css from './truncated-text.module.css'

const c = classNames(css)

/**
 * Shows a text on one line, truncated if necessary, and a missing text as “Unknown”. Names of files are truncated in the middle, because
 * their ends differ; other texts at the end. CSS draws the two visible halves, so that the text is in the DOM only once, for screen
 * readers, search and copying.
 */
export function TruncatedText({ text: textOrEmpty, at = 'middle' }: { text: string; at?: 'middle' | 'end' }) {
  const text = textOrEmpty || t('Unknown')
  const [head, tail] = at === 'end' ? [text, ''] : splitHalves(text)
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
