import { mkdir } from 'node:fs/promises'
import { attachment } from '../lib/content-disposition.ts'
import { newId } from '../lib/secrets.ts'
import { batchesOf } from './batches.ts'
import { BlobError, type BlobStore, type Stored } from './blob-store.ts'
import { isNoSpace } from './disk-files.ts'
import { bodyOf, openS3Client, type Patience, type S3Settings } from './s3-client.ts'
import { directParts } from './s3-direct.ts'
import { s3Objects } from './s3-objects.ts'
import { openBucket } from './s3-open.ts'
import { type PartSender, type Parts, partSender } from './s3-parts.ts'
import { chunksOf, openS3Blob } from './s3-read.ts'
import { openSpool, type Spool } from './s3-spool.ts'
import { type Claim, claim, newState, save, sizeOf, type Tail, tailsOf, type UploadStates } from './s3-uploads.ts'
import { Tally } from './tally.ts'

/** Sums of uploads that are not finished. One that is forgotten costs a second reading of the object, and no more. */
const talliesKept = 1000
/** Where somebody waits for more than this. Leftovers that stay are swept. */
const brief: Patience = { patience: 3_000, quiet: 3_000 }
const pageSize = 500

/**
 * Blobs as objects `blobs/<id>` in a bucket, for any number of nodes. Bytes wait in a file without a name until they are a part; full
 * parts go to the store. An upload in one go is nobody's business until it is whole: nothing of it stands in the database. One that
 * resumes has a row that says which parts there are, and keeps its last bytes, which are no full part yet, as `uploads/<id>/…`.
 * No key and no part number is written twice, so that no store can give back older bytes.
 *
 * Fails, with a sentence for the operator, where that cannot work.
 */
