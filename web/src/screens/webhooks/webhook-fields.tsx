import { WebhookEvent } from '@neptune/contract'
import { useId } from 'react'
import { classNames } from '../../components/class-names.ts'
import { Checkbox } from '../../components/form/checkbox.tsx'
import { TextField } from '../../components/form/field.tsx'
import { AlertIcon } from '../../components/icons.tsx'
import { webhookEventNames } from '../../features/webhook/webhook-texts.ts'
import { t } from '../../i18n/t.ts'
import css from './webhook-dialogs.module.css'

const c = classNames(css)

export interface WebhookDraft {
  url: string
  events: WebhookEvent[]
}

interface WebhookFieldsProps {
  draft: WebhookDraft
  onChange: (changes: Partial<WebhookDraft>) => void
  errors: Record<string, string>
}

/** A webhook's address and events. */
export const WebhookFields = ({ draft, onChange, errors }: WebhookFieldsProps) => (
  <>
    <TextField
      label={t('Address')}
      name="url"
      type="url"
      required
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={2000}
      placeholder="https://example.com/hook"
      value={draft.url}
      onChange={({ target }) => onChange({ url: target.value })}
      error={errors['url']}
    />
    <Events events={draft.events} onChange={(events) => onChange({ events })} error={errors['events']} />
  </>
)

interface EventsProps {
  events: WebhookEvent[]
  onChange: (events: WebhookEvent[]) => void
  error: string | undefined
}

function Events({ events, onChange, error }: EventsProps) {
  const id = useId()
  /** Keeps the order of `WebhookEvent.options`. */
  const toggle = (event: WebhookEvent) =>
    onChange(WebhookEvent.options.filter((option) => (option === event ? !events.includes(option) : events.includes(option))))
  return (
    <fieldset className={c('events')} aria-describedby={error && id}>
      <legend className={c('legend')}>{t('Events')}</legend>
      {WebhookEvent.options.map((event) => (
        <Checkbox
          key={event}
          label={t(webhookEventNames[event])}
          name="events"
          checked={events.includes(event)}
          onChange={() => toggle(event)}
        />
      ))}
      {error && (
        <p id={id} className={c('error')}>
          <AlertIcon size={16} />
          {error}
        </p>
      )}
    </fieldset>
  )
}

export const findMissing = ({ url, events }: WebhookDraft): Record<string, string> => ({
  ...(!url.trim() && { url: t('Enter an address.') }),
  ...(events.length === 0 && { events: t('Choose at least one event.') }),
})
