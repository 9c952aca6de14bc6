import { resolve } from 'node:path'
import { BlobError } from '../blobs/blob-store.ts'
import { readConfig } from '../config.ts'
import { countOtherConnections, countUnfinished } from '../db/dump.ts'
import { findFact, insertFact, removeFact } from '../db/installation.ts'
import { findHead } from '../features/audit/audit.repo.ts'
import { connect, describeDatabase, describeError, describeMove } from '../open.ts'
import { holding } from './backup.ts'
import { type Copied, copyBlobs, removeOthers } from './move-blobs.ts'
import { isNews, moveRows } from './move-rows.ts'
import { hasKey, openTarget, placeOf, readTarget, refuseSamePlace } from './move-target.ts'
import { openForCommand } from './open.ts'
import { type Command, countInWords, sizeInWords, UsageError } from './terminal.ts'

export const move: Command = {
  usage: 'TARGET.env [--finish]',
  summary: 'Moves everything to another database and another store of files, say from SQLite and a disk to PostgreSQL and S3',
  details: `
TARGET.env is a file of settings like .env, for the new place: DATABASE_URL, the S3 settings, DATA_DIR. What it does not say is as if
it were not set; nothing of here counts there. The new place must be empty. Any kind moves to any other, so this is also the way back.

Without --finish it copies the bytes of files while the server goes on: nearly all of the time is spent here. Every file is compared with
its SHA-256 on the way. Run it as often as you like; broken off, it goes on where it was.

--finish   needs the server stopped, on every node. Copies the bytes that have come since, then all rows, reads them back and compares,
           and only then opens the new place: until the very end no Neptune starts there, and here nothing is changed.
           Whoever is signed in stays so, links go on; uploads that are not finished are sent again. From then on no Neptune
           starts here: neptune migrate-to --undo takes that back.

A file whose bytes are not right any more is named, and the rest is moved; it is marked as damaged there. Ends with 1 then.`,
  words: ['TARGET.env'],
  options: { finish: { type: 'boolean' } },
  async run({ words: [name = ''], options, folder, say }) {
    const isLast = options['finish'] === true
    const config = readTarget(resolve(folder, name))
    if (isLast) await refuseOthers()
    await using source = await openForCommand({ alone: isLast })
    const { deps } = source
    if (isLast && source.isServerRunning)
      throw new UsageError(`A Neptune runs with the data folder ${deps.config.dataDir}. Stop it to finish the move.`)
    refuseSamePlace(deps.config, config)
    const moved = await findFact(deps.db, 'moved')
    if (moved !== undefined) throw new UsageError(`Nothing was moved. ${describeMove(moved)}`)
    const keyCheck = (await findFact(deps.db, 'key_check')) ?? ''
    const isKeyThere = hasKey(config, keyCheck)
    try {
      await using target = await openTarget(deps, config, keyCheck)
      const { copied, rows } = await holding(deps, stopped, async (signal) => {
        const head = await findHead(deps.db)
        const copied = await copyBlobs(deps, target.deps.blobs, { signal, say })
        if (!isLast) return { copied }
        await removeOthers(deps, target.deps.blobs)
        return { copied, rows: await moveRows(deps, target.deps, { ...copied, head }, signal) }
      })
      say(told(copied))
      if (rows === undefined)
        say(`Next, stop Neptune and run neptune migrate-to ${name} --finish: it copies what comes until then, and all rows.`)
      else {
        await insertFact(deps.db, 'moved', `${deps.now().toISOString()} ${placeOf(config)}`)
        const unfinished = await countUnfinished(deps.db)
        say(
          `Moved ${countInWords(copied.files - copied.lost.length, 'file')} and ${countInWords(rows, 'row')} to ${placeOf(config)}. All rows are equal.`,
        )
        if (unfinished > 0)
          say(`${countInWords(unfinished, 'upload')} had not come to an end. Whoever sent them sends them again.`)
        if (!isKeyThere) say(`Every node needs the secret key from here: ${keyPlace(deps.config)}.`)
        say(`Start Neptune with the settings in ${name}. It does not start here any more: what was done here would not be there.`)
      }
      return copied.lost.some(isNews) ? 1 : 0
    } catch (error) {
      throw inWords(error)
    }
  },
}

export const undoMove: Command = {
  usage: '',
  summary: 'Lets Neptune start again in a place from which everything was moved',
  details: `
For when the new place is given up: what was done there is not here, and what is done here from now on will not be there. Never let
both serve. Removes nothing in either place.`,
  words: [],
  options: {},
  async run({ say }) {
    await using opened = await openForCommand()
    const { db } = opened.deps
    const isMoved = (await findFact(db, 'moved')) !== undefined
    await removeFact(db, 'moved')
    say(isMoved ? 'Neptune may start here again.' : 'Nothing was moved from here.')
    return 0
  },
}

const stopped = 'Stopped. Run it again to go on.'

/** Nodes elsewhere hold no lock on our data folder, but they hold connections. Asked before we have more than one ourselves. */
async function refuseOthers() {
  const config = readConfig(process.env)
  if (config.databaseUrl.startsWith('sqlite:')) return
  const db = await connect({ ...config, databasePool: 1 }, { hasNoTimeouts: true })
  try {
    const others = await countOtherConnections(db)
    if (others > 0)
      throw new UsageError(
        `There ${others === 1 ? 'is another connection' : `are ${others} other connections`} to ${describeDatabase(config)}. Stop Neptune on every node, and whatever else is connected, to finish the move.`,
      )
  } finally {
    await db.destroy()
  }
}

function told({ files, copied, bytes, seconds, lost }: Copied): string {
  const rate = `${sizeInWords(bytes)} in ${Math.ceil(seconds)} s (${sizeInWords(Math.round(bytes / seconds))}/s)`
  const there = files - copied - lost.length
  const rest = [there > 0 && `${there} were there already`, lost.length > 0 && `${lost.length} could not be copied`].filter(
    Boolean,
  )
  return `Copied the bytes of ${countInWords(copied, 'file')}, ${rate}${rest.map((text) => `; ${text}`).join('')}.`
}

const keyPlace = ({ secretKey, dataDir }: { secretKey?: string | undefined; dataDir: string }) =>
  secretKey
    ? 'set SECRET_KEY to the same'
    : `copy ${resolve(dataDir, 'secret.key')} to its DATA_DIR, or set SECRET_KEY to what is in it`

/** What a network or a disk does to us is no fault of the program: it is said in a line. */
function inWords(error: unknown): unknown {
  const again = 'Run it again to go on.'
  if (error instanceof BlobError && error.fault === 'no_space')
    return new UsageError(`There is no space left in the new place. Make room. ${again}`)
  const { code, message } = error as NodeJS.ErrnoException
  const isTheirs =
    error instanceof BlobError || code !== undefined || /^(Connection|Client has encountered a connection error)/.test(message)
  return isTheirs ? new UsageError(`It was broken off: ${describeError(error)}. ${again}`) : error
}
