import type { Deps } from '../../deps.ts'
import type { Entry } from '../audit/audit.service.ts'
import { addToTotals } from '../company/company-total.repo.ts'
import { subtractFromCompanyBytes } from '../file/file.repo.ts'
import { chargeCompany } from '../quota/quota.service.ts'

/** What moves to another company with one item: its visible files, its links, and everything stored for it, including the trash. */
interface Transfer {
  from: string
  to: string
  files: number
  links: number
  stored: { files: number; bytes: number }
}

interface MovePaths {
  /** The company of the target. */
  company: string
  fromPath: string
  toPath: string
}

export type Changes = ReturnType<typeof createChanges>

/** Collects the changes of company totals and the audit entries of a move. Both are written at the end of the transaction. */
export function createChanges() {
  const companies = new Map<string, { bytes: number; files: number; links: number }>()
  const entries: Entry[] = []
  const addTo = (company: string, sign: 1 | -1, { files, links, stored }: Transfer) => {
    const sum = companies.get(company) ?? { bytes: 0, files: 0, links: 0 }
    const change = { bytes: sum.bytes + sign * stored.bytes, files: sum.files + sign * files, links: sum.links + sign * links }
    companies.set(company, change)
  }
  return {
    companies,
    entries,
    /** How many files move to another company. */
    files: 0,
    add(transfer: Transfer) {
      addTo(transfer.from, -1, transfer)
      addTo(transfer.to, 1, transfer)
      this.files += transfer.stored.files
    },
    /**
     * Adds the audit entry of an item. For a move to another company, each company gets its own entry, without the path in the other one.
     */
    record(entry: Entry, { company, fromPath, toPath }: MovePaths) {
      const [from, to] = [shorten(fromPath), shorten(toPath)]
      if (entry.company === company) entries.push({ ...entry, note: `from ${from} to ${to}` })
      else
        entries.push(
          { ...entry, note: `from ${from} to another company` },
          { ...entry, company, note: `from another company to ${to}` },
        )
    },
  }
}

const maxPathCharacters = 120

/** Returns the end of a long path, because a note has at most 300 characters. */
const shorten = (path: string) => (path.length > maxPathCharacters ? `…${path.slice(-maxPathCharacters)}` : path)

/**
 * Applies the changes to the bytes and totals of the companies, and records the audit entries. Throws `company.full` if a company would
 * exceed its quota. Updates the companies in the order of their ids, so that two moves in opposite directions don't deadlock.
 */
export async function applyCompanyChanges(
  deps: Deps,
  trx: Deps['db'],
  { companies, entries }: Changes,
  recordEntries: (entries: Entry[]) => Promise<void>,
): Promise<void> {
  const sorted = [...companies].toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [id, { bytes }] of sorted) {
    if (bytes > 0) await chargeCompany(deps, trx, id, bytes)
    else if (bytes < 0) await subtractFromCompanyBytes(trx, id, -bytes)
  }
  await recordEntries(entries)
  for (const [id, { files, links }] of sorted) await addToTotals(trx, id, { files, links })
}
