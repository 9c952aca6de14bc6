import { Fragment, type ReactNode } from 'react'
import { formatNumber, type Slots, type Text, wordsOf } from './t.ts'

/** As t(), where something within the sentence is more than a word: a name in bold, a link. */
export function tNodes<T extends Text>(text: T, values: Record<Slots<T>, ReactNode>): ReactNode {
  const all: Record<string, ReactNode> = values
  return wordsOf(text, all)
    .split(/\{(\w+)\}/)
    .map((piece, index) => {
      const value = index % 2 === 1 ? all[piece] : piece
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence never change places.
      return <Fragment key={index}>{typeof value === 'number' ? formatNumber(value) : value}</Fragment>
    })
}
