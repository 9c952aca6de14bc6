import type { Settings } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { classNames } from '../../components/class-names.ts'
import { AlertIcon } from '../../components/icons.tsx'
import { factorsQuery } from '../../features/factor/factor-queries.ts'
import type { Values } from '../../features/settings/section-draft.ts'
import { type SectionForm, useSectionForm } from '../../features/settings/use-section-form.ts'
import { t } from '../../i18n/t.ts'
import { secondFactorNames } from '../../lib/settings/setting-texts.ts'
import { paths } from '../../paths.ts'
import { PasskeyStatus } from './passkey-status.tsx'
import { PasswordSignInSetting } from './password-sign-in-setting.tsx'
import { SectionFrame } from './section-frame.tsx'
import type { SectionProps } from './section-props.ts'
import { QuantitySetting, SelectSetting, TextSetting } from './setting-fields.tsx'
import css from './settings.module.css'

const c = classNames(css)

const secondFactorChoices = Object.keys(secondFactorNames) as Settings['security']['second_factor'][]

export function SecuritySection({ settings }: SectionProps) {
  const form = useSectionForm('security', settings.security, {
    fieldByCode: {
      'provider.last_admin': {
        field: 'password_sign_in',
        message: t(
          'Nobody could get in: no administrator has signed in with an enabled provider yet. Do that first, then turn passwords off.',
        ),
      },
    },
  })
  const before: Values = form.base.values
  const isShorter = Object.entries(form.changes).some(
    ([field, value]) => field.startsWith('session_') && Number(value) < Number(before[field]),
  )
  return (
    <SectionFrame form={form}>
      <PasswordSignInSetting form={form} />
      <SecondFactorFields form={form} />
      <PasskeyStatus />
      <fieldset className={c('group')}>
        <legend>{t('Sessions')}</legend>
        <QuantitySetting
          form={form}
          field="session_minutes"
          hint={t('People are signed out after this time, even while they are working.')}
        />
        <QuantitySetting
          form={form}
          field="session_idle_minutes"
          hint={t('Idle means that they aren’t using any page of this portal.')}
        />
        <QuantitySetting form={form} field="session_remembered_idle_minutes" />
        {/* Always present, so that screen readers announce the text when it appears. */}
        <div role="status">
          {isShorter && (
            <p className={c('notice')}>
              <AlertIcon />
              <span>
                {t('This also applies to people who are signed in now. Some may have to sign in again, perhaps you too.')}
              </span>
            </p>
          )}
        </div>
      </fieldset>
    </SectionFrame>
  )
}

function SecondFactorFields({ form }: { form: SectionForm<'security'> }) {
  return (
    <fieldset className={c('group')}>
      <legend>{t('Second factor')}</legend>
      <SelectSetting
        form={form}
        field="second_factor"
        options={secondFactorChoices.map((value) => ({ value, label: t(secondFactorNames[value]) }))}
        hint={t('People who need a second factor but have none must set one up before they can do anything else.')}
      />
      <div role="status">
        <OwnFactorNotice form={form} />
      </div>
      {form.draft['second_factor'] !== 'nobody' && (
        <TextSetting
          form={form}
          field="second_factor_from"
          type="date"
          hint={t('Before this day, people only see a reminder. Without a date, they need a second factor right away.')}
        />
      )}
      <QuantitySetting
        form={form}
        field="trust_days"
        hint={t(
          'In a browser that they trust, people don’t need their second factor for this long. With 0, they always need it.',
        )}
      />
      <QuantitySetting
        form={form}
        field="factor_reset_minutes"
        hint={t(
          'If an administrator removes someone’s second factor, it takes effect after this time, so that the person can cancel the removal.',
        )}
      />
    </fieldset>
  )
}

/** Warns admins without a second factor that they are about to require one of themselves. */
function OwnFactorNotice({ form }: { form: SectionForm<'security'> }) {
  const { data: factors } = useQuery(factorsQuery())
  if (form.draft['second_factor'] === 'nobody' || !factors || factors.has_second_factor) return null
  return (
    <p className={c('notice')}>
      <AlertIcon />
      <span>
        {t('You don’t have a second factor yourself.')} <Link to={paths.account}>{t('Set one up')}</Link>
      </span>
    </p>
  )
}
