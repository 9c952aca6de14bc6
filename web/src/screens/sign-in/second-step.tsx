import { useState } from 'react'
import type { ApiError } from '../../api/api-error.ts'
import { classNames } from '../../components/class-names.ts'
import { type CodeKind, SecondStepForm } from '../../features/factor/second-step-form.tsx'
import { t } from '../../i18n/t.ts'
import { CardPage } from '../shared/page/card-page.tsx'
import css from './second-step.module.css'

const c = classNames(css)

export interface SecondStepProps {
  secondFactor: NonNullable<ApiError['secondFactor']>
  /** Returns to the first step, with the reason if this one has ended. */
  onBack: (failure?: Error) => void
}

/** The second step of a sign-in, after the right password. */
export function SecondStep({ secondFactor, onBack }: SecondStepProps) {
  const { methods, challenge, trust_days } = secondFactor
  const hasApp = methods.includes('totp')
  const [kind, setKind] = useState<CodeKind>(hasApp ? 'totp' : 'recovery_code')
  return (
    <CardPage title={kind === 'totp' ? t('Enter your code') : t('Use a recovery code')}>
      <SecondStepForm key={kind} kind={kind} challenge={challenge} trustDays={trust_days} onEnded={onBack} />
      <div className={c('ways')}>
        {kind === 'totp' && methods.includes('recovery_code') && (
          <button type="button" className={c('link')} onClick={() => setKind('recovery_code')}>
            {t('Use a recovery code instead')}
          </button>
        )}
        {kind === 'recovery_code' && hasApp && (
          <button type="button" className={c('link')} onClick={() => setKind('totp')}>
            {t('Use the authenticator app instead')}
          </button>
        )}
        <button type="button" className={c('link')} onClick={() => onBack()}>
          {t('Back to sign-in')}
        </button>
      </div>
    </CardPage>
  )
}
