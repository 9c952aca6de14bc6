import { text } from 'node:stream/consumers'
import { api } from '@neptune/contract'
import { safeParse } from 'zod'
import { addAdmin } from '../features/user/admin.service.ts'
import { AppError } from '../lib/app-error.ts'
import { normalizeEmail } from '../lib/email.ts'
import { generatePassword } from '../lib/passwords.ts'
import { openForCommand } from './open.ts'
import { type Command, UsageError } from './terminal.ts'

export const createAdmin: Command = {
  usage: 'EMAIL [--name NAME] [--password-stdin]',
  summary: 'Makes another admin, for when nobody can sign in any more',
  details: `
In the company of the first admin. Prints a random password once. May run beside the server.

--name NAME        how they are called; Administrator unless it is said
--password-stdin   takes the password from the standard input instead`,
  words: ['EMAIL'],
  options: { name: { type: 'string' }, 'password-stdin': { type: 'boolean' } },
  async run({ words, options, say }) {
    const isOwn = options['password-stdin'] === true
    const password = isOwn ? (await text(process.stdin)).replace(/\r?\n$/, '') : generatePassword()
    const name = options['name'] ?? 'Administrator'
    // As strict as the screen for adding users.
    const asked = { email: words[0], name, password, role: 'NEPTUNE_ADMIN', company: 'first' }
    const { data: admin, error } = safeParse(api.user.create.body, asked)
    if (!admin) throw new UsageError(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join(' '))
    await using opened = await openForCommand()
    try {
      const company = await addAdmin(opened.deps, admin)
      say(`${normalizeEmail(admin.email)} is an admin now, in ${company}.`)
      if (!isOwn) say(`Password   ${password}   (shown once: keep it safe)`)
      return 0
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      say(`Nothing was changed. ${error.fields?.map(({ message }) => message).join(' ') || error.message}`)
      return 1
    }
  },
}
