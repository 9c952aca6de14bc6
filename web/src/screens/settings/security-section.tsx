import { classNames } from '../../components/class-names.ts'
import { AlertIcon } from '../../components/icons.tsx'
import type { Values } from '../../features/settings/section-draft.ts'
import { useSectionForm } from '../../features/settings/use-section-form.ts'
import { t } from '../../i18n/t.ts'
import { SectionFrame } from './section-frame.tsx'
import type { SectionProps } from './section-props.ts'
import { QuantitySetting } from './setting-fields.tsx'
import css from './settings.module.css'

const c = classNames(css)

export function SecuritySection({ settings }: SectionProps) {
  const form = useSectionForm('security', settings.security)
  const before: Values = form.base.values
  const isShorter = Object.entries(form.changes).some(([field, value]) => Number(value) < Number(before[field]))
  return (
    <SectionFrame form={form}>
      <QuantitySetting form={form} field="session_minutes" hint={t('Even if they are still working.')} />
      <QuantitySetting form={form} field="session_idle_minutes" hint={t('Idle means that they use no page of this portal.')} />
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
    </SectionFrame>
  )
}
