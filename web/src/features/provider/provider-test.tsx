import type { ProviderTest } from '@neptune/contract'
import { classNames } from '../../components/class-names.ts'
import { AlertIcon, CheckIcon } from '../../components/entry-icons.tsx'
import { FormError } from '../../components/form/form-error.tsx'
import { t } from '../../i18n/t.ts'
import css from './provider.module.css'
import { faultTexts } from './provider-texts.ts'

const c = classNames(css)

/** Shows the findings of a test: an explanation of each and, if it has more details, the server’s message. */
export function ProviderTestResult({ result, error }: { result: ProviderTest | undefined; error: Error | undefined }) {
  return (
    <div role="status" className={c('result')}>
      {error && <FormError title={error.message} announce="none" />}
      {result?.findings.length === 0 && (
        <p className={c('good')}>
          <CheckIcon />
          <span>
            {t('No problems found.')}{' '}
            {result.supports?.back_channel_logout
              ? t('The provider can also end sessions here (back-channel logout).')
              : t('The provider can’t end sessions here (back-channel logout).')}
          </span>
        </p>
      )}
      {result?.findings.map(({ code, level, detail }) => (
        <div key={code} className={c('finding', level)}>
          <AlertIcon />
          <div>
            <p className={c('fault')}>
              {level === 'error'
                ? t('Error: {fault}', { fault: t(faultTexts[code]) })
                : t('Warning: {fault}', { fault: t(faultTexts[code]) })}
            </p>
            {detail !== faultTexts[code] && (
              <p className={c('detail')} lang="en">
                {detail}
              </p>
            )}
          </div>
        </div>
      ))}
    </div>
  )
}
