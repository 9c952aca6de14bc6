import { useEffect } from 'react'
import { reportConfirmation } from '../../features/provider/confirmation-window.ts'
import { describeOutcome } from '../../features/provider/provider-outcomes.ts'
import { t } from '../../i18n/t.ts'
import { CardNote, CardPage } from '../shared/page/card-page.tsx'

/** The last page in the confirmation window. Reports the outcome to the window that waits, and closes itself if the browser allows it. */
export function ConfirmedPage({ outcome }: { outcome: string | null }) {
  const failure = describeOutcome(outcome)
  const isConfirmed = outcome === null
  useEffect(() => {
    reportConfirmation(outcome ?? 'confirmed')
    if (isConfirmed) window.close()
  }, [outcome, isConfirmed])
  return (
    <CardPage title={isConfirmed ? t('Confirmed') : t('That didn’t work.')}>
      <CardNote>
        {failure && <p>{failure}</p>}
        <p>{t('You can close this window and go back to the one you came from.')}</p>
      </CardNote>
    </CardPage>
  )
}
