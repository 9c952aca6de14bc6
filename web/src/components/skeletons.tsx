import { Fragment, type ReactNode } from 'react'
import { t } from '../words/t.ts'

interface SkeletonsProps {
  count: number
  /** Draws one of them. The label is for its skeleton: only the first has one. */
  children: (index: number, label: string | undefined) => ReactNode
}

/** As many as are to come. */
export const Skeletons = ({ count, children }: SkeletonsProps) =>
  Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: one is like the other
    <Fragment key={index}>{children(index, index === 0 ? t('Loading') : undefined)}</Fragment>
  ))
