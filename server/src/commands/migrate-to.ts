import { resolve } from 'node:path'
import { BlobError } from '../blobs/blob-store.ts'
import { readConfig } from '../config.ts'
import { countOtherConnections, countUnfinishedUploads } from '../db/dump.ts'
import { insertInstallationValue, readInstallationValue, removeInstallationValue } from '../db/installation.ts'
import { findHead } from '../features/audit/audit.repo.ts'
import { connect, describeDatabase, describeError, describeMove } from '../installation/open-installation.ts'
import { withBackupHold } from './backup.ts'
import { type CopyResult, copyBlobs, removeObsoleteBlobs } from './move/move-blobs.ts'
import { isNewDamage, moveRows } from './move/move-rows.ts'
import { assertDifferentLocation, checkKey, describeLocation, openTarget, readTarget } from './move/move-target.ts'
import { openForCommand } from './open-for-command.ts'
import { type Command, CommandError, formatCount, formatSize } from './terminal.ts'

export const move: Command = {
  usage: 'TARGET.env [--finish]',
  summary: 'Moves everything to another database and file store, for example from SQLite and a disk to PostgreSQL and S3',
  details: `
TARGET.env is a settings file like .env for the new installation: DATABASE_URL, the S3 settings, DATA_DIR. Settings that are not in it
have their defaults; the current settings do not apply. The target must be empty. You can move between any databases and stores, also
back again.

Without --finish, it copies the bytes of the files while the server is running, which takes nearly all of the time. Every file is
compared with its SHA-256. You can run it as often as you like; after an interruption it resumes where it stopped.

--finish   requires that the server is stopped on every node. Copies the remaining bytes and all rows, reads the rows back, compares
           them, and only then activates the target. Until then, Neptune does not start there, and nothing changes here. Sessions
           and links keep working; unfinished uploads have to start over. Afterwards, Neptune does not start here, unless you run
           neptune migrate-to --undo.

A damaged file is listed and marked as damaged in the target, and the rest is moved. The exit code is 1 then.`,
  positionals: ['TARGET.env'],
  options: { finish: { type: 'boolean' } },
  async run({ positionals: [name = ''], options, workingDirectory, print }) {
    const isFinish = options['finish'] === true
    const config = readTarget(resolve(workingDirectory, name))
    if (isFinish) await assertNoOtherConnections()
    await using source = await openForCommand({ isExclusive: isFinish })
    const { deps } = source
    if (isFinish && source.isServerRunning)
      throw new CommandError(`Neptune is running with the data folder ${deps.config.dataDir}. Stop it to finish the move.`)
    assertDifferentLocation(deps.config, config)
    const moved = await readInstallationValue(deps.db, 'moved')
    if (moved !== undefined) throw new CommandError(`Nothing was moved. ${describeMove(moved)}`)
    const keyCheck = (await readInstallationValue(deps.db, 'key_check')) ?? ''
    const hasKey = checkKey(config, keyCheck)
    try {
      await using target = await openTarget(deps, config, keyCheck)
      const { copied, rows } = await withBackupHold(deps, 'Stopped. Run it again to resume.', async (signal) => {
        const head = await findHead(deps.db)
        const copied = await copyBlobs(deps, target.deps.blobs, { signal, print })
        if (!isFinish) return { copied }
        await removeObsoleteBlobs(deps, target.deps.blobs)
        return { copied, rows: await moveRows(deps, target.deps, { ...copied, head }, signal) }
      })
      print(describeCopyResult(copied))
      if (rows === undefined)
        print(`Next, stop Neptune and run neptune migrate-to ${name} --finish. It copies newer files and all rows.`)
      else {
        await insertInstallationValue(deps.db, 'moved', `${deps.now().toISOString()} ${describeLocation(config)}`)
        const unfinished = await countUnfinishedUploads(deps.db)
        print(
          `Moved ${formatCount(copied.files - copied.lost.length, 'file')} and ${formatCount(rows, 'row')} to ${describeLocation(config)}. All rows were compared.`,
        )
        if (unfinished > 0)
          print(`${formatCount(unfinished, 'unfinished upload')} could not be moved. Users have to start them again.`)
        if (!hasKey) print(`Every node needs the secret key of this installation: ${describeKeyCopy(deps.config)}.`)
        print(`Start Neptune with the settings in ${name}. It no longer starts here, because changes here would be lost.`)
      }
      return copied.lost.some(isNewDamage) ? 1 : 0
    } catch (error) {
      throw toCommandError(error)
    }
  },
}

export const undoMove: Command = {
  usage: '',
  summary: 'Lets Neptune start again in an installation that was moved',
  details: `
Use it to abandon the new installation. The two are separate from now on: changes in one do not appear in the other. Never run both.
Removes nothing.`,
  positionals: [],
  options: {},
  async run({ print }) {
    await using opened = await openForCommand()
    const { db } = opened.deps
    const isMoved = (await readInstallationValue(db, 'moved')) !== undefined
    await removeInstallationValue(db, 'moved')
    print(isMoved ? 'Neptune can start here again.' : 'Nothing was moved from here.')
    return 0
  },
}

/** Throws if other nodes are connected: they hold no lock on our data folder. Called before this process opens further connections. */
async function assertNoOtherConnections() {
  const config = readConfig(process.env)
  if (config.databaseUrl.startsWith('sqlite:')) return
  const db = await connect({ ...config, databasePool: 1 }, { hasNoTimeouts: true })
  try {
    const others = await countOtherConnections(db)
    if (others > 0)
      throw new CommandError(
        `There ${others === 1 ? 'is another connection' : `are ${others} other connections`} to ${describeDatabase(config)}. Stop Neptune on every node, and anything else that is connected, to finish the move.`,
      )
  } finally {
    await db.destroy()
  }
}

function describeCopyResult({ files, copied, bytes, seconds, lost }: CopyResult): string {
  const rate = `${formatSize(bytes)} in ${Math.ceil(seconds)} s (${formatSize(Math.round(bytes / seconds))}/s)`
  const existing = files - copied - lost.length
  const rest = [existing > 0 && `${existing} were already there`, lost.length > 0 && `${lost.length} could not be copied`].filter(
    Boolean,
  )
  return `Copied ${formatCount(copied, 'file')}, ${rate}${rest.map((text) => `; ${text}`).join('')}.`
}

const describeKeyCopy = ({ secretKey, dataDir }: { secretKey?: string | undefined; dataDir: string }) =>
  secretKey
    ? 'set the same SECRET_KEY'
    : `copy ${resolve(dataDir, 'secret.key')} to the node's DATA_DIR, or set SECRET_KEY to the content of that file`

/** Turns network and disk errors into one-line messages. Returns any other error unchanged. */
function toCommandError(error: unknown): unknown {
  const resumeHint = 'Run it again to resume.'
  if (error instanceof BlobError && error.fault === 'no_space')
    return new CommandError(`There is no space left in the target. Free up space. ${resumeHint}`)
  const { code, message } = error as NodeJS.ErrnoException
  const isExternal =
    error instanceof BlobError || code !== undefined || /^(Connection|Client has encountered a connection error)/.test(message)
  return isExternal ? new CommandError(`The move was interrupted: ${describeError(error)}. ${resumeHint}`) : error
}
