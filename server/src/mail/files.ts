import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { MailError, type Mailer } from './mailer.ts'
import { toMime } from './mime.ts'

/**
 * Letters as `.eml` files, which every mail program opens: for trying Neptune out, and for those who send them by other means.
 * A file is named after its letter, so writing it twice leaves one.
 */
export function fileMailer(folder: string, written: (file: string) => void): Mailer {
  return {
    way: 'files',
    async send(message, handOver) {
      const file = join(folder, `${message.date.toISOString().replaceAll(':', '-')}-${message.id}.eml`)
      const mime = await toMime(message)
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await writeSafely(`${file}.part`, mime)
      } catch (error) {
        throw new MailError('unreachable', `The outbox folder cannot be written: ${(error as Error).message}`)
      }
      if (!(await handOver())) throw new MailError('withdrawn', 'Somebody else has it.')
      await rename(`${file}.part`, file)
      written(file)
    },
  }
}

async function writeSafely(file: string, bytes: Buffer) {
  const handle = await open(file, 'w', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
