import { useQuery } from '@tanstack/react-query'
import { classNames } from '../../components/class-names.ts'
import { AlertIcon } from '../../components/icons.tsx'
import { passkeyStatusQuery } from '../../features/passkey/passkey-queries.ts'
import { t } from '../../i18n/t.ts'
import css from './settings.module.css'

const c = classNames(css)

/** Says whether people can use passkeys, and how many stopped working because PUBLIC_URL has another host. */
export function PasskeyStatus() {
  const { data } = useQuery(passkeyStatusQuery())
  if (!data) return null
  const { reason, host, working, elsewhere } = data
  return (
    <fieldset className={c('group')}>
      <legend>{t('Passkeys')}</legend>
      {reason === null ? (
        <p>
          {t('People add passkeys on their account page.')} {t('{n} passkeys work at {host}.', { n: working.passkeys, host })}
        </p>
      ) : (
        <p className={c('notice')}>
          <AlertIcon />
          <span>
            {reason === 'not_https'
              ? t('Passkeys can’t be used, because PUBLIC_URL doesn’t start with https://.')
              : t('Passkeys can’t be used, because PUBLIC_URL has an IP address instead of a host name.')}
          </span>
        </p>
      )}
      {elsewhere.length > 0 && (
        <div className={c('notice')}>
          <AlertIcon />
          <div className={c('noticeText')}>
            {elsewhere.map(({ host, passkeys }) => (
              <p key={host}>{t('{n} passkeys work only at {host}.', { n: passkeys, host })}</p>
            ))}
            <p>
              {t(
                'They work again once PUBLIC_URL starts with https:// and has their host again. Until then, their owners have to sign in a different way.',
              )}
            </p>
          </div>
        </div>
      )}
    </fieldset>
  )
}
