import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { exportSettings, importSettings } from '../features/settings/settings-file.service.ts'
import { describeError } from '../installation/open-installation.ts'
import { AppError } from '../lib/app-error.ts'
import { parseStrictJson } from '../lib/strict-json.ts'
import { openForCommand } from './open-for-command.ts'
import { type Command, CommandError, formatCount } from './terminal.ts'

export const settingsExport: Command = {
  usage: '[FILE]',
  summary: 'Prints the settings that admins can change, as JSON, or writes them to a file',
  details: `
Leaves out the password of the mail server, logos, and settings that environment variables set. FILE must not exist. Can run while the
server is running.`,
  positionals: ['[FILE]'],
  options: {},
  async run({ positionals: [name], workingDirectory, print }) {
    await using opened = await openForCommand()
    const json = JSON.stringify(await exportSettings(opened.deps), null, 2)
    if (name === undefined) {
      print(json)
      return 0
    }
    const path = resolve(workingDirectory, name)
    await writeFile(path, `${json}\n`, { flag: 'wx' }).catch((error) => {
      throw new CommandError(`${path} cannot be written: ${describeError(error)}`)
    })
    print(`Wrote the settings to ${path}. The password of the mail server and logos are not in it.`)
    return 0
  },
}

export const settingsImport: Command = {
  usage: 'FILE',
  summary: 'Changes the settings that admins can change to those in a file: all of them or none',
  details: `
FILE is JSON as neptune settings export prints it; - reads standard input. Settings that are not in the file stay as they are. null
restores a default. If the file changes the mail server or its user without a password (smtp_password), the saved password is removed.
Lists what has changed. The audit log records it, too. Can run while the server is running, which applies the changes within a second.`,
  positionals: ['FILE'],
  options: {},
  async run({ positionals: [name = ''], workingDirectory, print }) {
    const file = await readJson(name === '-' ? name : resolve(workingDirectory, name))
    await using opened = await openForCommand()
    try {
      const changes = await importSettings(opened.deps, file)
      for (const { name, note } of changes) print(`${name}: ${note}`)
      print(changes.length === 0 ? 'Nothing was changed.' : `${formatCount(changes.length, 'setting')} changed.`)
      return 0
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      for (const { field, message } of error.fields ?? []) print(`${field}: ${message}`)
      print(error.fields ? 'Nothing was changed.' : `Nothing was changed. ${error.message}`)
      return 1
    }
  },
}

const maxBytes = 1024 * 1024

async function readJson(path: string): Promise<unknown> {
  try {
    const bytes = path === '-' ? await buffer(process.stdin) : await readFile(path)
    if (bytes.length > maxBytes) throw new Error('it is larger than 1 MiB')
    return parseStrictJson(bytes)
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${describeError(error)}`)
  }
}
