import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startCommand } from './run-command.ts'
import type { startSignedIn } from './signed-in.ts'

type Neptune = Pick<Awaited<ReturnType<typeof startSignedIn>>, 'url' | 'headers' | 'directory' | 'company' | 'send'>

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
export async function shareDirectory({ url, company, directory, send }: Neptune) {
  const reserved = await send('POST', '/v1/link/initialise', { company, directory })
  const { key, accessCode } = (await reserved.json()).data as { key: string; accessCode: string }
  const expiry = new Date(Date.now() + 24 * 60 * 60_000).toISOString()
  const link = { linkType: 'LINK_DIRECTORY', directory, key, accessCode, expiry }
  expect((await send('POST', '/v1/link', link)).status).toBe(200)
  const token = await enter(url, key, accessCode)
  return { key, accessCode, headers: { authorization: `Bearer ${token}` } }
}

export const verify = (url: string, accessKey: string, accessCode: string) =>
  fetch(`${url}/v1/link/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ accessKey, accessCode }),
  })

export async function enter(url: string, accessKey: string, accessCode: string): Promise<string> {
  const { data } = (await (await verify(url, accessKey, accessCode)).json()) as { data?: { token?: string } }
  expect(data?.token).toBeTruthy()
  return data?.token ?? ''
}

/** An upload of which nothing has come yet: its address. */
export async function beginUpload({ url, headers, directory }: Neptune): Promise<string> {
  const word = (text: string) => Buffer.from(text).toString('base64')
  const reply = await fetch(`${url}/v1/upload`, {
    method: 'POST',
    headers: {
      ...headers,
      'tus-resumable': '1.0.0',
      'upload-length': '1000',
      'upload-metadata': `filename ${word('half.bin')},directory ${word(directory)}`,
    },
  })
  expect(reply.status).toBe(201)
  return reply.headers.get('location') ?? ''
}

/** Runs a command and kills it as soon as something happens: its code is null then. */
export async function killedAt(moment: Promise<void>, words: string[], settings: Record<string, string>) {
  const command = startCommand(words, settings)
  await Promise.race([moment, command.ended])
  command.process.kill('SIGKILL')
  return command.ended
}
