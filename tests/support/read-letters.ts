import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'

interface Letter {
  to: string
  subject: string
  text: string
}

/** The mails of a Neptune that has no mail server, once there are that many: it writes them to files, the oldest first. */
export async function readLetters(folder: string, count: number): Promise<Letter[]> {
  await expect.poll(() => lettersIn(folder).length, 'letters in the outbox').toBe(count)
  return lettersIn(folder)
}

/** The first email to an address, once there is one. */
export async function readLetterTo(folder: string, address: string): Promise<Letter | undefined> {
  const found = () => lettersIn(folder).find(({ to }) => to === address)
  await expect.poll(found, `an email to ${address}`).toBeDefined()
  return found()
}

function lettersIn(folder: string): Letter[] {
  const outbox = join(folder, 'data/outbox')
  const files = existsSync(outbox) ? readdirSync(outbox).filter((name) => name.endsWith('.eml')) : []
  return files.toSorted().map((name) => readLetter(readFileSync(join(outbox, name), 'utf8')))
}

/** One of them, as it travels. */
export function readLetter(mail: string): Letter {
  const header = (name: string) => new RegExp(`^${name}: (.*?)\r$`, 'm').exec(mail)?.[1] ?? ''
  return { to: header('To'), subject: header('Subject'), text: plainText(mail) }
}

/** The part that is plain text, freed from the way it travelled. */
function plainText(mail: string): string {
  const [, headers = '', body = ''] = /^(Content-Type: text\/plain.*?)\r\n\r\n(.*?)\r\n--/ms.exec(mail) ?? []
  if (/base64/i.test(headers)) return Buffer.from(body, 'base64').toString()
  if (!/quoted-printable/i.test(headers)) return body
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
