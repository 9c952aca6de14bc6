import type { SectionName, Settings } from '@neptune/contract'
import type { MailServer } from '../../lib/net/mail-server.ts'
import { password, startTestServer } from '../../testing.ts'

interface Caller {
  app: Awaited<ReturnType<typeof startTestServer>>['app']
  headers: Record<string, string>
}

/** Starts a server with an admin, and returns calls of that admin. */
export async function startWithAdmin(environment: Record<string, string> = {}) {
  const server = await startTestServer(environment)
  await server.addUser({ email: 'admin@acme.example', role: 'NEPTUNE_ADMIN' })
  const caller = { app: server.app, headers: await server.startSessionAs('admin@acme.example') }
  return {
    ...server,
    ...caller,
    read: () => readAll(caller),
    change: <S extends SectionName>(section: S, values: object, version?: number) => change(caller, section, values, version),
    set: <S extends SectionName>(section: S, values: Partial<Settings[S]>) => setSettings(caller, section, values),
    /** Returns the audit entries about settings, oldest first, without the fields that all have in common. */
    async listChanges() {
      const { data } = (await server.app.inject({ url: '/v1/activity?action=settings.changed', headers: caller.headers })).json()
      return data.toReversed().map(({ name, note }: { name: string; note: string }) => `${name}: ${note}`)
    },
    /** Returns the mail servers that emails are sent through from now on. */
    captureMailServers() {
      const used: (MailServer | undefined)[] = []
      const { send } = server.deps.mailer
      server.deps.mailer.send = (message, mailServer, confirmClaim) => {
        used.push(mailServer)
        return send(message, mailServer, confirmClaim)
      }
      return used
    },
    async sendTest() {
      server.advance(60 * 60_000) // so that the hourly limit of emails to one address doesn't apply
      await caller.app.inject({ method: 'POST', url: '/v1/identity/confirm', headers: caller.headers, payload: { password } })
      const payload = { to: 'kim@acme.example' }
      await server.app.inject({ method: 'POST', url: '/v1/admin/mail/test', headers: caller.headers, payload })
      await server.deliver()
      return server.sentEmails.at(-1)
    },
  }
}

/** Returns all settings as admins get them. */
const readAll = async ({ app, headers }: Caller) => (await app.inject({ url: '/v1/admin/settings', headers })).json().data

/** Changes a section, based on its current version unless another one is given. */
async function change<S extends SectionName>(caller: Caller, section: S, values: object, version?: number) {
  const payload = { version: version ?? (await readAll(caller))[section].version, values }
  return caller.app.inject({ method: 'PATCH', url: `/v1/admin/settings/${section}`, headers: caller.headers, payload })
}

/** Changes a section for a test that is about something else. Throws if the change is refused. */
export async function setSettings<S extends SectionName>(caller: Caller, section: S, values: Partial<Settings[S]>) {
  const reply = await change(caller, section, values)
  if (reply.statusCode !== 200) throw new Error(reply.body)
}
