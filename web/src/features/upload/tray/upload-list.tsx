import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { classNames } from '../../../components/class-names.ts'
import type { UploadJob } from '../state/upload-job.ts'
import { FileRow } from './file-row.tsx'
import { GroupRow } from './group-row.tsx'
import { hasExplanation, listRows, type TrayRow, type UploadGroup } from './tray-rows.ts'
import css from './upload-list.module.css'

const c = classNames(css)

/** The minimum height in pixels, as in upload-list.module.css. Only rows that explain what to do can be taller: they show the whole text. */
const rowHeight = 72
/** How far beyond the visible part rows are rendered, on each side. */
const overscanHeight = 4 * rowHeight

interface Props {
  jobs: readonly UploadJob[]
  /** Opens the picker for a file that must be chosen again. */
  onChoose: (job: UploadJob) => void
  /** Opens the picker for a folder whose files must be chosen again. */
  onChooseFolder: (group: UploadGroup) => void
}

/** Lists the uploads. Renders only the rows in view, because there can be thousands. */
export function UploadList({ jobs, onChoose, onChooseFolder }: Props) {
  const scrollBox = useRef<HTMLDivElement>(null)
  const [{ top, height }, setView] = useState({ top: 0, height: 360 })
  const [focused, setFocused] = useState<string>()
  const [openTrees, setOpenTrees] = useState<ReadonlySet<string>>(new Set())
  const toggle = useCallback(
    (tree: string) => setOpenTrees((open) => new Set(open.has(tree) ? [...open].filter((id) => id !== tree) : [...open, tree])),
    [],
  )
  const rows = useMemo(() => listRows(jobs, openTrees), [jobs, openTrees])
  const measure = () => {
    if (scrollBox.current) setView({ top: scrollBox.current.scrollTop, height: scrollBox.current.clientHeight })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the number of rows.
  useLayoutEffect(measure, [rows.length])

  const { heights, setHeight } = useRowHeights()
  const { visible, total } = findVisible(rows, heights, (start, end, { id }) => {
    // The focused row is rendered even when out of view, to keep the focus.
    return (end > top - overscanHeight && start < top + height + overscanHeight) || id === focused
  })
  return (
    <div ref={scrollBox} className={c('box')} onScroll={measure}>
      <ul className={c('list')} style={{ height: total }}>
        {visible.map(({ row, index, start }) => {
          const place = { index, top: start, count: rows.length, onFocus: setFocused, onResize: setHeight }
          return row.kind === 'file' ? (
            <FileRow key={row.id} {...place} job={row.job} isNested={row.isNested} onChoose={onChoose} />
          ) : (
            <GroupRow key={row.id} {...place} group={row.group} isOpen={row.isOpen} onToggle={toggle} onChoose={onChooseFolder} />
          )
        })}
      </ul>
    </div>
  )
}

/** Keeps the heights of the rows that were rendered. */
function useRowHeights() {
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map())
  const setHeight = useCallback(
    (id: string, height: number) => setHeights((known) => (known.get(id) === height ? known : new Map(known).set(id, height))),
    [],
  )
  return { heights, setHeight }
}

/** Finds the rows to render, and computes their positions. Assumes the minimum height for rows that have never been rendered. */
function findVisible(
  rows: readonly TrayRow[],
  heights: ReadonlyMap<string, number>,
  isVisible: (start: number, end: number, row: TrayRow) => boolean,
) {
  const visible: { row: TrayRow; index: number; start: number }[] = []
  let total = 0
  rows.forEach((row, index) => {
    const start = total
    total += (hasExplanation(row) && heights.get(row.id)) || rowHeight
    if (isVisible(start, total, row)) visible.push({ row, index, start })
  })
  return { visible, total }
}
