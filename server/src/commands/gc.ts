import { removeUnusedImages } from '../features/brand/stored-logos.service.ts'
import { listPrunableVersions, pruneVersions } from '../features/trash/prune-versions.service.ts'
import {
  emptyTrash,
  listPurgeableFiles,
  mustKeepBytesNow,
  type RemovedFile,
  removeOrphans,
} from '../features/trash/trash.service.ts'
import { listEndedUploads, sweepUploads } from '../features/upload/upload-sweep.service.ts'
import type { VersionRecord } from '../features/version/version.repo.ts'
import { openForCommand } from './open-for-command.ts'
import { type Command, CommandError, formatCount } from './terminal.ts'

export const gc: Command = {
  usage: '[--dry-run]',
  summary: 'Removes expired trash, abandoned uploads, orphaned bytes and unused logos now instead of later',
  details: `
Removes files that have been in the trash longer than the settings allow, versions that the settings don't keep, abandoned uploads,
orphaned bytes older than a day, and logos that have been unused for 90 days. Can run while the server is running. The server
also does this by itself: some of it every minute, the rest every hour.

--dry-run  only lists what would be removed`,
  positionals: [],
  options: { 'dry-run': { type: 'boolean' } },
  async run({ options, print }) {
    const dryRun = options['dry-run'] === true
    await using opened = await openForCommand()
    const { deps } = opened
    if (await mustKeepBytesNow(deps))
      throw new CommandError('A backup is running, or crashed less than five minutes ago. Nothing was removed.')
    let count = 0
    const report = (text: string) => {
      count++
      print(`${dryRun ? 'would remove' : 'removed'} ${text}`)
    }
    const reportFile = ({ id, name, size }: RemovedFile) =>
      report(`from the trash ${JSON.stringify(name)} (${id}), ${size} bytes`)
    if (dryRun) for await (const file of listPurgeableFiles(deps)) reportFile(file)
    else for (let files = await emptyTrash(deps); files.length > 0; files = await emptyTrash(deps)) files.forEach(reportFile)
    const reportVersion = ({ file_id, number, blob_id, size }: VersionRecord) =>
      report(`version ${number} (${blob_id}) of the file ${file_id}, ${size} bytes`)
    if (dryRun) for await (const version of listPrunableVersions(deps)) reportVersion(version)
    else for (let rows = await pruneVersions(deps); rows.length > 0; rows = await pruneVersions(deps)) rows.forEach(reportVersion)
    for (const { id, name } of await listEndedUploads(deps)) report(`the upload of ${JSON.stringify(name)} (${id})`)
    if (!dryRun) await sweepUploads(deps)
    const { uploads, blobs } = await removeOrphans(deps, { dryRun })
    for (const id of [...uploads, ...blobs]) report(`orphaned bytes (${id})`)
    for (const id of await removeUnusedImages(deps, { dryRun })) report(`an unused logo (${id})`)
    print(count === 0 ? 'There is nothing to remove.' : `${formatCount(count, 'item')}${dryRun ? ' would be' : ''} removed.`)
    return 0
  },
}