export async function openS3Blobs(
  settings: S3Settings,
  { states, spoolDir }: { states: UploadStates; spoolDir: string },
): Promise<BlobStore> {
  const client = openS3Client(settings)
  const objects = s3Objects(client)
  await openBucket(client, settings)
  await mkdir(spoolDir, { recursive: true, mode: 0o700 })

  const busy = new Set<string>()
  /** Each with the version of the row that it is true of. */
  const tallies = new Map<string, { tally: Tally; version: number }>()

  async function exclusively<T>(id: string, work: () => Promise<T>): Promise<T> {
    checked(id)
    if (busy.has(id)) throw new BlobError('busy')
    busy.add(id)
    try {
      return await work()
    } catch (error) {
      throw isNoSpace(error) ? new BlobError('no_space', { cause: error }) : error
    } finally {
      busy.delete(id)
    }
  }

  /** The sums so far, if nobody else has written since. To be asked right after the upload was claimed. */
  function takeTally({ id, version, state }: Claim): Tally | undefined {
    const known = tallies.get(id)
    tallies.delete(id)
    return known?.version === version - 1 ? known.tally : sizeOf(state) === 0 ? new Tally() : undefined
  }

  function keepTally({ id, version, state }: Claim, tally: Tally | undefined) {
    if (tally?.size !== sizeOf(state)) return
    tallies.set(id, { tally, version })
    const [oldest = id] = tallies.keys()
    if (tallies.size > talliesKept) tallies.delete(oldest)
  }

  async function tallyOf(id: string, size: number): Promise<Tally> {
    const tally = new Tally()
    const never = new AbortController().signal
    for await (const chunk of chunksOf(client, blobKey(id), size, { start: 0, end: size }, never)) tally.add([chunk])
    return tally
  }

  /** The bytes of a tail, to go on from. */
  async function fetch({ key, size, sha256 }: Tail): Promise<Spool> {
    const spool = await openSpool(spoolDir)
    try {
      const never = new AbortController().signal
      for await (const chunk of chunksOf(client, key, size, { start: 0, end: size }, never)) await spool.add([chunk])
      if ((await spool.body()).sha256 !== sha256) throw new BlobError('damaged')
      return spool
    } catch (error) {
      await spool.close()
      throw error
    }
  }

  /** What an append brought is safe before it answers: as a part where it can be one, as a tail otherwise. */
  async function keepRest(claimed: Claim, sender: PartSender, maxSize: number) {
    const { state } = claimed
    const canBePart = sender.isFull() || (state.uploadId !== undefined && sender.size === maxSize)
    if (canBePart) await sender.sendRest()
    await sender.settled()
    state.tail = sender.rest && (await putTail(claimed, sender.rest))
    state.isOpen = false
    await save(states, claimed)
  }

  async function putTail({ id, state }: Claim, rest: Spool): Promise<Tail> {
    const body = await rest.body()
    // Nothing came: what is there already will do.
    if (state.before.tail?.sha256 === body.sha256) return state.before.tail
    const tail = { key: newTailKey(id, sizeOf({ parts: state.parts })), size: body.size, sha256: body.sha256 }
    await objects.put(tail.key, body)
    return tail
  }

  /** Where that fails, somebody will have to look for it. */
  async function forget({ state, dropped }: Claim) {
    if (dropped) await objects.remove(dropped.key, brief).catch(() => (state.isTorn = true))
  }

  /** Makes an upload a blob. */
  async function make({ id, state }: Claim) {
    const key = blobKey(id)
    const rest = state.tail && (await fetch(state.tail))
    try {
      if (!state.uploadId) {
        return await objects.put(key, (await rest?.body()) ?? bodyOf(''))
      }
      const last = rest ? [await objects.putPart(key, state.uploadId, state.next, await rest.body())] : []
      await objects.complete(key, state.uploadId, [...state.parts, ...last])
    } finally {
      await rest?.close()
    }
  }

  /** Parts of an object that will not be: also those of a beginning whose answer was lost. */
  async function abortAll(id: string) {
    for await (const { key, uploadId } of objects.unfinished(blobKey(id)))
      if (key === blobKey(id)) await objects.abort(key, uploadId)
  }

  /** Everything an upload left at the store, except for the blob. */
  async function clear(id: string, known: Tail[], isThorough: boolean) {
    const keys = new Set(known.map(({ key }) => key))
    if (isThorough) {
      await abortAll(id)
      for await (const { key } of objects.list(tailPrefix(id))) keys.add(key)
    }
    for (const key of keys) await objects.remove(key)
  }

  /** Ids of which something is at the store that has no row: left by a process that was killed, or by one that is at it right now. */
  async function* leftBehind() {
    const seen = new Set<string>()
    const isNew = async (id: string | undefined) => {
      if (id === undefined || seen.has(id)) return false
      seen.add(id)
      return !(await states.find(id))
    }
    for await (const { key } of objects.unfinished(blobPrefix)) {
      const id = idOfBlob(key)
      if (id && (await isNew(id))) yield id
    }
    for await (const { key } of objects.list(uploadPrefix)) {
      const id = idOfTail(key)
      if (id && (await isNew(id)) && !(await objects.head(blobKey(id)))) yield id
    }
  }

  /** After an upload in one go has failed. Whoever did not hear what became of the blob removes it. */
  async function abandon(key: string, { uploadId }: Parts, isUnheard: boolean) {
    if (uploadId) await objects.abort(key, uploadId, brief)
    if (isUnheard) await objects.remove(key, brief)
  }

  const store: BlobStore = {
    ...directParts({ client, objects, states, keyOf: blobKey, placeFor: newTailKey }),

    put(id, source, { maxSize, signal, whole }) {
      const batches = batchesOf(source, signal)
      return exclusively(id, async () => {
        const key = blobKey(id)
        const upload: Parts = { parts: [], next: 1 }
        const tally = new Tally()
        const sender = partSender({ objects, key, spoolDir, upload, maxSize, tally })
        let isSent = false
        try {
          await sender.take(batches)
          await whole
          if (upload.uploadId) await sender.sendRest()
          await sender.settled()
          isSent = true
          if (upload.uploadId) {
            await objects.complete(key, upload.uploadId, upload.parts)
            await abortAll(id).catch(ignore)
          } else await objects.put(key, (await sender.rest?.body()) ?? bodyOf(''))
          return tally.end()
        } catch (error) {
          const isUnheard = isSent && error instanceof BlobError && error.fault === 'unavailable'
          await sender.settled().catch(ignore)
          await abandon(key, upload, isUnheard).catch(ignore)
          throw error
        } finally {
          await sender.close()
        }
      }).finally(batches.stop)
    },

    create: (id) => exclusively(id, () => states.create(id, newState())),

    append(id, source, { offset, maxSize, signal }) {
      const batches = batchesOf(source, signal)
      return exclusively(id, async () => {
        const claimed = await claim(states, id, offset)
        const tally = takeTally(claimed)
        const forgotten = forget(claimed)
        const sender = await senderOf(claimed, maxSize, tally)
        try {
          const failure = await sender.take(batches).then(() => undefined, keptFailure)
          await forgotten
          await keepRest(claimed, sender, maxSize)
          keepTally(claimed, tally)
          if (failure) throw failure
          return sender.size
        } finally {
          await sender.close()
        }
      }).finally(batches.stop)
    },

    rewind: (id, size) =>
      exclusively(id, async () => {
        tallies.delete(id)
        const claimed = await claim(states, id)
        const { state } = claimed
        const { before, parts, tail } = state
        if (size < sizeOf(state)) {
          if (size !== before.size) throw new Error(`An upload can be rewound to where its last append began, not to ${size}`)
          if (tail?.key !== before.tail?.key) claimed.dropped = tail
          Object.assign(state, { parts: parts.slice(0, before.parts), tail: before.tail, isTorn: true })
        }
        state.isOpen = false
        await save(states, claimed)
        await forget(claimed)
      }),

    async received(id) {
      const { size } = (await states.find(checked(id))) ?? (await objects.head(blobKey(id))) ?? {}
      if (size === undefined) throw new BlobError('missing')
      return size
    },

    finish: (id) =>
      exclusively(id, async () => {
        if (!(await states.find(id))) return finishedBefore(id)
        const claimed = await claim(states, id)
        const { state } = claimed
        const size = sizeOf(state)
        let tally = takeTally(claimed)
        try {
          // A process may have been killed, or answered by nobody, right after it made this one.
          const there = await objects.head(blobKey(id))
          if (there && there.size !== size) throw new Error(`There is a blob ${id} already`)
          if (!there) await make(claimed)
          tally ??= await tallyOf(id, size)
          await clear(id, tailsOf(state), state.isTorn || state.uploadId !== undefined)
          await states.remove(id)
        } catch (error) {
          keepTally(claimed, tally)
          throw error
        }
        return tally.end()
      }),

    discard: (id) =>
      exclusively(id, async () => {
        tallies.delete(id)
        // First of all, so that nobody goes on writing it.
        await states.remove(id)
        await clear(id, [], true)
      }),

    async open(id, size) {
      const there = await objects.head(blobKey(id))
      if (there?.size !== size) throw new BlobError('damaged')
      return openS3Blob(client, blobKey(id), size)
    },

    remove: async (id) => objects.remove(blobKey(id)),

    space: async () => ({ free: Infinity, total: Infinity }),
    check: async () => void (await client.ask({ method: 'HEAD' }, [200], brief)),

    async *uploads() {
      for (let after = ''; ; ) {
        const page = await states.list(after, pageSize)
        yield* page
        after = page.at(-1) ?? ''
        if (page.length < pageSize) break
      }
      yield* leftBehind()
    },

    async *blobs() {
      for await (const { key } of objects.list(blobPrefix)) {
        const id = idOfBlob(key)
        if (id !== undefined) yield id
      }
    },

    sizeOf: async (id) => (await objects.head(blobKey(id)))?.size,

    async *strays() {
      for await (const { key } of objects.list(blobPrefix)) if (idOfBlob(key) === undefined) yield { place: key, isLink: false }
      for await (const { key } of objects.list(uploadPrefix)) {
        const id = idOfTail(key)
        // The tail of an upload that was finished: left by somebody who came too late.
        const isOurs = id !== undefined && ((await states.find(id)) || !(await objects.head(blobKey(id))))
        if (!isOurs) yield { place: key, isLink: false }
      }
    },

    removeStray: (place) => objects.remove(place),

    async changedAt(id) {
      const known = (await states.find(checked(id))) ?? (await objects.head(blobKey(id)))
      if (known) return known.changedAt
      let last: Date | undefined
      const note = (at: Date) => {
        if (!last || at > last) last = at
      }
      for await (const { key, uploadId, begunAt } of objects.unfinished(blobKey(id)))
        note((await objects.grownAt(key, uploadId)) ?? begunAt)
      for await (const { changedAt } of objects.list(tailPrefix(id))) note(changedAt)
      return last
    },

    link: (id, { name, type, seconds }) => {
      const query = { 'response-content-disposition': attachment(name), 'response-content-type': type }
      return client.link('GET', blobKey(id), query, seconds)
    },
  }
  return store

  /** Goes on from the tail, if there is one. */
  async function senderOf(claimed: Claim, maxSize: number, tally: Tally | undefined) {
    const { id, state } = claimed
    const rest = state.tail && (await fetch(state.tail))
    state.tail = undefined
    const onPart = () => save(states, claimed)
    return partSender({ objects, key: blobKey(id), spoolDir, upload: state, rest, maxSize, tally, onPart })
  }

  async function finishedBefore(id: string): Promise<Stored> {
    const there = await objects.head(blobKey(id))
    if (!there) throw new BlobError('missing')
    return (await tallyOf(id, there.size)).end()
  }
}

const blobPrefix = 'blobs/'
const uploadPrefix = 'uploads/'
const idPattern = /^[\w-]{22}$/

/** The last wall between a key and anything a person typed. */
function checked(id: string): string {
  if (!idPattern.test(id)) throw new Error('That is not an id of a blob')
  return id
}

const blobKey = (id: string) => `${blobPrefix}${checked(id)}`
const tailPrefix = (id: string) => `${uploadPrefix}${checked(id)}/`
/** For bytes that begin at this offset and are no part yet. */
const newTailKey = (id: string, offset: number) => `${tailPrefix(id)}${offset}-${newId()}`
const idOfBlob = (key: string) => /^blobs\/([\w-]{22})$/.exec(key)?.[1]
const idOfTail = (key: string) => /^uploads\/([\w-]{22})\/\d+-[\w-]{22}$/.exec(key)?.[1]

const ignore = () => {}

/** Ends of an append that keep what came. Anything else is thrown. */
function keptFailure(error: unknown): BlobError {
  if (error instanceof BlobError && ['cut', 'too_large'].includes(error.fault)) return error
  throw error
}
