import { classNames } from './class-names.ts'
import css from './waiting.module.css'

const c = classNames(css)

export interface WaitingProps {
  /** How much waits there, and what it is, in words: `2 questions`. */
  waiting?: { count: number; words: string } | undefined
}

/** Beside the name of a place: a number for the eye, words for the ear. */
export const Waiting = ({ waiting }: WaitingProps) =>
  waiting && (
    <>
      <span aria-hidden="true" className={c('count')}>
        {waiting.count > 99 ? '99+' : waiting.count}
      </span>
      <span className="sr-only"> ({waiting.words})</span>
    </>
  )
