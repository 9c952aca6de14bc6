import { classNames } from '../../components/class-names.ts'
import { AlertIcon } from '../../components/icons.tsx'
import type { SectionForm } from '../../features/settings/use-section-form.ts'
import { t } from '../../i18n/t.ts'
import { tNodes } from '../../i18n/t-nodes.tsx'
import { SelectSetting } from './setting-fields.tsx'
import css from './settings.module.css'

const c = classNames(css)

/** Whether people can sign in with a password. Says what turning it off means before it is saved. */
export function PasswordSignInSetting({ form }: { form: SectionForm<'security'> }) {
  return (
    <>
      <SelectSetting
        form={form}
        field="password_sign_in"
        options={[
          { value: 'true', label: t('Allowed') },
          { value: 'false', label: t('Turned off') },
        ]}
        hint={t('You can turn this off once an administrator has signed in with a single sign-on provider.')}
      />
      <div role="status">
        {form.changes['password_sign_in'] === false && (
          <p className={c('notice')}>
            <AlertIcon />
            <span>
              {tNodes(
                'People can then sign in only with a provider or a passkey. If the provider is down, the operator can let people in by running {command} on the server.',
                { command: <code>npx neptune sign-in-link</code> },
              )}
            </span>
          </p>
        )}
      </div>
    </>
  )
}
