import { Fragment, type ReactNode } from 'react'
import { t } from '../../i18n/t.ts'

interface SkeletonsProps {
  count: number
  /** Renders one item. The label is for its skeleton; only the first item has one. */
  children: (index: number, label: string | undefined) => ReactNode
}

/** Renders placeholders for `count` items. */
export const Skeletons = ({ count, children }: SkeletonsProps) =>
  Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the items are identical
    <Fragment key={index}>{children(index, index === 0 ? t('Loading') : undefined)}</Fragment>
  ))
