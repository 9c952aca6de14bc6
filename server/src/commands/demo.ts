import { existsSync } from 'node:fs'
import { pino } from 'pino'
import { readConfig } from '../config.ts'
import { isEmptyDatabase } from '../db/dump.ts'
import type { Deps } from '../deps.ts'
import { connect, describeDatabase, openInstallation } from '../installation/open-installation.ts'
import { StartError } from '../installation/start-error.ts'
import { generatePassword } from '../lib/password/passwords.ts'
import { checkPort } from '../process/listen.ts'
import { type Command, CommandError, createProgressLine, formatCount } from './terminal.ts'

const defaultFiles = 320

export const demo: Command = {
  usage: '[--files COUNT]',
  summary: 'Fills a new installation with demo data: five companies and a month of their work',
  details: `
The installation must be empty: set DATA_DIR to a new folder. All people are invented, and no email is sent.
npm run demo runs this command and then starts the server.

--files COUNT   the approximate number of files; defaults to ${defaultFiles}`,
  positionals: [],
  options: { files: { type: 'string' } },
  async run({ options, print }) {
    const files = Number(options['files'] ?? defaultFiles)
    if (!Number.isInteger(files) || files < 1 || files > 10_000)
      throw new CommandError('--files must be a number from 1 to 10000.')
    const config = readConfig(process.env)
    await assertUnused(config)
    await checkPort(config) // so that `npm run demo` fails before it fills anything
    const password = config.adminPassword ?? generatePassword()
    const { lock, undo: _, ...installation } = await openInstallation(config)
    try {
      const log = pino({ level: 'warn', base: null }, pino.destination({ fd: 2, sync: true }))
      await createDemoData({ ...installation, config: { ...config, adminPassword: password }, log }, password, files, print)
    } finally {
      await installation.db.destroy()
      lock.release()
    }
    return 0
  },
}

async function createDemoData(
  deps: Omit<Deps, 'now' | 'mailer'>,
  password: string,
  files: number,
  print: (text: string) => void,
) {
  const startedAt = performance.now()
  const progress = createProgressLine()
  print(`Filling ${deps.config.dataDir} with five companies and a month of their work …`)
  const { DemoSimulation } = await import('./demo/demo-simulation.ts') // loads the image library
  const simulation = new DemoSimulation(deps, password, new Date())
  await simulation.run(files, (day) => progress.show(`day ${day} of 30`))
  progress.clear()
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  print(`Created ${formatCount(simulation.fileCount, 'file')} and ${formatCount(simulation.linkCount, 'link')} in ${formatCount(seconds, 'second')}.

  Sign in as   ${deps.config.adminEmail}   (sees everything)
  or as        mira@harbourlane.example   (sees one company; jonas@brandt.example sees another)
  Password     ${password}   (the same for everyone)
`)
}

/** Throws if the installation is not empty. Runs before anything is created. */
async function assertUnused(config: ReturnType<typeof readConfig>) {
  // Opening a SQLite database would create it.
  const isNew = config.databaseUrl.startsWith('sqlite:') && !existsSync(config.databaseUrl.slice('sqlite:'.length))
  const db = isNew ? undefined : await connect(config)
  try {
    if (db && !(await isEmptyDatabase(db)))
      throw new StartError(
        `There is already a Neptune installation in ${config.dataDir} and ${describeDatabase(config)}. Start it with npm start and the same settings, or set DATA_DIR to a new folder for another demo.`,
      )
  } finally {
    await db?.destroy()
  }
}
