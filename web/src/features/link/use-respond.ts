import type { Args, api, LinkAsk, Reply } from '@neptune/contract'
import { useToast } from '../../components/feedback/toast.tsx'
import { t } from '../../i18n/t.ts'
import { shortenName } from '../../lib/shorten-name.ts'
import { formatDateTime } from '../../lib/time/dates.ts'
import { useShowReadyLink } from './ready-link.ts'
import { useAnswerRequest } from './request-queries.ts'

/** Grants or dismisses a request, and says what happened. Shows a new code that was not emailed, so that the user can pass it on. */
export function useRespond({ id, name, message }: LinkAsk) {
  const answer = useAnswerRequest()
  const toast = useToast()
  const show = useShowReadyLink()
  const respond = (
    response: Args<typeof api.link.answer>['body'],
    { onSuccess, onError }: { onSuccess?: () => void; onError?: (error: Error) => void } = {},
  ) =>
    answer.run(
      { id, ...response },
      {
        onSuccess: (answered) => {
          onSuccess?.()
          const { link, accessCode, sentTo, way } = answered
          if (accessCode !== null && (sentTo === null || way === 'files')) {
            if (sentTo !== null) toast({ message: t('No mail server is set up. Let the person who asked know.') })
            show({ link, accessCode, isReset: true, recipientMessage: message || undefined })
            return
          }
          toast({
            message: response.grant
              ? describeGrant(name, answered, message)
              : t('Dismissed the request about “{name}”.', { name: shortenName(name) }),
          })
        },
        ...(onError && { onError }),
      },
    )
  return { answer, respond }
}

/** Describes what was granted and who is notified. If nobody is, quotes the recipient’s message, which is no longer listed. */
function describeGrant(
  name: string,
  { link, accessCode, sentTo, way }: Reply<typeof api.link.answer>['data'],
  message: string | null,
): string {
  const email = sentTo ?? ''
  if (accessCode !== null) return t('A new code is on its way to {email}.', { email })
  const openUntil = t('“{name}” is open until {date}.', { name: shortenName(name), date: formatDateTime(link.expiry) })
  const quote = message ? ` ${t('“{message}”', { message })}` : ''
  if (way === 'files') return `${openUntil} ${t('No mail server is set up. Let the person who asked know.')}${quote}`
  return sentTo === null
    ? `${openUntil} ${t('The link was never emailed, so Neptune can’t notify the person who asked. Let them know yourself.')}${quote}`
    : `${openUntil} ${t('{email} will be notified by email.', { email })}`
}
