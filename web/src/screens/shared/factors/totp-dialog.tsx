import { lazy, Suspense } from 'react'
import { useForm } from '../../../api/use-form.ts'
import { classNames } from '../../../components/class-names.ts'
import { CopyButton } from '../../../components/form/copy-button.tsx'
import { TextField } from '../../../components/form/field.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { codeField, hasSixDigits } from '../../../features/factor/codes.ts'
import { useConfirmTotp } from '../../../features/factor/factor-queries.ts'
import { t } from '../../../i18n/t.ts'
import { ErrorBoundary } from '../../../lib/page/error-boundary.tsx'
import css from './factor-dialogs.module.css'

const c = classNames(css)

const QrCode = lazy(() => import('../../../features/link/qr-code.tsx').then((module) => ({ default: module.QrCode })))

interface TotpDialogProps {
  secret: string
  uri: string
  /** Called with the recovery codes if this is the first second factor. */
  onConfirmed: (recoveryCodes: readonly string[] | undefined) => void
  onClose: () => void
}

/** Shows the secret for an authenticator app, and confirms that the app shows the right codes. */
export function TotpDialog({ secret, uri, onConfirmed, onClose }: TotpDialogProps) {
  const confirm = useConfirmTotp()
  const form = useForm({
    initial: { code: '' },
    action: confirm,
    failureTitle: t('The authenticator app was not set up.'),
    fieldByCode: {
      'session.wrong_code': { field: 'code', message: t('That code doesn’t match. Enter the one that the app shows now.') },
    },
    validate: ({ code }): Record<string, string> =>
      hasSixDigits(code) ? {} : { code: t('Enter the six digits that the app shows.') },
    submit: ({ code }) => confirm.run(code, { onSuccess: ({ data }) => onConfirmed(data.recovery_codes) }),
  })
  return (
    <DialogFrame
      title={t('Set up an authenticator app')}
      description={t('Scan this QR code with an authenticator app on your phone, or with a password manager.')}
      confirmLabel={t('Confirm')}
      {...form.dialog}
      onClose={onClose}
    >
      <div className={c('picture')}>
        {/* The key below works without the QR code: if its script doesn’t load, nothing is shown. */}
        <ErrorBoundary fallback={() => null}>
          <Suspense>
            <QrCode text={uri} label={t('QR code for the authenticator app')} />
          </Suspense>
        </ErrorBoundary>
      </div>
      {isTouchDevice() && (
        <a href={uri} className={c('appLink')}>
          {t('Open an app on this device')}
        </a>
      )}
      <div className={c('key')}>
        <p>{t('If you can’t scan the QR code, enter this key in the app:')}</p>
        <code>{formatSecret(secret)}</code>
        <CopyButton label={t('Copy key')} text={secret} />
      </div>
      <TextField
        label={t('Code from the app')}
        hint={t('The six digits that the app shows after you scan the QR code or enter the key.')}
        {...codeField}
        {...form.field('code')}
      />
    </DialogFrame>
  )
}

/** A phone can’t scan its own screen, but its app can open the URI. */
const isTouchDevice = () => matchMedia('(pointer: coarse)').matches

/** Splits a secret into groups of four, which are easier to type. Apps ignore the spaces. */
const formatSecret = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
