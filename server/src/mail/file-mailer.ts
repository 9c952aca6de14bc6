import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { MailError, type Mailer } from './mailer.ts'
import { toMime } from './mime.ts'

/**
 * Writes messages to `.eml` files, which every mail program can open: for trying out Neptune, or for sending them by other means.
 * Files are named after the message id, so writing a message twice leaves one file.
 */
export function createFileMailer(folder: string, onWritten: (file: string) => void): Mailer {
  return {
    way: 'files',
    async send(message, confirmClaim) {
      const file = join(folder, `${message.date.toISOString().replaceAll(':', '-')}-${message.id}.eml`)
      const mime = await toMime(message)
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await writeDurably(`${file}.part`, mime)
      } catch (error) {
        throw new MailError('unreachable', `Can’t write to the outbox folder: ${(error as Error).message}`)
      }
      if (!(await confirmClaim())) throw new MailError('withdrawn', 'Another worker has taken this message.')
      await rename(`${file}.part`, file)
      onWritten(file)
    },
  }
}

async function writeDurably(file: string, bytes: Buffer) {
  const handle = await open(file, 'w', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
