import { api, type LinkAsk } from '@neptune/contract'
import type { ComponentProps } from 'react'
import { call } from '../../api/client.ts'
import { useForm } from '../../api/use-form.ts'
import { TextArea } from '../../components/form/text-area.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { t } from '../../i18n/t.ts'

/** The maximum length that the server accepts. */
const maxMessageLength = 200

interface AskFormOptions {
  accessKey: string
  wants: LinkAsk['wants']
  onAsked: () => void
}

/** Manages a request to a link’s owner for more time or a new code. */
export function useAskForm({ accessKey, wants, onAsked }: AskFormOptions) {
  const ask = useAction((message: string) => call(api.access.ask, { body: { accessKey, wants, ...(message && { message }) } }), {
    onSuccess: onAsked,
  })
  const form = useForm({
    initial: { message: '' },
    action: ask,
    failureTitle: t('Your request was not sent.'),
    submit: ({ message }) => ask.run(toSingleLine(message)),
    failureFocus: 'message',
  })
  return { ask, form }
}

/** Asks for a name, because the owner of the link can’t see who sends the request. */
export const AskField = (props: Omit<ComponentProps<typeof TextArea>, 'label' | 'hint' | 'rows' | 'maxLength'>) => (
  <TextArea
    label={t('Who are you, and how can they reach you?')}
    hint={t('Your name, a phone number or email address, and what you need. Optional, up to {n} characters.', {
      n: maxMessageLength,
    })}
    rows={3}
    maxLength={maxMessageLength}
    {...props}
  />
)

/** Replaces line breaks, tabs and control characters with spaces, because the server rejects them. */
const toSingleLine = (text: string) => text.replaceAll(/[\s\p{Cc}\p{Cs}]+/gu, ' ').trim()
