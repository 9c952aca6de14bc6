import { emptyTrash, isBackupRunning, listPurgeable, type RemovedFile, removeOrphans } from '../features/file/trash.service.ts'
import { listEndedUploads, sweepUploads } from '../features/file/upload-sweep.service.ts'
import { openForCommand } from './open.ts'
import { type Command, countInWords, UsageError } from './terminal.ts'

export const gc: Command = {
  usage: '[--dry-run]',
  summary: 'Removes now what the server removes by itself in time',
  details: `
What has been in the trash longer than TRASH_DAYS, uploads that nobody came back for, and bytes older than a day that nothing
refers to. May run beside the server, which does the same every minute and every hour.

--dry-run  only says what would be removed`,
  words: [],
  options: { 'dry-run': { type: 'boolean' } },
  async run({ options, say }) {
    const dryRun = options['dry-run'] === true
    await using opened = await openForCommand()
    const { deps } = opened
    if (await isBackupRunning(deps))
      throw new UsageError('A backup is running, or ended without a word less than five minutes ago: nothing is removed.')
    let count = 0
    const tell = (text: string) => {
      count++
      say(`${dryRun ? 'would remove' : 'removed'} ${text}`)
    }
    const tellFile = ({ id, name, size }: RemovedFile) => tell(`from the trash ${JSON.stringify(name)} (${id}), ${size} bytes`)
    if (dryRun) for await (const file of listPurgeable(deps)) tellFile(file)
    else for (let files = await emptyTrash(deps); files.length > 0; files = await emptyTrash(deps)) files.forEach(tellFile)
    for (const { id, name } of await listEndedUploads(deps)) tell(`the upload of ${JSON.stringify(name)} (${id})`)
    if (!dryRun) await sweepUploads(deps)
    const { uploads, blobs } = await removeOrphans(deps, { dryRun })
    for (const id of [...uploads, ...blobs]) tell(`bytes that nothing refers to (${id})`)
    say(count === 0 ? 'There is nothing to remove.' : `${countInWords(count, 'thing')}${dryRun ? ' would be' : ''} removed.`)
    return 0
  },
}
