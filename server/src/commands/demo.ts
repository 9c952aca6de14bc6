import { existsSync } from 'node:fs'
import { pino } from 'pino'
import { readConfig } from '../config.ts'
import { isEmptyDatabase } from '../db/dump.ts'
import type { Deps } from '../deps.ts'
import { generatePassword } from '../lib/passwords.ts'
import { connect, describeDatabase, openInstallation } from '../open.ts'
import { StartError } from '../start-error.ts'
import { type Command, countInWords, progress, UsageError } from './terminal.ts'

const filesByDefault = 320

export const demo: Command = {
  usage: '[--files COUNT]',
  summary: 'Fills a new installation with five companies and a month of their work, to look around in',
  details: `
Refuses an installation that has anything in it: set DATA_DIR to a new folder. Everybody in it is invented, and no mail leaves.
npm run demo does this, and then starts the server.

--files COUNT   about how many files; ${filesByDefault} unless it is said`,
  words: [],
  options: { files: { type: 'string' } },
  async run({ options, say }) {
    const files = Number(options['files'] ?? filesByDefault)
    if (!Number.isInteger(files) || files < 1 || files > 10_000) throw new UsageError('--files takes a number from 1 to 10000.')
    const config = readConfig(process.env)
    await refuseUsed(config)
    const password = config.adminPassword ?? generatePassword()
    const { lock, undo: _, ...installation } = await openInstallation(config)
    try {
      const log = pino({ level: 'warn', base: null }, pino.destination({ fd: 2, sync: true }))
      await tell({ ...installation, config: { ...config, adminPassword: password }, log }, password, files, say)
    } finally {
      await installation.db.destroy()
      lock.release()
    }
    return 0
  },
}

async function tell(deps: Omit<Deps, 'now' | 'mailer'>, password: string, files: number, say: (text: string) => void) {
  const begun = performance.now()
  const line = progress()
  say(`Filling ${deps.config.dataDir} with five companies and a month of their work …`)
  const { Story } = await import('./demo-story.ts') // brings what draws pictures
  const story = new Story(deps, password, new Date())
  await story.tell(files, (day) => line.show(`day ${day} of 30`))
  line.clear()
  const seconds = Math.round((performance.now() - begun) / 1000)
  say(`${countInWords(story.files, 'file')} and ${countInWords(story.links, 'link')}, in ${countInWords(seconds, 'second')}.

  Sign in as   ${deps.config.adminEmail}   (sees everything)
  or as        mira@harbourlane.example   (sees one company; so does jonas@brandt.example)
  Password     ${password}   (the same for all of them)
`)
}

/** Looked at before anything is made: what is refused stays as it was. */
async function refuseUsed(config: ReturnType<typeof readConfig>) {
  // Opening a SQLite database would make one.
  const isNew = config.databaseUrl.startsWith('sqlite:') && !existsSync(config.databaseUrl.slice('sqlite:'.length))
  const db = isNew ? undefined : await connect(config)
  try {
    if (db && !(await isEmptyDatabase(db)))
      throw new StartError(
        `There is a Neptune in ${config.dataDir} and ${describeDatabase(config)} already. A demo fills a new one: set DATA_DIR to a new folder, such as DATA_DIR=./demo npm run demo.`,
      )
  } finally {
    await db?.destroy()
  }
}
