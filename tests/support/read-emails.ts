import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'

interface Email {
  to: string
  subject: string
  text: string
  html: string
}

/** Waits until the outbox has this many emails, and returns them, oldest first. Without a mail server, emails are saved there as files. */
export async function readEmails(folder: string, count: number): Promise<Email[]> {
  await expect.poll(() => readOutbox(folder).length, 'emails in the outbox').toBe(count)
  return readOutbox(folder)
}

/** Waits for an email to this address whose text matches, and returns the first one. */
export async function readEmailTo(folder: string, address: string, pattern = /./): Promise<Email | undefined> {
  const findEmail = () => readOutbox(folder).find(({ to, text }) => to === address && pattern.test(text))
  await expect.poll(findEmail, `an email to ${address}`).toBeDefined()
  return findEmail()
}

function readOutbox(folder: string): Email[] {
  const outbox = join(folder, 'data/outbox')
  const files = existsSync(outbox) ? readdirSync(outbox).filter((name) => name.endsWith('.eml')) : []
  return files.toSorted().map((name) => parseEmail(readFileSync(join(outbox, name), 'utf8')))
}

/** Parses a message in its wire format. */
export function parseEmail(mail: string): Email {
  const readHeader = (name: string) => new RegExp(`^${name}: (.*?)\r$`, 'm').exec(mail)?.[1] ?? ''
  const readPart = (type: string) => decodePart(mail, type)
  return { to: readHeader('To'), subject: readHeader('Subject'), text: readPart('text/plain'), html: readPart('text/html') }
}

/** Returns the part of this type, decoded. */
function decodePart(mail: string, type: string): string {
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(mail) ?? []
  const part = mail.split(`--${boundary}`).find((part) => part.includes(`Content-Type: ${type}`)) ?? ''
  const [headers = '', ...body] = part.trim().split('\r\n\r\n')
  const text = body.join('\r\n\r\n')
  if (/base64/i.test(headers)) return Buffer.from(text, 'base64').toString()
  if (!/quoted-printable/i.test(headers)) return text
  const bytes = text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
