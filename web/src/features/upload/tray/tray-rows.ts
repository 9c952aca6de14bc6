import { getTopFolder } from '../files/picked-files.ts'
import type { UploadJob } from '../state/upload-job.ts'
import { computeTotals, rankTotals, rankUrgency, sortByUrgency, type Totals } from '../state/upload-totals.ts'

/** The uploads of one chosen or dropped folder. */
export interface UploadGroup {
  tree: string
  name: string
  jobs: readonly UploadJob[]
  totals: Totals
}

/** A row of the tray: a file, or a folder whose files follow while it is open. */
export type TrayRow =
  | { kind: 'file'; id: string; job: UploadJob; isNested: boolean }
  | { kind: 'group'; id: string; group: UploadGroup; isOpen: boolean }

/** Lists the rows of the tray: first the uploads that need the user, then active ones, then completed ones. */
export function listRows(jobs: readonly UploadJob[], openTrees: ReadonlySet<string>): TrayRow[] {
  const entries: { rank: number; row: TrayRow }[] = []
  const jobsByTree = new Map<string, UploadJob[]>()
  for (const job of jobs) {
    if (job.tree === undefined) {
      entries.push({ rank: rankUrgency(job), row: { kind: 'file', id: job.id, job, isNested: false } })
      continue
    }
    const known = jobsByTree.get(job.tree)
    if (known) known.push(job)
    else jobsByTree.set(job.tree, [job])
  }
  for (const [tree, jobs] of jobsByTree) {
    const totals = computeTotals(jobs, 0)
    const group = { tree, name: getGroupName(jobs[0]), jobs, totals }
    entries.push({ rank: rankTotals(totals), row: { kind: 'group', id: tree, group, isOpen: openTrees.has(tree) } })
  }
  return entries
    .sort((a, b) => a.rank - b.rank)
    .flatMap(({ row }) => (row.kind === 'group' && row.isOpen ? [row, ...listFiles(row.group)] : [row]))
}

const listFiles = ({ jobs }: UploadGroup) =>
  sortByUrgency(jobs).map((job): TrayRow => ({ kind: 'file', id: job.id, job, isNested: true }))

const getGroupName = (job: UploadJob | undefined) => {
  const folder = job?.folder ?? ''
  return getTopFolder(folder) ?? folder
}

/** Returns whether a row explains a failure or what to do, and so can be taller than the others. */
export const hasExplanation = (row: TrayRow) =>
  row.kind === 'file'
    ? row.job.state.kind === 'failed' || row.job.state.kind === 'fileless'
    : row.group.totals.failed + row.group.totals.fileless > 0
