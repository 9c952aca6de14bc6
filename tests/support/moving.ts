import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { openOffice } from './operator-office.ts'
import { startCommand } from './run-command.ts'

type Office = Pick<Awaited<ReturnType<typeof openOffice>>, 'url' | 'headers' | 'directory' | 'session' | 'get' | 'post'>

/** Settings as a file, as `neptune migrate-to` wants those of the new place. */
export function writeSettings(folder: string, name: string, settings: Record<string, string>): string {
  const path = join(folder, name)
  writeFileSync(
    path,
    Object.entries(settings)
      .map(([key, value]) => `${key}="${value}"\n`)
      .join(''),
    { mode: 0o600 },
  )
  return path
}

/** A link to the directory, and a recipient who has entered its code. */
export async function shareDirectory(office: Office) {
  const reserved = await office.post('/v1/link/initialise', { company: office.session.info.company, directory: office.directory })
  const { key, accessCode } = (await reserved.json()).data as { key: string; accessCode: string }
  const expiry = new Date(Date.now() + 24 * 60 * 60_000).toISOString()
  const link = { linkType: 'LINK_DIRECTORY', directory: office.directory, key, accessCode, expiry }
  expect((await office.post('/v1/link', link)).status).toBe(200)
  const token = await enter(office.url, key, accessCode)
  return { key, accessCode, headers: { authorization: `Bearer ${token}` } }
}

export async function enter(url: string, accessKey: string, accessCode: string): Promise<string> {
  const reply = await fetch(`${url}/v1/link/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ accessKey, accessCode }),
  })
  const { data } = (await reply.json()) as { data?: { token?: string } }
  expect(data?.token).toBeTruthy()
  return data?.token ?? ''
}

/** An upload of which nothing has come yet. */
export async function beginUpload(office: Office) {
  const word = (text: string) => Buffer.from(text).toString('base64')
  const reply = await fetch(`${office.url}/v1/upload`, {
    method: 'POST',
    headers: {
      ...office.headers,
      'tus-resumable': '1.0.0',
      'upload-length': '1000',
      'upload-metadata': `filename ${word('half.bin')},directory ${word(office.directory)}`,
    },
  })
  expect(reply.status).toBe(201)
}

/** Runs a command and kills it as soon as something happens: its code is null then. */
export async function killedAt(moment: Promise<void>, words: string[], settings: Record<string, string>) {
  const command = startCommand(words, settings)
  await Promise.race([moment, command.ended])
  command.process.kill('SIGKILL')
  return command.ended
}
