import { isSqlite } from '../db/database.ts'
import { checkFiles, type Finding } from '../features/file/check.service.ts'
import { isBackupRunning } from '../features/file/trash.service.ts'
import { openForCommand } from './open.ts'
import { type Command, countInWords, progress, sizeInWords, UsageError } from './terminal.ts'

export const fsck: Command = {
  usage: '[--scrub] [--repair] [--json]',
  summary: 'Checks that every file has its bytes, and everything else its file',
  details: `
Names files whose bytes are missing or too few or too many, small pictures and unfinished uploads without bytes, bytes that
nothing refers to, and counters that are wrong. May run beside the server.

--scrub    also reads every byte and compares its SHA-256 with what was uploaded
--repair   removes bytes that nothing refers to, marks damaged files so that nobody is sent wrong bytes, takes the mark off files
           that a scrub finds right again, counts again, has small pictures drawn again, gives up uploads without bytes; and says
           so at each. It removes no file and no symbolic link. Without a running server, none can start meanwhile. Beside a
           running server, and always with PostgreSQL (another node may run), bytes younger than 15 minutes are left alone:
           they may belong to an upload in flight
--json     one JSON object a line instead of words

Ends with 0 when nothing is wrong (damage that is marked already is told, and is no news), 1 when something is, also if repaired.`,
  words: [],
  options: { scrub: { type: 'boolean' }, repair: { type: 'boolean' }, json: { type: 'boolean' } },
  async run({ options, say }) {
    const [isScrub, isRepair, isJson] = [options['scrub'] === true, options['repair'] === true, options['json'] === true]
    await using opened = await openForCommand({ alone: isRepair })
    const { deps, isServerRunning } = opened
    if (isRepair && (await isBackupRunning(deps)))
      throw new UsageError('A backup is running, or ended without a word less than five minutes ago. Repair after it.')
    const found = { faults: 0, repaired: 0, notes: 0 }
    const bar = progress()
    const report = (finding: Finding) => {
      found[finding.isNote ? 'notes' : 'faults']++
      if (finding.done !== undefined) found.repaired++
      bar.clear()
      say(isJson ? JSON.stringify(finding) : inWords(finding))
    }
    const onProgress = (files: number, all: number) => bar.show(`${files} of ${all} files`)
    // Beside PostgreSQL a server may run on another machine, with a data folder of its own.
    const isAlone = !isServerRunning && isSqlite(deps.db)
    const seen = await checkFiles(deps, { isScrub, isRepair, isAlone, report, onProgress })
    bar.clear()
    if (isJson) say(JSON.stringify({ ...seen, ...found }))
    else {
      const how = isScrub ? 'every byte read' : 'sizes only: --scrub reads every byte'
      say(`Checked ${countInWords(seen.files, 'file')}, ${sizeInWords(seen.bytes)} (${how}).`)
      if (found.faults === 0) say('Nothing is wrong.')
      else
        say(
          `${countInWords(found.faults, 'fault')}${isRepair ? `, ${found.repaired} repaired.` : '. --repair mends what can be.'}`,
        )
    }
    return found.faults > 0 ? 1 : 0
  },
}

const inWords = ({ kind, text, done }: Finding) => `${kind.padEnd(13)} ${text}${done ? ` → ${done}` : ''}`
