import { classNames } from '../../components/class-names.ts'
import css from './docs.module.css'
import { OperationDetails } from './operation-details.tsx'
import type { Operation } from './operations.ts'

const c = classNames(css)

/** Lists the operations, grouped by tag. */
export function OperationList({ operations }: { operations: Operation[] }) {
  return Object.entries(Object.groupBy(operations, ({ group }) => group)).map(([group, members = []]) => (
    <section key={group} className={c('group')} aria-labelledby={`group-${group}`}>
      <h2 id={`group-${group}`} className={c('groupHeading')}>
        {group}
      </h2>
      {members.map((operation) => (
        <OperationDetails key={operation.id} operation={operation} />
      ))}
    </section>
  ))
}
