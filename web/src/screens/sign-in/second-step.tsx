import { useState } from 'react'
import type { ApiError } from '../../api/api-error.ts'
import { classNames } from '../../components/class-names.ts'
import { SecondStepForm } from '../../features/factor/second-step-form.tsx'
import { PasskeyStepForm } from '../../features/passkey/passkey-step-form.tsx'
import { supportsPasskeys } from '../../features/passkey/passkey-support.ts'
import { type Text, t } from '../../i18n/t.ts'
import { CardPage } from '../shared/page/card-page.tsx'
import css from './second-step.module.css'

const c = classNames(css)

type SecondFactor = NonNullable<ApiError['secondFactor']>
type Method = SecondFactor['methods'][number]

export interface SecondStepProps {
  secondFactor: SecondFactor
  /** Returns to the first step, with the reason if this one has ended. */
  onBack: (failure?: Error) => void
}

/** The methods in the order in which they are offered, each with its title and the label of the button that opens it. */
const texts = {
  passkey: { title: 'Use your passkey', link: 'Use a passkey instead' },
  totp: { title: 'Enter your code', link: 'Use the authenticator app instead' },
  recovery_code: { title: 'Use a recovery code', link: 'Use a recovery code instead' },
} as const satisfies Record<Method, { title: Text; link: Text }>

/** The second step of a sign-in, after a password, a provider or an operator’s link. */
export function SecondStep({ secondFactor, onBack }: SecondStepProps) {
  const { challenge, trust_days } = secondFactor
  const methods = listMethods(secondFactor)
  const [method, setMethod] = useState<Method>(methods[0] ?? 'recovery_code')
  const step = { challenge, trustDays: trust_days, onEnded: onBack }
  return (
    <CardPage title={t(texts[method].title)}>
      {method === 'passkey' ? <PasskeyStepForm {...step} /> : <SecondStepForm key={method} kind={method} {...step} />}
      <div className={c('ways')}>
        {methods
          .filter((other) => other !== method)
          .map((other) => (
            <button key={other} type="button" className={c('link')} onClick={() => setMethod(other)}>
              {t(texts[other].link)}
            </button>
          ))}
        <button type="button" className={c('link')} onClick={() => onBack()}>
          {t('Back to sign-in')}
        </button>
      </div>
    </CardPage>
  )
}

/** Returns the methods that this browser can use. */
const listMethods = ({ methods }: SecondFactor): Method[] =>
  (Object.keys(texts) as Method[]).filter((method) => methods.includes(method) && (method !== 'passkey' || supportsPasskeys()))
