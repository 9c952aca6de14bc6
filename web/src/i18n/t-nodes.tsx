import { Fragment, type ReactNode } from 'react'
import type { Text } from './catalogue.ts'
import { formatNumber, type Slots, translate } from './t.ts'

/** Like t(), with React nodes as values, such as a bold name or a link. */
export function tNodes<T extends Text>(text: T, values: Record<Slots<T>, ReactNode>): ReactNode {
  const nodes: Record<string, ReactNode> = values
  return translate(text, nodes)
    .split(/\{(\w+)\}/)
    .map((piece, index) => {
      const value = index % 2 === 1 ? nodes[piece] : piece
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence keep their order.
      return <Fragment key={index}>{typeof value === 'number' ? formatNumber(value) : value}</Fragment>
    })
}
