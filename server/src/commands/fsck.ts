import { isSqlite } from '../db/database.ts'
import { checkLogos } from '../features/brand/stored-logos.service.ts'
import { checkFiles, type Finding } from '../features/integrity/integrity.service.ts'
import { mustKeepBytesNow } from '../features/trash/trash.service.ts'
import { openForCommand } from './open-for-command.ts'
import { type Command, CommandError, createProgressLine, formatCount, formatSize } from './terminal.ts'

export const fsck: Command = {
  usage: '[--scrub] [--repair] [--json]',
  summary: 'Checks that every file has its bytes, and that all bytes belong to a file',
  details: `
Lists files whose bytes are missing or have the wrong size, thumbnails and unfinished uploads without bytes, orphaned bytes, logos
without an image, wrong counters, and wrong sort keys of names. Can run while the server is running.

--scrub    also reads every file and compares it with its SHA-256
--repair   removes orphaned bytes, marks damaged files so that they are not sent, unmarks files that --scrub finds intact again,
           corrects counters and sort keys, recreates thumbnails, cancels uploads without bytes, and removes logos without an image.
           Reports each repair. Never removes a file or a symbolic link. If no server is running, none can start during the repair. If
           one is running, and always with PostgreSQL (another node may be running), bytes younger than 15 minutes are kept: they may
           belong to an upload in progress
--json     prints one JSON object per line

Exits with 0 if nothing is wrong, and 1 if something is, even if it was repaired. Damage that is already marked is listed, but does not
count.`,
  positionals: [],
  options: { scrub: { type: 'boolean' }, repair: { type: 'boolean' }, json: { type: 'boolean' } },
  async run({ options, print }) {
    const [isScrub, isRepair, isJson] = [options['scrub'] === true, options['repair'] === true, options['json'] === true]
    await using opened = await openForCommand({ isExclusive: isRepair })
    const { deps, isServerRunning } = opened
    if (isRepair && (await mustKeepBytesNow(deps)))
      throw new CommandError('A backup is running, or crashed less than five minutes ago. Run the repair later.')
    const found = { faults: 0, repaired: 0, notes: 0 }
    const progress = createProgressLine()
    const report = (finding: Finding) => {
      found[finding.isNote ? 'notes' : 'faults']++
      if (finding.done !== undefined) found.repaired++
      progress.clear()
      print(isJson ? JSON.stringify(finding) : formatFinding(finding))
    }
    const onProgress = (files: number, all: number) => progress.show(`${files} of ${all} files`)
    // With PostgreSQL, a server may be running on another machine with its own data folder.
    const isAlone = !isServerRunning && isSqlite(deps.db)
    const checked = await checkFiles(deps, { isScrub, isRepair, isAlone, report, onProgress })
    await checkLogos(deps, { isRepair, report })
    progress.clear()
    if (isJson) print(JSON.stringify({ ...checked, ...found }))
    else {
      const scope = isScrub ? 'contents compared' : 'sizes only; --scrub also compares the contents'
      print(`Checked ${formatCount(checked.files, 'file')}, ${formatSize(checked.bytes)} (${scope}).`)
      if (found.faults === 0) print('Nothing is wrong.')
      else
        print(
          `${formatCount(found.faults, 'fault')}${isRepair ? `, ${found.repaired} repaired.` : '. Run it with --repair to repair what can be repaired.'}`,
        )
    }
    return found.faults > 0 ? 1 : 0
  },
}

const formatFinding = ({ kind, text, done }: Finding) => `${kind.padEnd(13)} ${text}${done ? ` → ${done}` : ''}`
