import { parseArgs } from 'node:util'
import { auditExport, auditVerify } from './commands/audit.ts'
import { backup } from './commands/backup.ts'
import { createAdmin } from './commands/create-admin.ts'
import { demo } from './commands/demo.ts'
import { fsck } from './commands/fsck.ts'
import { gc } from './commands/gc.ts'
import { move, undoMove } from './commands/migrate-to.ts'
import { restore } from './commands/restore.ts'
import { settingsExport, settingsImport } from './commands/settings.ts'
import { signInLink } from './commands/sign-in-link.ts'
import { type Call, type Command, CommandError } from './commands/terminal.ts'
import { ConfigError } from './config.ts'
import { StartError } from './installation/start-error.ts'

const commands: Record<string, Command> = {
  fsck,
  gc,
  backup,
  restore,
  'migrate-to': move,
  'migrate-to --undo': undoMove,
  'create-admin': createAdmin,
  'sign-in-link': signInLink,
  demo,
  'audit verify': auditVerify,
  'audit export': auditExport,
  'settings export': settingsExport,
  'settings import': settingsImport,
}

/** Runs `npx neptune …`. Returns the exit code: 0 success, 1 something needs attention, 2 failure. */
export async function runCli(args: string[], workingDirectory: string): Promise<number> {
  process.umask(0o077) // only our user may read the files we create
  // Stops when the reader closes the pipe, as `head` does.
  process.stdout.on('error', () => process.exit(2))
  const print = (text: string) => void process.stdout.write(`${text}\n`)
  const [first = 'help'] = args
  const name = args.slice(0, 2).join(' ') in commands ? args.slice(0, 2).join(' ') : first
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (['help', '--help', '-h'].includes(first) || (command && args.includes('--help'))) {
    print(command ? formatCommandHelp(name, command) : formatHelp())
    return 0
  }
  try {
    if (!command) throw new CommandError(`Unknown command ${JSON.stringify(args.join(' '))}. Run neptune help for a list.`)
    return await command.run(parseCall(name, command, args, { workingDirectory, print }))
  } catch (error) {
    const isExpected = [CommandError, StartError, ConfigError].some((kind) => error instanceof kind)
    const text = isExpected ? (error as Error).message : ((error as Error).stack ?? String(error))
    process.stderr.write(`neptune${command ? ` ${name}` : ''}: ${text}\n`)
    return 2
  }
}

function parseCall(name: string, command: Command, allArgs: string[], context: Pick<Call, 'workingDirectory' | 'print'>): Call {
  const args = allArgs.slice(name.split(' ').length)
  try {
    const { values, positionals } = parseArgs({ args, options: command.options, allowPositionals: true })
    const required = command.positionals.filter((name) => !name.startsWith('['))
    if (positionals.length < required.length || positionals.length > command.positionals.length)
      throw new Error(`Expected ${command.positionals.join(' ') || 'no arguments'}.`)
    return { positionals, options: values as Call['options'], ...context }
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\n\n${formatCommandHelp(name, command)}`)
  }
}

const formatHelp = () => `Manages a Neptune installation. Uses the same settings as npm start.

${Object.entries(commands)
  .map(([name, { usage, summary }]) => `  neptune ${name} ${usage}\n      ${summary}`)
  .join('\n')}

Run neptune COMMAND --help for details. Exit codes: 0 success, 1 something needs attention, 2 the command failed.`

const formatCommandHelp = (name: string, { usage, summary, details }: Command) =>
  `neptune ${name} ${usage}\n\n${summary}.\n\n${details.trim()}`
