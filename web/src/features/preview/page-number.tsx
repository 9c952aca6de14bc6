import { type FormEvent, useId, useState } from 'react'
import { formatNumber, t } from '../../i18n/t.ts'

/** The current page of a PDF, and the number of pages. */
export interface Pages {
  page: number
  total: number
}

/** Shows the number of the current page. Goes to another page when its number is entered. */
export function PageNumber({ page, total, onGoTo }: Pages & { onGoTo: (page: number) => void }) {
  const id = useId()
  const [draft, setDraft] = useState<string>()
  const goToDraft = (event?: FormEvent) => {
    event?.preventDefault()
    const wanted = Number.parseInt(draft ?? '', 10)
    setDraft(undefined)
    if (wanted >= 1) onGoTo(Math.min(wanted, total))
  }
  return (
    <form className="pdf-number" onSubmit={goToDraft}>
      <input
        aria-label={t('Page number')}
        aria-describedby={id}
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        value={draft ?? page}
        onChange={({ target }) => setDraft(target.value.replaceAll(/\D/g, ''))}
        onFocus={({ target }) => target.select()}
        onBlur={() => goToDraft()}
      />
      <span aria-hidden="true">/ {formatNumber(total)}</span>
      <span id={id} className="sr-only">
        {t('{part} of {whole}', { part: formatNumber(page), whole: formatNumber(total) })}
      </span>
    </form>
  )
}
