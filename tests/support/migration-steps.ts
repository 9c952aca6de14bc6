import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startCommand } from './run-command.ts'
import type { startSignedIn } from './start-signed-in.ts'

type Neptune = Pick<Awaited<ReturnType<typeof startSignedIn>>, 'url' | 'headers' | 'directory' | 'company' | 'send'>

/** Writes settings to a file that `neptune migrate-to` can read as the settings of the target. */
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

/** Creates a link to the directory and enters its code as a recipient. */
export async function shareDirectory({ url, company, directory, send }: Neptune) {
  const reserved = await send('POST', '/v1/link/initialise', { company, directory })
  const { key, accessCode } = (await reserved.json()).data as { key: string; accessCode: string }
  const expiry = new Date(Date.now() + 24 * 60 * 60_000).toISOString()
  const link = { linkType: 'LINK_DIRECTORY', directory, key, accessCode, expiry }
  expect((await send('POST', '/v1/link', link)).status).toBe(200)
  const token = await enterLink(url, key, accessCode)
  return { key, accessCode, headers: { authorization: `Bearer ${token}` } }
}

/** Submits an access code as a recipient does. */
export const postCode = (url: string, accessKey: string, accessCode: string) =>
  fetch(`${url}/v1/link/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ accessKey, accessCode }),
  })

/** Submits the right access code and returns the token for the visit. */
export async function enterLink(url: string, accessKey: string, accessCode: string): Promise<string> {
  const { data } = (await (await postCode(url, accessKey, accessCode)).json()) as { data?: { token?: string } }
  expect(data?.token).toBeTruthy()
  return data?.token ?? ''
}

/** Creates an upload without sending any bytes, and returns its path. */
export async function createUpload({ url, headers, directory }: Neptune): Promise<string> {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const reply = await fetch(`${url}/v1/upload`, {
    method: 'POST',
    headers: {
      ...headers,
      'tus-resumable': '1.0.0',
      'upload-length': '1000',
      'upload-metadata': `filename ${base64('half.bin')},directory ${base64(directory)}`,
    },
  })
  expect(reply.status).toBe(201)
  return reply.headers.get('location') ?? ''
}

/** Runs a command and kills it at a given moment. Its exit code is null if it was killed. */
export async function killAt(moment: Promise<void>, args: string[], settings: Record<string, string>) {
  const command = startCommand(args, settings)
  await Promise.race([moment, command.ended])
  command.process.kill('SIGKILL')
  return command.ended
}
