import { createOperatorLink } from '../features/identity/operator-link.service.ts'
import { AppError } from '../lib/app-error.ts'
import { openForCommand } from './open-for-command.ts'
import type { Command } from './terminal.ts'

export const signInLink: Command = {
  usage: 'EMAIL [--remove-second-factor]',
  summary: 'Creates a link with which a user can sign in once, within ten minutes',
  details: `
Use it if someone can't sign in because their password or second factor is lost, or because the provider for single sign-on is down.
The audit log records it. Can run while the server is running.

--remove-second-factor   removes the user's second factors first, and notifies the user by email`,
  positionals: ['EMAIL'],
  options: { 'remove-second-factor': { type: 'boolean' } },
  async run({ positionals, options, print }) {
    await using opened = await openForCommand()
    try {
      const removesFactors = options['remove-second-factor'] === true
      const { url, hasSecondFactor } = await createOperatorLink(opened.deps, positionals[0] ?? '', { removesFactors })
      print(url)
      print('The link works once, within ten minutes. Anyone who has it can sign in.')
      if (hasSecondFactor) print('The user also needs their second factor. If it is lost, use --remove-second-factor.')
      return 0
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      print(`Nothing was changed. ${error.message}`)
      return 1
    }
  },
}
