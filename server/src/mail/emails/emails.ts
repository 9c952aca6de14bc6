import { accountEmails } from './account-emails.ts'
import { type Block, joinSentences, type WriteEmail } from './email-body.ts'
import { ownerEmails } from './owner-emails.ts'
import { recipientEmails } from './recipient-emails.ts'
import { shorten } from './shorten.ts'
import { signInEmails } from './sign-in-emails.ts'

/** Every email that Neptune sends. */
export const emails = {
  ...accountEmails,
  ...signInEmails,
  ...ownerEmails,
  ...recipientEmails,

  test:
    (): WriteEmail =>
    ({ t, organisation }) => ({
      subject: t('Test email from {organisation}', { organisation }),
      paragraphs: [
        joinSentences(t('This is a test email.'), t('If you can read it, {organisation} can send emails.', { organisation })),
      ],
    }),

  quotaWarning:
    ({ name, companies, count, url }: { name: string; companies: Usage[]; count: number; url: string }): WriteEmail =>
    ({ t, formatSize, formatPercent }) => {
      const [only] = count === 1 ? companies : []
      const usages = companies.map(({ name, bytes, quota, percent }) =>
        t('“{name}” has used {used} of its {quota} storage quota ({percent}).', {
          name,
          used: formatSize(bytes),
          quota: formatSize(quota),
          percent: formatPercent(percent),
        }),
      )
      const list = count > companies.length ? [...usages, t('and {n} more companies', { n: count - companies.length })] : usages
      const listed: Block[] = only ? usages : [{ list }]
      return {
        subject: only
          ? t('“{name}” has used {percent} of its storage', { name: shorten(only.name), percent: formatPercent(only.percent) })
          : t('{n} companies are running out of storage', { n: count }),
        readerName: name,
        paragraphs: [
          ...listed,
          joinSentences(
            t('When a company’s storage is full, nobody can upload files to it.'),
            t('You can raise its quota or delete files.'),
            t('Files in the trash count until they’re permanently deleted.'),
          ),
        ],
        action: { label: only ? t('Open the company') : t('View the companies'), url },
      }
    },
}

/** How much of its storage a company uses. */
interface Usage {
  name: string
  bytes: number
  quota: number
  percent: number
}
