import { text } from 'node:stream/consumers'
import { api } from '@neptune/contract'
import { safeParse } from 'zod'
import { readSettings } from '../features/settings/settings.service.ts'
import { addAdmin } from '../features/user/admin.service.ts'
import { AppError } from '../lib/app-error.ts'
import { normalizeEmail } from '../lib/email.ts'
import { generatePassword } from '../lib/password/passwords.ts'
import { openForCommand } from './open-for-command.ts'
import { type Command, CommandError } from './terminal.ts'

export const createAdmin: Command = {
  usage: 'EMAIL [--name NAME] [--password-stdin]',
  summary: 'Creates an admin, for example when nobody can sign in',
  details: `
The admin belongs to the company of the first admin. Prints a random password once. Can run while the server is running.

--name NAME        the admin's name; defaults to Administrator
--password-stdin   reads the password from standard input instead`,
  positionals: ['EMAIL'],
  options: { name: { type: 'string' }, 'password-stdin': { type: 'boolean' } },
  async run({ positionals, options, print }) {
    const isPasswordGiven = options['password-stdin'] === true
    const password = isPasswordGiven ? (await text(process.stdin)).replace(/\r?\n$/, '') : generatePassword()
    const name = options['name'] ?? 'Administrator'
    // The same checks as in the web app.
    const input = { email: positionals[0], name, password, role: 'NEPTUNE_ADMIN', company: 'first' }
    const { data: admin, error } = safeParse(api.user.create.body, input)
    if (!admin) throw new CommandError(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join(' '))
    await using opened = await openForCommand()
    try {
      const company = await addAdmin(opened.deps, { ...admin, password })
      print(`${normalizeEmail(admin.email)} is now an admin of ${company}.`)
      if (!isPasswordGiven) print(`Password   ${password}   (shown once: keep it safe)`)
      if (!(await readSettings(opened.deps)).security.password_sign_in)
        print(
          `Passwords are turned off, so nobody can sign in with one. To create a link that signs the admin in, run npx neptune sign-in-link ${normalizeEmail(admin.email)}`,
        )
      return 0
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      print(`Nothing was changed. ${error.fields?.map(({ message }) => message).join(' ') || error.message}`)
      return 1
    }
  },
}
