import { Fragment, type ReactNode } from 'react'
import { classNames } from '../../components/class-names.ts'
import css from './docs.module.css'

const c = classNames(css)

interface Props {
  caption: string
  columns: string[]
  rows: [name: string, ...values: ReactNode[]][]
}

/** A small table. The first column is shown as code. */
export function FactTable({ caption, columns, rows }: Props) {
  return (
    <table className={c('table')}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...values]) => (
          <tr key={name}>
            <th scope="row">
              <code>{allowBreaks(name)}</code>
            </th>
            {values.map((value, index) => (
              <td key={columns[index + 1]} data-column={columns[index + 1]}>
                {value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Lets a long name wrap only after a dot or an underscore. */
function allowBreaks(name: string) {
  return name.split(/(?<=[._])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one name never move.
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ))
}
