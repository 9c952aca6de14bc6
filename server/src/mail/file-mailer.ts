import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type ConfirmClaim, MailError, type Message } from './mailer.ts'
import { toMime } from './mime.ts'

/**
 * Writes a message to an `.eml` file, which every mail program can open: for trying out Neptune, or for sending it by other means.
 * The file is named after the message id, so writing a message twice leaves one file. Returns its path.
 */
export async function saveAsFile(folder: string, message: Message, confirmClaim: ConfirmClaim): Promise<string> {
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
  return file
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
