import { emailMax, type Settings } from '@neptune/contract'
import { classNames } from '../../components/class-names.ts'
import { PasswordField } from '../../components/form/field.tsx'
import { TestEmailForm } from '../../features/mail/test-email-form.tsx'
import { hasPassword, hasServerChanged, removePasswordEntry } from '../../features/settings/section-draft.ts'
import { type SectionForm, useSectionForm } from '../../features/settings/use-section-form.ts'
import { t } from '../../i18n/t.ts'
import { securityNames } from '../../lib/settings/setting-texts.ts'
import { SectionFrame } from './section-frame.tsx'
import type { SectionProps } from './section-props.ts'
import { QuantitySetting, SelectSetting, SettingFrame, TextSetting } from './setting-fields.tsx'
import css from './settings.module.css'

const c = classNames(css)

/** The ports that Neptune uses if none is set. */
const usualPorts: Record<string, string> = { starttls: '587', tls: '465' }

const securities = Object.keys(securityNames) as Settings['email']['smtp_security'][]

const addressProps = { type: 'email', maxLength: emailMax, autoCapitalize: 'none', spellCheck: false } as const

export function EmailSection({ settings }: SectionProps) {
  const form = useSectionForm('email', settings.email)
  const organisation = settings.organisation.values.name ?? 'Neptune'
  return (
    <>
      <SectionFrame form={form}>
        <TextSetting
          form={form}
          field="sender_name"
          maxLength={120}
          hint={t('The name that people see in their inbox. If it’s empty, they see {name}.', { name: organisation })}
        />
        <TextSetting
          form={form}
          field="sender_address"
          {...addressProps}
          hint={t(
            'Your mail server must be allowed to send from this address. If it’s empty, emails come from “neptune” at the domain of this portal.',
          )}
        />
        <TextSetting
          form={form}
          field="reply_to"
          {...addressProps}
          hint={t('Replies to automatic emails go to this address. If it’s empty, they go to the sender address.')}
        />
        <MailServerFields form={form} />
      </SectionFrame>
      <div className={c('form', 'test')}>
        <div>
          <h3 className={c('subheading')}>{t('Send a test email')}</h3>
          <p className={c('purpose')}>{t('It is sent with the saved settings.')}</p>
        </div>
        <TestEmailForm
          blockedReason={form.isDirty || form.isSaving ? t('Save your changes first. Then the test uses them.') : undefined}
        />
      </div>
    </>
  )
}

function MailServerFields({ form }: { form: SectionForm<'email'> }) {
  const port = usualPorts[form.draft['smtp_security'] ?? ''] ?? ''
  return (
    <fieldset className={c('group')}>
      <legend>{t('Mail server')}</legend>
      <TextSetting
        form={form}
        field="smtp_host"
        maxLength={253}
        autoCapitalize="none"
        spellCheck={false}
        placeholder="smtp.example.com"
        hint={t('Without a mail server, Neptune saves emails on its own server, and nobody receives them.')}
      />
      <SelectSetting
        form={form}
        field="smtp_security"
        options={securities.map((value) => ({ value, label: t(securityNames[value]) }))}
        hint={t('A password is sent only over an encrypted connection.')}
      />
      <QuantitySetting
        form={form}
        field="smtp_port"
        placeholder={port}
        hint={t('Leave it empty for the usual port, {port}.', { port })}
      />
      <TextSetting
        form={form}
        field="smtp_user"
        maxLength={254}
        autoCapitalize="none"
        spellCheck={false}
        hint={t('Leave it empty if the mail server needs no user name and password.')}
      />
      <PasswordSetting form={form} />
    </fieldset>
  )
}

/** The password is write-only. It belongs to its server and user: if either changes, it must be entered again. */
function PasswordSetting({ form }: { form: SectionForm<'email'> }) {
  const isSaved = hasPassword(form.base)
  const isRemoved = form.draft[removePasswordEntry] !== ''
  const isLost = isSaved && hasServerChanged(form.changes)
  const isEmpty = form.draft['smtp_password'] === ''
  const isLocked = form.base.locked.smtp_password !== undefined
  return (
    <SettingFrame form={form} field="smtp_password" hint={describePassword({ isSaved, isRemoved, isLost })}>
      {(props) => (
        <>
          <PasswordField autoComplete="new-password" maxLength={1024} {...props} {...form.field('smtp_password')} />
          {isSaved && isEmpty && !isLost && !isLocked && (
            <button
              type="button"
              className={c('link')}
              onClick={() => form.change({ [removePasswordEntry]: isRemoved ? '' : 'yes' })}
            >
              {isRemoved ? t('Keep the password') : t('Remove the password')}
            </button>
          )}
        </>
      )}
    </SettingFrame>
  )
}

function describePassword({ isSaved, isRemoved, isLost }: Record<'isSaved' | 'isRemoved' | 'isLost', boolean>): string {
  if (isLost) return t('The saved password was for the previous server and user. Enter the password again.')
  if (isRemoved) return t('The saved password will be removed.')
  if (isSaved) return t('A password is saved. Leave this empty to keep it.')
  return t('Neptune stores it encrypted and never shows it again.')
}
